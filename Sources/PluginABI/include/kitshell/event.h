/* SPDX-License-Identifier: Apache-2.0
 * event.h: what happens in a playback session, as fixed 96-byte records. */
#ifndef KITSHELL_EVENT_H
#define KITSHELL_EVENT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Event types. The comment says what v holds; unnamed values are 0 and a value that is not known is KIT_UNKNOWN. "text" is the
 * record's text. Times in v are microseconds. Events marked * are levels: of several in a row only the newest may be delivered. */
enum {
  KIT_EVENT_REQUEST = 1,            /* a session opens. text: source, then unique id; v0: bytes of the source part; v1: player number;
                                       v2: KIT_INSTANCE_*; v3: session it continues, or unknown */
  KIT_EVENT_ATTACH = 2,             /* the player got a foreground owner. v0: player number */
  KIT_EVENT_DETACH = 3,             /* it lost it. v0: player number */
  KIT_EVENT_STATE = 4,              /* v0: KIT_STATE_* */
  KIT_EVENT_PLAY_INTENT = 5,        /* the user wants it to play */
  KIT_EVENT_PAUSE_INTENT = 6,       /* the user wants it to pause */
  KIT_EVENT_OPENED = 7,             /* the source is open. text: container */
  KIT_EVENT_STREAM_INFO = 8,        /* the tracks are known. v0: number of tracks */
  KIT_EVENT_FIRST_PACKET = 9,
  KIT_EVENT_FIRST_DECODED = 10,     /* first frame out of the decoder, not yet shown */
  KIT_EVENT_PREPARED = 11,          /* ready. v0: duration; v1: width; v2: height; v3: frames per 1000 s; v4: audio sample rate;
                                       v5: audio channels; a track that is not there has unknown values;
                                       text: container LF video codec LF audio codec (empty: none); flag SEEKABLE */
  KIT_EVENT_FIRST_VIDEO_FRAME = 12, /* v0: its PTS; v1: KIT_FRAME_* */
  KIT_EVENT_FIRST_AUDIO = 13,       /* first audio sample at the output. v0: its PTS */
  KIT_EVENT_POSITION = 14,          /* * v0: position; v1: buffered position; v2: by how much sound was ahead of the newest picture when
                                       that was presented, unknown if it has been told */
  KIT_EVENT_TICK = 15,              /* * time passed; at least every 250 ms */
  KIT_EVENT_LOADING_BEGIN = 16,     /* v0: KIT_CAUSE_*; v1: when the output stopped (event time), or unknown; flag EOF */
  KIT_EVENT_LOADING_END = 17,
  KIT_EVENT_LOADING_PROGRESS = 18,  /* * v0: 0 to 100 */
  KIT_EVENT_DEMUX_UNDERRUN = 19,
  KIT_EVENT_OUTPUT_UNDERRUN = 20,
  KIT_EVENT_DEMUX_EOF = 21,
  KIT_EVENT_DECODER_SLOW = 22,      /* output underrun with data queued; v0: since when (event time), or unknown */
  KIT_EVENT_DECODER_FALLBACK = 23,  /* text: decoder now used */
  KIT_EVENT_SEEK_BEGIN = 24,        /* v0: target */
  KIT_EVENT_SEEK_END = 25,          /* v0: position reached */
  KIT_EVENT_SEEK_SUPERSEDED = 26,
  KIT_EVENT_SEEK_FAILED = 27,       /* text: why */
  KIT_EVENT_RATE = 28,              /* v0: thousandths */
  KIT_EVENT_LOOP = 29,              /* a wrap. v0: how many so far */
  KIT_EVENT_MUTE = 30,              /* v0: muted 0 or 1; v1: volume in thousandths */
  KIT_EVENT_DISPLAY = 31,           /* v0: mirror; v1: rotation in degrees; v2: scale mode */
  KIT_EVENT_RENDITION = 32,         /* v0: width; v1: height; v2: bits per second; text: id */
  KIT_EVENT_VIDEO_SIZE = 33,        /* v0: width; v1: height */
  KIT_EVENT_TRACK_READY = 34,       /* v0: number of tracks; text: a line for each, fields with tabs between them and empty if unknown:
                                       index, kind (video, audio, subtitle), codec, width, height, bits per second, language, title */
  KIT_EVENT_TRACK_CHANGED = 35,     /* v0: index of the track now played; text: its kind */
  KIT_EVENT_FRAMES = 36,            /* * since the session began: v0: decoded; v1: presented; v2: dropped late;
                                       v3: dropped by the decoder; v4: skipped; v5: most dropped late in a row */
  KIT_EVENT_BYTES = 37,             /* * since the session began: v0: read; v1: bytes that came over a network while reading waited for
                                       them; v2: for how long it did */
  KIT_EVENT_RETRY = 38,             /* v0: attempt; text: why */
  KIT_EVENT_NETWORK = 39,           /* v0: KIT_NETWORK_*; v1: metered 0, 1 or unknown */
  KIT_EVENT_FOREGROUND = 40,
  KIT_EVENT_BACKGROUND = 41,
  KIT_EVENT_SUSPENDED = 42,         /* the machine slept. v0: for how long */
  KIT_EVENT_SUPPRESSED = 43,        /* v0: 1 begins, 0 ends */
  KIT_EVENT_ERROR = 44,             /* v0: code; v1: fatal 0 or 1; v2: HTTP status, or unknown; text: name LF message LF hint */
  KIT_EVENT_COMPLETED = 45,         /* played to the end */
  KIT_EVENT_STOP = 46,              /* v0: KIT_STOP_* */
  KIT_EVENT_SOURCE_SWITCH = 47,     /* this session ends for another source. text, v0: as in REQUEST */
  KIT_EVENT_EVICT = 48,             /* the strategy took the player away */
  KIT_EVENT_TAKEN_OVER = 49,        /* another controller took it */
  KIT_EVENT_DESTROY = 50,           /* the controller was destroyed */
  KIT_EVENT_ACTION_REQUESTED = 51,  /* v0: KIT_ACTION_*; v1: argument; v2: triggering sequence; text: instance that asked */
  KIT_EVENT_ACTION_DONE = 52,       /* the same; v3: result */
  KIT_EVENT_SESSION_STATE = 53,     /* the host's session reducer entered a state. v0: KIT_SESSION_*; v1: type of the event that caused
                                       it; terminal states end the session */
  KIT_EVENT_FRAME_RATE = 54,        /* a full second of playing is over. v0: pictures presented in it; v1: so many seconds in a row */
  KIT_EVENT_LOOP_GAP = 55,          /* something is presented after a wrap. v0: playing time since the end of what was before it */
  KIT_EVENT_TYPE_LIMIT = 128        /* types stay below this in version 1 */
};

