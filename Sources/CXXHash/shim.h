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
  if (length > 240 && XXH3_64bits_withSeed_dispatch != NULL) {
    const XXH64_hash_t hash = XXH3_64bits_withSeed_dispatch(input, length, seed);
    // It leaves the wide halves of registers in use, and every narrow instruction after it would have
    // to keep them.
    if (__builtin_cpu_supports("avx")) __asm__ volatile("vzeroupper");
    return hash;
  }
#endif
  return XXH3_64bits_withSeed(input, length, seed);
}
