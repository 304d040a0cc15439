/* SPDX-License-Identifier: Apache-2.0 */
#include "landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kitshell/note.h"
#include "kitwire/load.h"
#include "services.h"

/* The kernel's interface, which is older in the headers of some systems than in their kernels. */
struct ruleset {
  uint64_t files; /* what is forbidden unless a rule allows it */
  uint64_t ports;
  uint64_t scopes;
};

struct __attribute__((packed)) beneath_rule {
  uint64_t allowed;
  int32_t parent;
};

enum { RULE_PATH_BENEATH = 1, CREATE_RULESET_VERSION = 1 };

enum {
  EXECUTE = 1 << 0,
  WRITE_FILE = 1 << 1,
  READ_FILE = 1 << 2,
  READ_DIRECTORY = 1 << 3,
  REMOVE_DIRECTORY = 1 << 4,
  REMOVE_FILE = 1 << 5,
  MAKE_DIRECTORY = 1 << 7,
  MAKE_FILE = 1 << 8,
  ALL_OF_1 = (1 << 13) - 1,
  REFER = 1 << 13,        /* version 2 */
  TRUNCATE = 1 << 14,     /* 3 */
  IOCTL_DEVICE = 1 << 15, /* 5 */
};

enum { BIND_TCP = 1 << 0, CONNECT_TCP = 1 << 1 /* 4 */ };
enum { ABSTRACT_SOCKETS = 1 << 0, SIGNALS = 1 << 1 /* 6 */ };

enum { READ = READ_FILE | READ_DIRECTORY, CHANGE = WRITE_FILE | TRUNCATE | REMOVE_FILE | REMOVE_DIRECTORY | MAKE_FILE | MAKE_DIRECTORY };
enum { OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE };

static long create_ruleset(const struct ruleset *rules, size_t size, uint32_t flags) {
#ifdef SYS_landlock_create_ruleset
  return syscall(SYS_landlock_create_ruleset, rules, size, flags);
#else
  return syscall(444, rules, size, flags);
#endif
}

/* A set of rules that is being made. */
typedef struct opening {
  int ruleset;
  bool has_failed; /* the kernel took no rule for `path`, because of `error` */
  int error;
  char path[256];
} opening;

/* Opens a path, or a file if one is given: only the one that the host has found there. Returns the error of a path that leads nowhere:
 * what cannot be opened is not there to be read either. */
static int allow(opening *opening, const char *path, uint64_t rights, const known_file *file) {
  int parent = open(path, O_PATH | O_CLOEXEC);
  if (parent < 0) return errno;
  struct stat found;
  bool is_right = fstat(parent, &found) == 0 &&
                  (file == NULL || (S_ISREG(found.st_mode) && found.st_dev == file->device && found.st_ino == file->inode));
  if (is_right) {
    struct beneath_rule rule = {.allowed = S_ISDIR(found.st_mode) ? rights : rights & OF_A_FILE, .parent = parent};
    if (syscall(445, opening->ruleset, RULE_PATH_BENEATH, &rule, 0) != 0 && !opening->has_failed) {
      opening->has_failed = true;
      opening->error = errno;
      snprintf(opening->path, sizeof opening->path, "%s", path);
    }
  }
  close(parent);
  return 0;
}

/* What a user has granted. */
static void allow_granted(opening *opening, const path_list *paths, uint64_t rights) {
  for (const char *path = path_list_next(paths, NULL); path != NULL; path = path_list_next(paths, path)) {
    int error = allow(opening, path, rights, NULL);
    if (error != 0) services_warn("the grant of %s opens nothing: %s", path, strerror(error));
  }
}

/* Directories that libraries of this process came from are those that others will: it has loaded nothing of the plugin yet. */
static int allow_directory(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  char directory[4096];
  const char *slash = strrchr(info->dlpi_name, '/');
  size_t length = slash == NULL ? 0 : (size_t)(slash - info->dlpi_name);
  if (length == 0 || length >= sizeof directory) return 0;
  memcpy(directory, info->dlpi_name, length);
  directory[length] = 0;
  allow(context, directory, READ_FILE, NULL);
  return 0;
}

static void allow_libraries(opening *opening) {
  static const char *const places[] = {"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"};
  /* What the C library formats text and times with; the environment says which (LANG, TZ). */
  static const char *const formats[] = {"/usr/lib/locale", "/usr/share/locale", "/etc/locale.alias", "/usr/share/zoneinfo",
                                        "/etc/localtime"};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) allow(opening, places[i], READ_FILE, NULL);
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) allow(opening, formats[i], READ, NULL);
  dl_iterate_phdr(allow_directory, opening);
}

uint32_t landlock_close(const sandbox_order *order, char *why, size_t why_size) {
  long version = create_ruleset(NULL, 0, CREATE_RULESET_VERSION);
  if (version < 1) {
    snprintf(why, why_size, "this kernel has no Landlock (%s)", strerror(errno));
    return 0;
  }
  struct ruleset rules = {.files = ALL_OF_1};
  uint32_t walls = KITW_WALL_FILES;
  if (version >= 2) rules.files |= REFER;
  if (version >= 3) rules.files |= TRUNCATE;
  if (version >= 5) rules.files |= IOCTL_DEVICE;
  if (version >= 4 && !(order->grants & KIT_CAP_NETWORK)) {
    rules.ports = BIND_TCP | CONNECT_TCP;
    walls |= KITW_WALL_PORTS;
  }
  if (version >= 6) {
    rules.scopes = ABSTRACT_SOCKETS | SIGNALS;
    walls |= KITW_WALL_SIGNALS;
  }
  size_t size = version >= 6 ? sizeof rules : version >= 4 ? 16 : 8;
  int ruleset = (int)create_ruleset(&rules, size, 0);
  if (ruleset < 0) {
    snprintf(why, why_size, "Landlock cannot be used: %s", strerror(errno));
    return 0;
  }
  opening opening = {.ruleset = ruleset};
  allow_libraries(&opening);
  for (uint32_t i = 0; i < order->library_count; i++)
    allow(&opening, order->libraries[i].path, READ_FILE, &order->libraries[i]);
  allow_granted(&opening, &order->readable, READ);
  allow_granted(&opening, &order->writable, rules.files & (READ | CHANGE));
  if (opening.has_failed) {
    snprintf(why, why_size, "Landlock takes no rule for %s: %s", opening.path, strerror(opening.error));
    walls = 0;
  } else if (syscall(446, ruleset, 0) != 0) {
    snprintf(why, why_size, "Landlock cannot be put in force: %s", strerror(errno));
    walls = 0;
  }
  close(ruleset);
  return walls;
}
