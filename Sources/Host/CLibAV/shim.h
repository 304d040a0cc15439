/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLIBAV_SHIM_H
#define CLIBAV_SHIM_H
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#endif
