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
#include <libavutil/opt.h>
#include <stddef.h>
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

/* What a byte stream of ours is to libav: `opaque` of its AVIOContext. libav asks streams for options by way of class tables,
 * which Swift cannot write: where their bytes came from in the end, and how to ask for what they name. Strings of av_malloc. */
typedef struct clibav_stream {
  const AVClass *av_class;
  void *owner;
  char *location;
  char *user_agent;
  char *referer;
  char *rw_timeout;
} clibav_stream;

#define CLIBAV_TEXT(field) {.name = #field, .offset = offsetof(clibav_stream, field), .type = AV_OPT_TYPE_STRING}
static const AVOption clibav_stream_options[] = {
    CLIBAV_TEXT(location), CLIBAV_TEXT(user_agent), CLIBAV_TEXT(referer), CLIBAV_TEXT(rw_timeout), {0},
};
#undef CLIBAV_TEXT
static const AVClass clibav_stream_class = {
    .class_name = "clibav_stream", .item_name = av_default_item_name, .option = clibav_stream_options,
    .version = LIBAVUTIL_VERSION_INT,
};
static inline void *clibav_stream_of(void *context, void *previous) {
  return previous ? 0 : ((AVIOContext *)context)->opaque;
}
static const AVClass clibav_context_class = {
    .class_name = "AVIOContext", .item_name = av_default_item_name, .version = LIBAVUTIL_VERSION_INT,
    .child_next = clibav_stream_of,
};

/* Has libav find the options by `context`. */
static inline void clibav_show_options(AVIOContext *context, clibav_stream *stream) {
  stream->av_class = &clibav_stream_class;
  context->av_class = &clibav_context_class;
}

/* A field that is deprecated as long as it is needed: without it pictures are asked for on the thread of the caller only, which waits. */
static inline void clibav_allow_calls_from_threads(AVCodecContext *context) {
#if LIBAVCODEC_VERSION_MAJOR < 60
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  context->thread_safe_callbacks = 1;
#pragma GCC diagnostic pop
#endif
}

#endif
