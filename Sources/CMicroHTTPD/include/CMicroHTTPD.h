#pragma once
// libmicrohttpd, with its variadic functions wrapped: Swift cannot call those.
#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cmicrohttpd_settings {
  // A listening socket; the daemon closes it when it stops.
  int listener;
  unsigned int connection_limit;
  // Seconds without a byte after which a connection is closed.
  unsigned int idle_timeout;
  // Bytes for the request's line and headers, for each connection.
  size_t connection_memory;
};

struct cmicrohttpd_callbacks {
  void *context;
  MHD_AcceptPolicyCallback accept;
  MHD_NotifyConnectionCallback connection;
  MHD_AccessHandlerCallback request;
  MHD_RequestCompletedCallback completed;
  // Called with the request target as it came, once the request line is read. It lies in the
  // connection's own buffer.
  void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
};

// A daemon with one thread of its own (epoll), which leaves targets as they are: no unescaping.
// NULL when it cannot start.
struct MHD_Daemon *cmicrohttpd_start(const struct cmicrohttpd_settings *settings,
                                     const struct cmicrohttpd_callbacks *callbacks);

// Where a connection keeps the value that the connection callback gave it; NULL if there is none.
void *cmicrohttpd_connection_context(struct MHD_Connection *connection);

// Calls `each` with every field of the request's head.
void cmicrohttpd_each_field(struct MHD_Connection *connection, MHD_KeyValueIterator each,
                            void *context);

// Whether the request's head announces a body.
bool cmicrohttpd_has_body(struct MHD_Connection *connection);

// An answer that holds a copy of `count` bytes; NULL when there is no memory.
struct MHD_Response *cmicrohttpd_bytes(const void *bytes, size_t count);

// The connection's socket, or -1.
int cmicrohttpd_connection_socket(struct MHD_Connection *connection);

