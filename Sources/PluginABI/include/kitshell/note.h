/* SPDX-License-Identifier: Apache-2.0
 * note.h: what a plugin file says of itself before any of its code runs.
 *
 * Two ELF notes of the owner "KIT", found through the program headers (PT_NOTE), fixed-width little-endian:
 *   type 1, identity: kit_note_head, then the bytes of id, version, name and vendor, in that order, each followed by one NUL
 *           that its length does not count;
 *   type 2, options: JSON text (UTF-8), possibly followed by NUL padding.
 * Put KIT_PLUGIN_NOTE (and KIT_PLUGIN_OPTIONS if there are options) at file scope of exactly one C or C++ file of the plugin.
 * The host reads them from the file before it loads it; a note that breaks these rules refuses the plugin, and nothing of it runs. */
#ifndef KITSHELL_NOTE_H
#define KITSHELL_NOTE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define KIT_NOTE_OWNER "KIT"
enum { KIT_NOTE_IDENTITY = 1, KIT_NOTE_OPTIONS = 2 };
enum { KIT_NOTE_FORMAT = 1 };

/* kinds: which interfaces the plugin offers. At least one that the host knows; bits it does not know have no effect. */
enum { KIT_KIND_LIFECYCLE = 1, KIT_KIND_MONITOR = 2 };

/* capabilities: what it asks for beyond computing. Nothing is had that the host's user did not grant. */
enum {
  KIT_CAP_NETWORK = 1,     /* sockets */
  KIT_CAP_THREADS = 2,     /* threads of its own; they end before destroy returns */
  KIT_CAP_READ_PATHS = 4,  /* reading files that the grant names */
  KIT_CAP_WRITE_PATHS = 8, /* writing files that the grant names */
  KIT_CAP_ACTIONS = 16     /* kit_host_v1.request_action */
};

/* flags of a lifecycle strategy. */
enum {
  KIT_FLAG_BINDS_IDS = 1, /* keeps one player per unique id */
  KIT_FLAG_TAKES_OVER = 2 /* may answer with a player in use, whose owner then loses it */
};

/* Fixed part of the identity note. */
typedef struct kit_note_head {
  uint32_t format;       /* KIT_NOTE_FORMAT */
  uint32_t abi_major;    /* KIT_ABI_MAJOR it was built against */
  uint32_t abi_minor;    /* KIT_ABI_MINOR it was built against */
  uint32_t needed_minor; /* lowest minor of a host it can run in, at most abi_minor; 0: any of this major */
  uint32_t kinds;        /* KIT_KIND_*, at least one */
  uint32_t capabilities; /* KIT_CAP_* */
  uint32_t flags;        /* KIT_FLAG_* */
  uint32_t id_len;       /* [a-z0-9._-], a letter or digit first, 1 to 128 bytes; an id without a dot is reserved for the
                            strategies of the product: use reverse DNS */
  uint32_t version_len;  /* semantic version, at most 64 bytes */
  uint32_t name_len;     /* for people, at most 256 bytes */
  uint32_t vendor_len;   /* at most 256 bytes */
} kit_note_head;

/* How a note is placed: kept by every optimiser and linker, and without the red zone that clang's address sanitizer would put
 * between two notes. */
#ifdef __clang__
#define KIT_NOTE_PLACE __attribute__((section(".note.kit"), used, aligned(4), no_sanitize("address")))
#else
#define KIT_NOTE_PLACE __attribute__((section(".note.kit"), used, aligned(4)))
#endif

/* Emits the identity note. The texts are string literals.
 *   KIT_PLUGIN_NOTE(KIT_KIND_MONITOR, 0, 0, 0, "com.example.counter", "1.2.0", "Event counter", "Example");  */
#define KIT_PLUGIN_NOTE(kinds_, capabilities_, flags_, needed_minor_, id_, version_, name_, vendor_) \
  KIT_PLUGIN_NOTE_ABI(KIT_ABI_MAJOR, KIT_ABI_MINOR, kinds_, capabilities_, flags_, needed_minor_, id_, version_, \
                      name_, vendor_)

/* The same with the ABI numbers given; for test fixtures. */
#define KIT_PLUGIN_NOTE_ABI(major_, minor_, kinds_, capabilities_, flags_, needed_minor_, id_, version_, name_,   \
                            vendor_)                                                                              \
  static const struct {                                                                                           \
    uint32_t owner_size, desc_size, type;                                                                         \
    char owner[sizeof(KIT_NOTE_OWNER)];                                                                           \
    kit_note_head head;                                                                                           \
    char id[sizeof(id_)];                                                                                         \
    char version[sizeof(version_)];                                                                               \
    char name[sizeof(name_)];                                                                                     \
    char vendor[sizeof(vendor_)];                                                                                 \
  } kit_identity_note KIT_NOTE_PLACE = {                                                                           \
      sizeof(KIT_NOTE_OWNER),                                                                                     \
      sizeof(kit_note_head) + sizeof(id_) + sizeof(version_) + sizeof(name_) + sizeof(vendor_),                   \
      KIT_NOTE_IDENTITY,                                                                                          \
      KIT_NOTE_OWNER,                                                                                             \
      {KIT_NOTE_FORMAT, (major_), (minor_), (needed_minor_), (kinds_), (capabilities_), (flags_),                 \
       sizeof(id_) - 1, sizeof(version_) - 1, sizeof(name_) - 1, sizeof(vendor_) - 1},                            \
      id_,                                                                                                        \
      version_,                                                                                                   \
      name_,                                                                                                      \
      vendor_}

/* Emits the option note. The text is a JSON object: option key -> {"type": "int" | "double" | "string" | "flag" |
 * "duration" or "list of <one of these>", "default": …, "min": …, "max": …, "choices": [ … ], "help": "one line"}.
 * A key is [a-z][a-z0-9_]*, at most 64 bytes; durations are milliseconds in the table and microseconds in kit_option_v1; bounds
 * are for numbers and durations; the default of a list is an array. At most 256 options and 64 KiB of text. An option
 * without a default is left out unless the user sets it; one that is not in the table never reaches the plugin. */
#define KIT_PLUGIN_OPTIONS(json_)                                                       \
  static const struct {                                                                 \
    uint32_t owner_size, desc_size, type;                                               \
    char owner[sizeof(KIT_NOTE_OWNER)];                                                 \
    char text[sizeof(json_)];                                                           \
  } kit_options_note KIT_NOTE_PLACE = {                                                 \
      sizeof(KIT_NOTE_OWNER), sizeof(json_), KIT_NOTE_OPTIONS, KIT_NOTE_OWNER, json_}

#ifdef __cplusplus
}
#endif
#endif
