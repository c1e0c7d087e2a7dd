#define TOML_EXCEPTIONS 0
// The library asserts what it then handles as an error of the text: `[[~` would end the process. NDEBUG would
// have the compiler take the asserted for granted instead, so it must not be defined here.
#undef NDEBUG
#define TOML_ASSERT(condition) static_assert(true)
#include "CTOML.h"

#include <toml++/toml.h>

#include <algorithm>
#include <new>
#include <sstream>
#include <string>
#include <vector>

struct ctoml_result {
  std::string json;
  std::string error;
  uint32_t line = 0;
  uint32_t column = 0;
  std::vector<std::pair<uint32_t, std::string>> keys;
};

extern "C" {

ctoml_result *ctoml_parse(const char *text, size_t length) {
  auto *result = new (std::nothrow) ctoml_result;
  if (!result) return nullptr;
  toml::parse_result parsed = toml::parse(std::string_view(text, length));
  if (!parsed) {
    const toml::parse_error &error = parsed.error();
    result->error = std::string(error.description());
    result->line = error.source().begin.line;
    result->column = error.source().begin.column;
    return result;
  }
  const toml::table &table = parsed.table();
  for (auto &&[key, node] : table) {
    result->keys.emplace_back(key.source().begin.line, std::string(key.str()));
  }
  std::sort(result->keys.begin(), result->keys.end());
  std::ostringstream out;
  out << toml::json_formatter(table);
  result->json = out.str();
  return result;
}

void ctoml_free(ctoml_result *result) { delete result; }

const char *ctoml_json(const ctoml_result *result, size_t *length) {
  if (!result->error.empty()) return nullptr;
  *length = result->json.size();
  return result->json.data();
}

const char *ctoml_error(const ctoml_result *result, uint32_t *line, uint32_t *column) {
  if (result->error.empty()) return nullptr;
  *line = result->line;
  *column = result->column;
  return result->error.c_str();
}

size_t ctoml_key_count(const ctoml_result *result) { return result->keys.size(); }

const char *ctoml_key(const ctoml_result *result, size_t index, size_t *length, uint32_t *line) {
  *length = result->keys[index].second.size();
  *line = result->keys[index].first;
  return result->keys[index].second.data();
}

}  // extern "C"
