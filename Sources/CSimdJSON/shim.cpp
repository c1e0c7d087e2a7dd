#include "CSimdJSON.h"

#include <algorithm>
#include <new>
#include <simdjson.h>

struct csimdjson_parser {
  simdjson::dom::parser parser;
  simdjson::dom::document document;
};

static_assert(simdjson::SIMDJSON_PADDING <= csimdjson_padding, "the caller's padding is too small");

extern "C" csimdjson_parser *csimdjson_create(void) {
  try {
    return new (std::nothrow) csimdjson_parser;
  } catch (...) {
    return nullptr;
  }
}

extern "C" void csimdjson_destroy(csimdjson_parser *parser) { delete parser; }

static int result_of(simdjson::error_code error) {
  switch (error) {
  case simdjson::SUCCESS: return csimdjson_ok;
  case simdjson::DEPTH_ERROR: return csimdjson_too_deep;
  case simdjson::CAPACITY: return csimdjson_too_large;
  case simdjson::MEMALLOC: return csimdjson_out_of_memory;
  default: return csimdjson_invalid;
  }
}

// Grows by doubling: simdjson alone would allocate anew for each slightly longer document.
static simdjson::error_code grow(csimdjson_parser &self, size_t count, size_t maximum_depth) {
  if (count > simdjson::SIMDJSON_MAXSIZE_BYTES) return simdjson::CAPACITY;
  size_t wanted = std::max(count, std::min(self.parser.capacity() * 2, size_t(64) << 20));
  wanted = std::max(wanted, size_t(4096));
  auto error = self.document.allocate(wanted);
  if (error) return error;
  return self.parser.allocate(wanted, maximum_depth);
}

extern "C" int csimdjson_parse(csimdjson_parser *self, const uint8_t *json, size_t count,
                               size_t maximum_depth) {
  try {
    if (self->parser.capacity() < count || self->document.capacity() < count ||
        self->parser.max_depth() != maximum_depth) {
      auto error = grow(*self, count, maximum_depth);
      if (error) return result_of(error);
    }
    return result_of(self->parser.parse_into_document(self->document, json, count, false).error());
  } catch (...) {
    return csimdjson_out_of_memory;
  }
}

extern "C" const uint64_t *csimdjson_tape(const csimdjson_parser *parser) {
  return parser->document.tape.get();
}

extern "C" const uint8_t *csimdjson_strings(const csimdjson_parser *parser) {
  return parser->document.string_buf.get();
}

extern "C" int csimdjson_is_utf8(const uint8_t *bytes, size_t count) {
  return simdjson::validate_utf8(reinterpret_cast<const char *>(bytes), count);
}
