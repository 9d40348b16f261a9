// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rows of a store that somebody else wrote, for fuzz targets. A line of the input is one:
 *   KIND PHASE POINT BOOT ATTEMPT PROCESS BOOT-ID DATA
 * with single blanks, DATA to the end of the line, "-" for NULL. They pass through SQLite
 * to queue/store_read.c as the columns of a row do.
 */
#pragma once

#include "common/tests/fuzz.h"
#include "queue/event.h"

/* The rows that are accepted, up to the first that is not. event_list_done() releases them. */
struct event_list hostile_rows_read(const uint8_t *data, size_t size);
