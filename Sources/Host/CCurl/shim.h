/* SPDX-License-Identifier: Apache-2.0
 * libcurl for Swift. Nothing is linked: the library is loaded when the first network source is opened, since loading it
 * with the program costs every start some milliseconds. So its functions are called through a table. */
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>

typedef struct ccurl_functions {
  CURLcode (*global_init)(long flags);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *easy);
  CURLcode (*easy_setopt)(CURL *easy, CURLoption option, ...);
  CURLcode (*easy_getinfo)(CURL *easy, CURLINFO info, ...);
  CURLcode (*easy_pause)(CURL *easy, int bits);
  CURLHcode (*easy_header)(CURL *easy, const char *name, size_t index, unsigned int origin, int request,
                           struct curl_header **out);
  const char *(*easy_strerror)(CURLcode code);
  CURLM *(*multi_init)(void);
  CURLMcode (*multi_cleanup)(CURLM *multi);
  CURLMcode (*multi_setopt)(CURLM *multi, CURLMoption option, ...);
  CURLMcode (*multi_add_handle)(CURLM *multi, CURL *easy);
  CURLMcode (*multi_remove_handle)(CURLM *multi, CURL *easy);
  CURLMcode (*multi_perform)(CURLM *multi, int *running);
  CURLMcode (*multi_poll)(CURLM *multi, struct curl_waitfd *extra, unsigned int count, int milliseconds, int *ready);
  CURLMsg *(*multi_info_read)(CURLM *multi, int *left);
  CURLSH *(*share_init)(void);
  CURLSHcode (*share_setopt)(CURLSH *share, CURLSHoption option, ...);
  CURLSHcode (*share_cleanup)(CURLSH *share);
  struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
  void (*slist_free_all)(struct curl_slist *list);
} ccurl_functions;

/* Fills the table from a loaded library; 0 if that lacks a function. dlsym gives data pointers, which Swift would have to
 * cast one by one. */
static inline int ccurl_find(void *library, ccurl_functions *table) {
#define CCURL_FIND(name)                                                     \
  if (!(*(void **)&table->name = dlsym(library, "curl_" #name))) return 0
  CCURL_FIND(global_init);
  CCURL_FIND(easy_init);
  CCURL_FIND(easy_cleanup);
  CCURL_FIND(easy_setopt);
  CCURL_FIND(easy_getinfo);
  CCURL_FIND(easy_pause);
  CCURL_FIND(easy_header);
  CCURL_FIND(easy_strerror);
  CCURL_FIND(multi_init);
  CCURL_FIND(multi_cleanup);
  CCURL_FIND(multi_setopt);
  CCURL_FIND(multi_add_handle);
  CCURL_FIND(multi_remove_handle);
  CCURL_FIND(multi_perform);
  CCURL_FIND(multi_poll);
  CCURL_FIND(multi_info_read);
  CCURL_FIND(share_init);
  CCURL_FIND(share_setopt);
  CCURL_FIND(share_cleanup);
  CCURL_FIND(slist_append);
  CCURL_FIND(slist_free_all);
#undef CCURL_FIND
  return 1;
}

/* What a finished transfer came to; the union it is in would be read unchecked. */
static inline CURLcode ccurl_result(const CURLMsg *message) { return message->data.result; }

/* Swift cannot call variadic functions. */
static inline CURLcode ccurl_set_long(const ccurl_functions *curl, CURL *easy, CURLoption option, long value) {
  return curl->easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_pointer(const ccurl_functions *curl, CURL *easy, CURLoption option, const void *value) {
  return curl->easy_setopt(easy, option, value);
}
static inline CURLMcode ccurl_multi_set_long(const ccurl_functions *curl, CURLM *multi, CURLMoption option, long value) {
  return curl->multi_setopt(multi, option, value);
}
static inline CURLSHcode ccurl_share(const ccurl_functions *curl, CURLSH *share, curl_lock_data what) {
  return curl->share_setopt(share, CURLSHOPT_SHARE, what);
}
static inline CURLcode ccurl_set_write(const ccurl_functions *curl, CURL *easy, curl_write_callback function) {
  return curl->easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
}
static inline CURLcode ccurl_get_long(const ccurl_functions *curl, CURL *easy, CURLINFO info, long *value) {
  return curl->easy_getinfo(easy, info, value);
}
static inline CURLcode ccurl_get_offset(const ccurl_functions *curl, CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl->easy_getinfo(easy, info, value);
}
static inline CURLcode ccurl_get_string(const ccurl_functions *curl, CURL *easy, CURLINFO info, const char **value) {
  return curl->easy_getinfo(easy, info, value);
}

#endif