/* flags */
enum {
  KIT_EVENT_FLAG_REPLAYED = 1, /* an earlier value, delivered to a late subscriber with its original time */
  KIT_EVENT_FLAG_EOF = 2,      /* LOADING_BEGIN: nothing more will be read */
  KIT_EVENT_FLAG_SEEKABLE = 4  /* PREPARED */
};

/* Player states (STATE). */
enum {
  KIT_STATE_IDLE = 0, KIT_STATE_PREPARING = 1, KIT_STATE_PREPARED = 2, KIT_STATE_PLAYING = 3,
  KIT_STATE_PAUSED = 4, KIT_STATE_COMPLETED = 5, KIT_STATE_STOPPED = 6, KIT_STATE_ERROR = 7
};

/* Session states (SESSION_STATE). */
enum {
  KIT_SESSION_IDLE = 0, KIT_SESSION_PRELOADING = 1, KIT_SESSION_PREPARED_BG = 2, KIT_SESSION_JOINING = 3,
  KIT_SESSION_JOIN_PAUSED = 4, KIT_SESSION_PLAYING = 5, KIT_SESSION_PAUSED = 6, KIT_SESSION_PAUSED_BUFFERING = 7,
  KIT_SESSION_SEEKING = 8, KIT_SESSION_STALLED = 9, KIT_SESSION_SUPPRESSED = 10, KIT_SESSION_SUPPRESSED_BUFFERING = 11,
  KIT_SESSION_BACKGROUND = 12, KIT_SESSION_SUSPENDED = 13,
  /* terminal */
  KIT_SESSION_ENDED = 32, KIT_SESSION_STOPPED = 33, KIT_SESSION_FAILED = 34, KIT_SESSION_ABANDONED = 35
};

enum { KIT_INSTANCE_UNKNOWN = 0, KIT_INSTANCE_COLD = 1, KIT_INSTANCE_WARM = 2, KIT_INSTANCE_PRE_RENDERED = 3 };
enum { KIT_FRAME_SHOWN = 0, KIT_FRAME_PREVIEW = 1 };
enum {
  KIT_CAUSE_UNKNOWN = 0, KIT_CAUSE_NETWORK = 1, KIT_CAUSE_DECODER = 2, KIT_CAUSE_SOURCE_GAP = 3,
  KIT_CAUSE_LIVE_EDGE = 4, KIT_CAUSE_LOOP = 5, KIT_CAUSE_SEEK_RECOVERY = 6
};
enum {
  KIT_NETWORK_UNKNOWN = 0, KIT_NETWORK_NONE = 1, KIT_NETWORK_WIFI = 2, KIT_NETWORK_ETHERNET = 3, KIT_NETWORK_CELLULAR = 4
};
enum { KIT_STOP_USER = 0, KIT_STOP_UNTIL = 1, KIT_STOP_PREVIEW_END = 2, KIT_STOP_INTERRUPTED = 3, KIT_STOP_IDLE = 4 };

/* One event. Sequence is strictly increasing per controller; session counts from 1 in a process and is never used again. */
typedef struct kit_event_v1 {
  uint32_t struct_size; /* 96 in version 1.0 */
  uint32_t type;        /* KIT_EVENT_* */
  uint32_t flags;       /* KIT_EVENT_FLAG_* */
  uint32_t session;     /* 0: belongs to none */
  uint64_t sequence;
  int64_t time_us;      /* event time: monotonic, counts from an arbitrary start */
  int64_t position_us;  /* media position when it happened, KIT_UNKNOWN if there is none */
  uint32_t text_offset; /* into the batch's text area; offset + length never passes its end */
  uint32_t text_length; /* 0: no text */
  int64_t v[6];
} kit_event_v1;

/* Events of one controller, in order. All pointers live until the call that got the batch returns. */
typedef struct kit_event_batch_v1 {
  uint32_t struct_size;
  uint32_t controller;
  const kit_event_v1 *KIT_NULLABLE events; /* null iff event_count is 0 */
  uint32_t event_count;
  uint32_t event_stride;
  const char *KIT_NULLABLE text; /* the text area, UTF-8, null iff text_length is 0 */
  uint64_t text_length;
  uint64_t dropped; /* events lost to this instance since the former batch, because it was too slow */
} kit_event_batch_v1;

#ifdef __cplusplus
}
#endif
#endif
