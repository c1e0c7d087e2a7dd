#include <stddef.h>
#include <xxhash.h>

#if defined(__x86_64__)
// The library's function that takes the widest instructions the processor has. Not every build of the
// library holds it; the hashes are the same.
__attribute__((weak)) XXH64_hash_t
XXH3_64bits_withSeed_dispatch(const void *input, size_t length, XXH64_hash_t seed);
#endif

// The XXH3 hash of some bytes, as fast as the library can make it. For short inputs, which no wide
// instruction makes faster, the way to them would take longer.
static inline XXH64_hash_t cxxhash_64(const void *input, size_t length, XXH64_hash_t seed) {
#if defined(__x86_64__)
  if (length > 240 && XXH3_64bits_withSeed_dispatch != NULL)
    return XXH3_64bits_withSeed_dispatch(input, length, seed);
#endif
  return XXH3_64bits_withSeed(input, length, seed);
}
