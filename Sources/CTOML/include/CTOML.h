// TOML to JSON text over toml++ (header-only C++), whose exceptions are switched off.
#pragma once
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ctoml_result ctoml_result;

/// Parses UTF-8 text. Never returns NULL unless memory is short; free with ctoml_free.
ctoml_result *ctoml_parse(const char *text, size_t length);
void ctoml_free(ctoml_result *result);

/// The whole document as JSON text, dates as strings; NULL after an error.
const char *ctoml_json(const ctoml_result *result, size_t *length);

/// The reason of an error, else NULL; line and column count from 1.
const char *ctoml_error(const ctoml_result *result, uint32_t *line, uint32_t *column);

/// Top-level keys, in order of their lines.
size_t ctoml_key_count(const ctoml_result *result);
const char *ctoml_key(const ctoml_result *result, size_t index, size_t *length, uint32_t *line);

#ifdef __cplusplus
}
#endif
