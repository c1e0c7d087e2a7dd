#!/bin/sh
# Lists Templates/ in theme.c, which embeds the files. Run it after adding or removing one:
#   sh Sources/CTheme/embed.sh
set -eu
cd "$(dirname "$0")/../.."
files=$(cd Templates && find . -type f ! -name '.*' ! -name '*~' | sed 's|^\./||' | LC_ALL=C sort)
{
  echo '// Written by embed.sh: the built-in theme. The compiler reads the files at every build.'
  echo '#include "CTheme.h"'
  echo
  echo '#pragma clang diagnostic ignored "-Wc23-extensions"'
  number=0
  for file in $files; do
    printf '\nstatic const unsigned char file_%d[] = {\n#embed "../../Templates/%s" suffix(, 0) if_empty(0)\n};\n' "$number" "$file"
    number=$((number + 1))
  done
  printf '\nstatic const ctheme_file files[] = {\n'
  number=0
  for file in $files; do
    printf '    {"%s", file_%d, sizeof file_%d - 1},\n' "$file" "$number" "$number"
    number=$((number + 1))
  done
  printf '};\n\nsize_t ctheme_count(void) { return sizeof files / sizeof *files; }\n'
  printf 'const ctheme_file *ctheme_file_at(size_t index) { return &files[index]; }\n'
} > Sources/CTheme/theme.c
