#include "CMicroHTTPD.h"

#include <stdarg.h>
#include <string.h>

// `%2F`, `%00` and the like reach the handler as they were sent.
static size_t leave_escaped(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

static void discard(void *context, const char *format, va_list arguments) {
  (void)context;
  (void)format;
  (void)arguments;
}

struct MHD_Daemon *cmicrohttpd_start(const struct cmicrohttpd_settings *settings,
                                     const struct cmicrohttpd_callbacks *callbacks) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0,
      callbacks->accept, callbacks->context, callbacks->request, callbacks->context,
      // First, so that it hears of the other options too.
      MHD_OPTION_EXTERNAL_LOGGER, discard, NULL,
      MHD_OPTION_LISTEN_SOCKET, settings->listener,
      MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_timeout,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connection_memory,
      MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context,
      MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,
      MHD_OPTION_URI_LOG_CALLBACK, callbacks->target, callbacks->context,
      MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL,
      // Strict parsing closes without an answer where the target holds a blank.
      MHD_OPTION_STRICT_FOR_CLIENT, 0,
      MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
      MHD_OPTION_END);
}

void *cmicrohttpd_connection_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

bool cmicrohttpd_has_body(struct MHD_Connection *connection) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH) ||
         MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_TRANSFER_ENCODING);
}

void cmicrohttpd_each_field(struct MHD_Connection *connection, MHD_KeyValueIterator each,
                            void *context) {
  MHD_get_connection_values(connection, MHD_HEADER_KIND, each, context);
}

struct MHD_Response *cmicrohttpd_bytes(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

int cmicrohttpd_connection_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

