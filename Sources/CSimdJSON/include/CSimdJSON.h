#pragma once
// A few C functions over simdjson's DOM parser. Swift walks the tape itself; its format is
// documented in simdjson's doc/tape.md. No exception leaves these functions.
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct csimdjson_parser csimdjson_parser;

enum csimdjson_result {
  csimdjson_ok = 0,
  csimdjson_invalid = 1,
  csimdjson_too_deep = 2,
  csimdjson_too_large = 3,
  csimdjson_out_of_memory = 4,
};

// Bytes that must be readable after the JSON given to csimdjson_parse, whatever they hold.
enum { csimdjson_padding = 64 };

// A parser without memory for any document yet, or NULL when there is no memory.
csimdjson_parser *csimdjson_create(void);
void csimdjson_destroy(csimdjson_parser *parser);

// Parses `count` bytes. The parser and its tape grow to the largest document and stay so.
// `maximum_depth` bounds nesting; simdjson does not count an empty innermost container.
int csimdjson_parse(csimdjson_parser *parser, const uint8_t *json, size_t count,
                    size_t maximum_depth);

// Valid until the next parse that grows, and meaningful only after csimdjson_ok.
const uint64_t *csimdjson_tape(const csimdjson_parser *parser);
const uint8_t *csimdjson_strings(const csimdjson_parser *parser);

// Whether `count` bytes are well-formed UTF-8: 1 or 0.
int csimdjson_is_utf8(const uint8_t *bytes, size_t count);

#ifdef __cplusplus
}
#endif
