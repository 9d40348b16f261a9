// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * RFC 3339 times. Only arithmetic: no time zone but the one in the text, no clock.
 */
#include <errno.h>

#include "common/text.h"

/* Days from 1970-01-01, proleptic Gregorian; March is the first month of a year here. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t shifted_year = month <= 2 ? year - 1 : year;
	int64_t shifted_month = month <= 2 ? month + 9 : month - 3;
	int64_t era_days = shifted_year * 365 + shifted_year / 4 - shifted_year / 100 + shifted_year / 400;

	/* 719468: days from 0000-03-01 to 1970-01-01. */
	return era_days + (153 * shifted_month + 2) / 5 + day - 1 - 719468;
}

static int64_t days_in_month(int64_t year, int64_t month)
{
	return days_of(month == 12 ? year + 1 : year, month == 12 ? 1 : month + 1, 1) -
	       days_of(year, month, 1);
}

/* Exactly @n_digits digits within @minimum to @maximum, then the character @after unless 0. */
static bool take(const char **at, int n_digits, int64_t minimum, int64_t maximum, char after,
		 int64_t *ret_value)
{
	int64_t value = 0;

	for (int i = 0; i < n_digits; i++, (*at)++) {
		if (**at < '0' || **at > '9')
			return false;
		value = value * 10 + (**at - '0');
	}
	if (value < minimum || value > maximum || (after && **at != after))
		return false;
	*at += after != '\0';
	*ret_value = value;
	return true;
}

static bool take_offset(const char **at, int64_t *ret_seconds)
{
	int64_t hours, minutes;
	char sign = **at;

	if (sign == 'Z' || sign == 'z') {
		(*at)++;
		*ret_seconds = 0;
		return true;
	}
	if (sign != '+' && sign != '-')
		return false;
	(*at)++;
	if (!take(at, 2, 0, 23, ':', &hours) || !take(at, 2, 0, 59, '\0', &minutes))
		return false;
	*ret_seconds = (sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
	return true;
}

int text_parse_time(const char *text, int64_t *ret_seconds)
{
	int64_t year, month, day, hour, minute, second, offset_s, seconds;

	if (!take(&text, 4, 0, 9999, '-', &year) || !take(&text, 2, 1, 12, '-', &month) ||
	    !take(&text, 2, 1, 31, '\0', &day) || day > days_in_month(year, month))
		return -EINVAL;
	if (*text != 'T' && *text != 't')
		return -EINVAL;
	text++;
	if (!take(&text, 2, 0, 23, ':', &hour) || !take(&text, 2, 0, 59, ':', &minute) ||
	    !take(&text, 2, 0, 60, '\0', &second) || !take_offset(&text, &offset_s) || *text)
		return -EINVAL;
	seconds = days_of(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset_s;
	if (seconds < 0)
		return -ERANGE;
	*ret_seconds = seconds;
	return 0;
}
