/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FIRST_FRAME_H
#define FIRST_FRAME_H

/* Opens a file, reads stream information and decodes one picture, all with libav's defaults. Returns 0, or 1 after saying on stderr
 * what failed. */
int first_frame(const char *path);

#endif
