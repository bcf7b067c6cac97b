/* Base64 there and back, CRC-32 by table, Adler-32, and hexadecimal digits. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static uint32_t table[256];
static void make_table(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    table[i] = c;
  }
}
static uint32_t crc32(uint32_t crc, const unsigned char *p, size_t n) {
  crc = ~crc;
  while (n--) crc = table[(crc ^ *p++) & 255] ^ crc >> 8;
  return ~crc;
}
static uint32_t adler32(const unsigned char *p, size_t n) {
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < n; i++) {
    a = (a + p[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}
static size_t encode(const unsigned char *in, size_t n, char *out) {
  size_t i, k = 0;
  for (i = 0; i + 2 < n; i += 3) {
    uint32_t v = (uint32_t)in[i] << 16 | in[i + 1] << 8 | in[i + 2];
    out[k++] = alphabet[v >> 18];
    out[k++] = alphabet[v >> 12 & 63];
    out[k++] = alphabet[v >> 6 & 63];
    out[k++] = alphabet[v & 63];
  }
  if (i < n) {
    uint32_t v = in[i] << 16 | (i + 1 < n ? in[i + 1] << 8 : 0);
    out[k++] = alphabet[v >> 18];
    out[k++] = alphabet[v >> 12 & 63];
    out[k++] = i + 1 < n ? alphabet[v >> 6 & 63] : '=';
    out[k++] = '=';
  }
  out[k] = '\0';
  return k;
}
static int digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}
static long decode(const char *in, unsigned char *out) {
  uint32_t v = 0;
  int bits = 0;
  long k = 0;
  for (; *in && *in != '='; in++) {
    int d = digit(*in);
    if (d < 0) return -1;
    v = v << 6 | d;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out[k++] = v >> bits & 255;
    }
  }
  return k;
}
static void hex(const unsigned char *in, size_t n, char *out) {
  for (size_t i = 0; i < n; i++) {
    *out++ = "0123456789abcdef"[in[i] >> 4];
    *out++ = "0123456789abcdef"[in[i] & 15];
  }
  *out = '\0';
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10;
  size_t size = 10000;
  unsigned char *data = calloc(size, 1), *back = malloc(size + 3);
  char *text = malloc(size * 2 + 1);
  uint32_t crc = 0, x = 1;
  make_table();
  for (int i = 0; i < n; i++) {
    size_t length = size - i % 3;
    for (size_t j = i % 7; j < length; j += 7) {
      x = x * 1664525 + 1013904223;
      data[j] = x >> 24;
    }
    size_t k = encode(data, length, text);
    crc = crc32(crc, (unsigned char *)text, k);
    if (decode(text, back) != (long)length || memcmp(data, back, length)) {
      printf("round %d differs\n", i);
      return 1;
    }
    hex(data, length, text);
    crc ^= adler32((unsigned char *)text, length * 2);
  }
  printf("%08x\n", crc);
  return 0;
}
