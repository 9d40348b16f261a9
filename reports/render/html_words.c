// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Escaping, and the scale of an axis.
 */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/render/html_internal.h"

void html_append(struct text_buffer *text, const char *words)
{
	_cleanup_free_ char *clean = render_clean(words, true);
	_cleanup_json_ json_t *utf8 = json_string(clean);

	for (char *c = clean; *c; c++) {
		switch (*c) {
		case '&':
			text_append(text, "&amp;");
			break;
		case '<':
			text_append(text, "&lt;");
			break;
		case '>':
			text_append(text, "&gt;");
			break;
		case '"':
			text_append(text, "&quot;");
			break;
		case '\'':
			text_append(text, "&#39;");
			break;
		case ' ':
			/* A number and its sign stay together. */
			text_append(text, c[1] == '%' ? "&nbsp;" : " ");
			break;
		default:
			/* Not UTF-8, such as a title in an old encoding. */
			if (!utf8 && (unsigned char)*c >= 0x80)
				*c = '?';
			text_append_bytes(text, c, 1);
		}
	}
}

double html_scale_place(const struct html_scale *scale, double value)
{
	double share = (value - scale->low) / (scale->high - scale->low);

	return scale->from + fmin(1, fmax(0, share)) * (scale->to - scale->from);
}

double html_scale_step(const struct html_scale *scale)
{
	double rough = (scale->high - scale->low) / 7;
	double power = pow(10, floor(log10(rough)));

	if (rough > 5 * power)
		return 10 * power;
	if (rough > 2 * power)
		return 5 * power;
	return rough > power ? 2 * power : power;
}

int html_scale_decimals(double step)
{
	double decimals = -floor(log10(step) + 1e-9);

	return decimals > 0 ? (int)fmin(decimals, 12) : 0;
}
