/* A compressor in the manner of LZ77: hash chains find matches; the result is decompressed and compared. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define WINDOW 32768
#define HASH_BITS 14
#define MIN_MATCH 4
#define MAX_MATCH 255
struct finder { int32_t head[1 << HASH_BITS]; int32_t prev[WINDOW]; };
static uint32_t hash4(const uint8_t *p) {
  uint32_t v;
  memcpy(&v, p, 4);
  return (v * 2654435761u) >> (32 - HASH_BITS);
}
static void insert(struct finder *f, const uint8_t *data, int32_t at) {
  uint32_t h = hash4(data + at);
  f->prev[at % WINDOW] = f->head[h];
  f->head[h] = at;
}
static int longest(const struct finder *f, const uint8_t *data, int32_t at, int32_t size, int *distance) {
  int best = 0, tries = 16;
  int limit = size - at < MAX_MATCH ? size - at : MAX_MATCH;
  int32_t from = f->head[hash4(data + at)];
  while (from >= 0 && at - from < WINDOW && tries-- > 0) {
    if (data[from + best] == data[at + best]) {
      int n = 0;
      while (n < limit && data[from + n] == data[at + n]) n++;
      if (n > best) {
        best = n;
        *distance = at - from;
        if (n == limit) break;
      }
    }
    from = f->prev[from % WINDOW];
  }
  return best;
}
/* A literal is 0 and a byte; a match is its length and two bytes of distance. */
static int32_t compress(const uint8_t *data, int32_t size, uint8_t *out) {
  struct finder *f = malloc(sizeof *f);
  int32_t at = 0, n = 0;
  for (int i = 0; i < 1 << HASH_BITS; i++) f->head[i] = -1;
  while (at < size) {
    int distance = 0, length = at + MIN_MATCH <= size ? longest(f, data, at, size, &distance) : 0;
    if (length < MIN_MATCH) {
      out[n++] = 0;
      out[n++] = data[at];
      length = 1;
    } else {
      out[n++] = length;
      out[n++] = distance & 255;
      out[n++] = distance >> 8;
    }
    while (length-- > 0) {
      if (at + MIN_MATCH <= size) insert(f, data, at);
      at++;
    }
  }
  free(f);
  return n;
}
static int32_t decompress(const uint8_t *in, int32_t size, uint8_t *out) {
  int32_t n = 0;
  for (int32_t i = 0; i < size;) {
    int length = in[i++];
    if (length == 0) {
      out[n++] = in[i++];
    } else {
      int distance = in[i] | in[i + 1] << 8;
      i += 2;
      for (int k = 0; k < length; k++, n++) out[n] = out[n - distance];
    }
  }
  return n;
}
static void generate(uint8_t *data, int32_t size) {
  uint32_t x = 2463534242u;
  for (int32_t i = 0; i < size;) {
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    int length = 3 + x % 12, back = 1 + (x >> 8) % 5000;
    if (x >> 30 && back <= i) {
      while (length-- > 0 && i < size) {
        data[i] = data[i - back];
        i++;
      }
    } else {
      data[i++] = 'a' + (x >> 4) % 20;
    }
  }
}
int main(int argc, char **argv) {
  int32_t size = argc > 1 ? atoi(argv[1]) : 10000;
  uint8_t *data = malloc(size), *packed = malloc(2 * size + 16), *back = malloc(size);
  uint32_t sum = 0;
  generate(data, size);
  int32_t n = compress(data, size, packed);
  int32_t m = decompress(packed, n, back);
  for (int32_t i = 0; i < n; i++) sum = (sum << 5 | sum >> 27) ^ packed[i];
  printf("%d -> %d, %08x, %s\n", size, n, sum, m == size && memcmp(data, back, size) == 0 ? "same" : "different");
  return 0;
}
