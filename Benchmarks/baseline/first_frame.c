/* SPDX-License-Identifier: Apache-2.0
 *
 * The least that any program over libav does for a first frame, as a whole process.
 *
 *   first_frame FILE
 */
#include "first_frame.h"

#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: first_frame FILE\n");
    return 2;
  }
  return first_frame(argv[1]);
}
