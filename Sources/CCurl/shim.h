#pragma once

#include <curl/curl.h>
/* What a loop waits for libcurl's sockets with; Swift's Glibc leaves these headers out. */
#include <sys/epoll.h>
#include <sys/eventfd.h>

/* Swift cannot call variadic functions. These pass one typed value on and decide nothing. */

static inline CURLcode curl_shim_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_shim_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_shim_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_shim_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

/* libcurl keeps a copy. */
static inline CURLcode curl_shim_set_bytes(
    CURL *easy, CURLoption option, void *bytes, size_t count) {
    struct curl_blob blob = {bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}

static inline CURLcode curl_shim_set_list(
    CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_shim_set_writer(
    CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_shim_set_opener(CURL *easy, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode curl_shim_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode curl_shim_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode curl_shim_multi_set_watcher(
    CURLM *multi, curl_socket_callback value, void *context) {
    CURLMcode result = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    return result ? result : curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}

static inline CURLMcode curl_shim_multi_set_timer(
    CURLM *multi, curl_multi_timer_callback value, void *context) {
    CURLMcode result = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    return result ? result : curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
}

/* CURLOPT_PROTOCOLS is deprecated since 7.85, its successor absent before. */
static inline CURLcode curl_shim_allow_http_only(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/* Without it a name lookup that hangs outlasts the time-out; absent before 7.87. */
static inline CURLcode curl_shim_leave_lookups(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    return easy ? CURLE_OK : CURLE_BAD_FUNCTION_ARGUMENT;
#endif
}

/* Absent before 7.87, when nothing was kept. */
static inline CURLcode curl_shim_keep_authorities(CURL *easy, long seconds) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(easy, CURLOPT_CA_CACHE_TIMEOUT, seconds);
#else
    return easy && seconds >= 0 ? CURLE_OK : CURLE_BAD_FUNCTION_ARGUMENT;
#endif
}

/* Whether libcurl was built to trust the authorities in one file; not known before 7.70. */
static inline _Bool curl_shim_has_authority_file(void) {
    const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
    return info->age >= CURLVERSION_SEVENTH && info->cainfo;
}
