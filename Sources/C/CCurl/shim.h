// libcurl, and what of it Swift cannot call by itself: functions with variable arguments.

#ifndef LAMPLIGHTER_CCURL_SHIM_H
#define LAMPLIGHTER_CCURL_SHIM_H

#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static const long lamplighterCurlBasic = CURLAUTH_BASIC;
static const long lamplighterCurlDigest = CURLAUTH_DIGEST;
static const long lamplighterCurlNTLM = CURLAUTH_NTLM;

typedef size_t (*LamplighterCurlData)(char *data, size_t size, size_t count, void *context);
typedef curl_socket_t (*LamplighterCurlOpenSocket)(
    void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*LamplighterCurlConnected)(
    void *context, char *peer, char *local, int peer_port, int local_port);

static inline CURLcode lamplighterCurlSetNumber(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode lamplighterCurlSetSize(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode lamplighterCurlSetText(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode lamplighterCurlSetPointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode lamplighterCurlSetData(CURL *handle, CURLoption option, LamplighterCurlData value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode lamplighterCurlSetConnected(CURL *handle, LamplighterCurlConnected value) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode lamplighterCurlSetOpenSocket(CURL *handle, LamplighterCurlOpenSocket value) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

// The bytes are copied.
static inline CURLcode lamplighterCurlSetBytes(CURL *handle, CURLoption option, void *bytes, size_t count) {
    struct curl_blob blob = {bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(handle, option, &blob);
}

static inline CURLMcode lamplighterCurlSetMultiNumber(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline long lamplighterCurlNumber(CURL *handle, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

// Sets the functions that libcurl calls for the sockets and the time for which the transfers of a multi handle wait.
static inline void lamplighterCurlSetCallbacks(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

// A transfer that has ended, and its result; NULL when there is none.
static inline CURL *lamplighterCurlEnded(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

// Makes a place for an easy handle's kept connections; NULL when libcurl is out of memory.
static inline CURLSH *lamplighterCurlMakeConnections(void) {
    CURLSH *connections = curl_share_init();
    if (connections == NULL || curl_share_setopt(connections, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT) == CURLSHE_OK) return connections;
    curl_share_cleanup(connections);
    return NULL;
}

#endif
