// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which renderer makes which format.
 */
#include "reports/render/render.h"

#include <errno.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/text.h"
#include "reports/render/render_internal.h"

/* NULL-terminated, for usage texts and completion. */
static const char *const render_formats[] = { "text", "json", NULL };

static void make_json(const struct result *result, struct text_buffer *text)
{
	_cleanup_json_ json_t *json = render_json(result);

	render_json_write(json, text);
}

int render_result(const struct result *result, const char *format, char **ret_text,
		  struct error *err)
{
	struct text_buffer text _cleanup_text_ = { 0 };
	const char *nearest;

	if (strcmp(format, "text") == 0) {
		render_text(result, &text);
	} else if (strcmp(format, "json") == 0) {
		make_json(result, &text);
	} else {
		nearest = text_nearest(format, render_formats);
		return error_set(err, -EINVAL,
				 "unknown report format '%s'; use %s", format,
				 nearest ? nearest : "text or json");
	}
	*ret_text = text_buffer_take(&text);
	return 0;
}
