/* SPDX-License-Identifier: Apache-2.0
 * libavformat, libavcodec, libavutil, libswscale and libswresample for Swift, and the macros of theirs that Swift cannot import. */
#ifndef CLIBAV_SHIM_H
#define CLIBAV_SHIM_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/cpu.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

/* Macros built from casts or from other function-like macros. */
static const int64_t clibav_no_timestamp = AV_NOPTS_VALUE;
static const int clibav_error_eof = AVERROR_EOF;
static const int clibav_error_exit = AVERROR_EXIT;
static const int clibav_error_input_changed = AVERROR_INPUT_CHANGED;
static const int clibav_error_invalid_data = AVERROR_INVALIDDATA;
static const int clibav_error_protocol_not_found = AVERROR_PROTOCOL_NOT_FOUND;
static const int clibav_error_http_bad_request = AVERROR_HTTP_BAD_REQUEST;
static const int clibav_error_http_unauthorized = AVERROR_HTTP_UNAUTHORIZED;
static const int clibav_error_http_forbidden = AVERROR_HTTP_FORBIDDEN;
static const int clibav_error_http_not_found = AVERROR_HTTP_NOT_FOUND;
static const int clibav_error_http_other_4xx = AVERROR_HTTP_OTHER_4XX;
static const int clibav_error_http_server_error = AVERROR_HTTP_SERVER_ERROR;

#endif
