// The files of Templates/, embedded in the binary (C23 #embed).
#pragma once
#include <stddef.h>

typedef struct {
  const char *path;  // below Templates/: "feed.mustache", "strings/en.yml"
  const unsigned char *bytes;
  size_t length;
} ctheme_file;

size_t ctheme_count(void);
const ctheme_file *ctheme_file_at(size_t index);
