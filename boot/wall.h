// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tells who is logged in that the machine goes down.
 */
#pragma once

/*
 * Writes @text to the terminal of every session of logind's. Returns how many terminals took it,
 * which is 0 when nobody is logged in, or negative errno when logind cannot be asked. Never
 * waits for a terminal; asks the bus, each time for 5 s at most.
 */
int wall_notice(const char *text);
