#include <malloc.h>
#include <stdlib.h>

// Has the calling thread's heap grow by so many bytes at once; they are not touched.
static inline void callocator_widen(size_t bytes) {
  void *volatile memory = malloc(bytes);
  free(memory);
}
