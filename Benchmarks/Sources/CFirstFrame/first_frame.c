/* SPDX-License-Identifier: Apache-2.0
 *
 * The least that any program over libav does for a first frame. What our time to first frame is compared with. */
#include "first_frame.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdio.h>

static int fail(const char *what, int status) {
  fprintf(stderr, "first_frame: %s: %s\n", what, av_err2str(status));
  return 1;
}

int first_frame(const char *path) {
  AVFormatContext *format = NULL;
  int status = avformat_open_input(&format, path, NULL, NULL);
  if (status < 0) return fail("open", status);
  status = avformat_find_stream_info(format, NULL);
  if (status < 0) return fail("stream information", status);

  const AVCodec *codec = NULL;
  int video = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
  if (video < 0) return fail("no video", video);
  AVCodecContext *decoder = avcodec_alloc_context3(codec);
  if (!decoder) return fail("decoder", AVERROR(ENOMEM));
  status = avcodec_parameters_to_context(decoder, format->streams[video]->codecpar);
  if (status < 0) return fail("parameters", status);
  status = avcodec_open2(decoder, codec, NULL);
  if (status < 0) return fail("decoder", status);

  AVPacket *packet = av_packet_alloc();
  AVFrame *frame = av_frame_alloc();
  if (!packet || !frame) return fail("packet", AVERROR(ENOMEM));
  for (;;) {
    status = av_read_frame(format, packet);
    if (status == AVERROR_EOF) {
      avcodec_send_packet(decoder, NULL);
    } else if (status < 0) {
      return fail("read", status);
    } else if (packet->stream_index == video) {
      status = avcodec_send_packet(decoder, packet);
      if (status < 0) return fail("decode", status);
    }
    int at_end = status == AVERROR_EOF;
    av_packet_unref(packet);
    status = avcodec_receive_frame(decoder, frame);
    if (status == 0) break;
    if (status != AVERROR(EAGAIN) || at_end) return fail("no picture", status);
  }

  av_frame_free(&frame);
  av_packet_free(&packet);
  avcodec_free_context(&decoder);
  avformat_close_input(&format);
  return 0;
}
