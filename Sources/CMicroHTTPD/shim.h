#pragma once

#include <microhttpd.h>

/* Swift cannot call variadic functions. This passes typed values on and decides nothing. */

/* With a key, certificate and priorities (texts that end in NUL) the port speaks TLS; they are
   read before this returns. */
static inline struct MHD_Daemon *mhd_shim_start(
    unsigned int flags, MHD_socket listening, unsigned int threads, unsigned int connections_max,
    size_t connection_memory, unsigned int idle_seconds,
    const char *key, const char *certificate, const char *priorities,
    MHD_AcceptPolicyCallback accept, MHD_AccessHandlerCallback access,
    void *(*uri_log)(void *, const char *, struct MHD_Connection *),
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connected,
    void *context) {
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)priorities},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        flags, 0, accept, context, access, context,
        MHD_OPTION_LISTEN_SOCKET, listening,
        MHD_OPTION_THREAD_POOL_SIZE, threads,
        MHD_OPTION_CONNECTION_LIMIT, connections_max,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_URI_LOG_CALLBACK, uri_log, context,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_NOTIFY_CONNECTION, connected, context,
        MHD_OPTION_ARRAY, key == NULL ? none : tls,
        MHD_OPTION_END);
}

static inline MHD_socket mhd_shim_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? MHD_INVALID_SOCKET : info->connect_fd;
}

/* What the callback of MHD_OPTION_NOTIFY_CONNECTION kept for this connection. */
static inline void *mhd_shim_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/* The bytes from the method to the empty line's end; 0 when they are not known. */
static inline size_t mhd_shim_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}
