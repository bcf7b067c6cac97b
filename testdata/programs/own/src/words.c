/* Word frequencies: lower-casing, splitting, a chained hash table of strings, sorting, and search and replace. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define BUCKETS 4096
struct entry { struct entry *next; int count; size_t length; char word[]; };
static struct entry *table[BUCKETS];
static int distinct;
static unsigned hash(const char *s, size_t n) {
  unsigned h = 5381;
  for (size_t i = 0; i < n; i++) h = h * 33 + (unsigned char)s[i];
  return h ^ h >> 15;
}
static void count(const char *word, size_t length) {
  struct entry **list = &table[hash(word, length) % BUCKETS], *e;
  for (e = *list; e; e = e->next)
    if (e->length == length && memcmp(e->word, word, length) == 0) {
      e->count++;
      return;
    }
  e = malloc(sizeof *e + length + 1);
  memcpy(e->word, word, length);
  e->word[length] = '\0';
  e->length = length;
  e->count = 1;
  e->next = *list;
  *list = e;
  distinct++;
}
static int is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static void lower(char *s) {
  for (; *s; s++)
    if (*s >= 'A' && *s <= 'Z') *s += 'a' - 'A';
}
static void split(const char *text) {
  while (*text) {
    while (*text && !is_letter(*text)) text++;
    const char *start = text;
    while (is_letter(*text)) text++;
    if (text > start) count(start, text - start);
  }
}
/* Replaces every occurrence of a word; the result is the caller's. */
static char *replace(const char *text, const char *from, const char *to) {
  size_t room = strlen(text) * 2 + 1, n = 0;
  size_t nfrom = strlen(from), nto = strlen(to);
  char *out = malloc(room);
  while (*text) {
    size_t i = 0;
    while (i < nfrom && text[i] == from[i]) i++;
    if (i == nfrom && n + nto + 1 < room) {
      memcpy(out + n, to, nto);
      n += nto;
      text += nfrom;
    } else {
      out[n++] = *text++;
    }
  }
  out[n] = '\0';
  return out;
}
static int by_count(const void *x, const void *y) {
  const struct entry *a = *(struct entry *const *)x, *b = *(struct entry *const *)y;
  if (a->count != b->count) return a->count < b->count ? 1 : -1;
  return strcmp(a->word, b->word);
}
static unsigned seed = 12345;
static int random_below(int n) {
  seed = seed * 1103515245 + 12345;
  return (seed >> 16) % n;
}
static char *generate(int words) {
  static const char *syllables[] = {"ka", "to", "mi", "ren", "su", "lo", "da", "ne", "shi", "ba", "or", "e"};
  char *text = malloc(words * 16 + 1), *p = text;
  for (int i = 0; i < words; i++) {
    int parts = 1 + random_below(2) + random_below(3);
    char *start = p;
    while (parts-- > 0) {
      const char *s = syllables[random_below(12) * random_below(12) / 11];
      while (*s) *p++ = *s++;
    }
    if (random_below(8) == 0) *start -= 'a' - 'A';
    if (random_below(10) == 0) *p++ = ',';
    *p++ = random_below(12) ? ' ' : '\n';
  }
  *p = '\0';
  return text;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10;
  char *text = generate(2000);
  size_t length = 0;
  for (int i = 0; i < n; i++) {
    char *copy = replace(text, i % 2 ? "kato" : "ren", i % 3 ? "nd" : "shimi");
    lower(copy);
    split(copy);
    length += strlen(copy);
    free(copy);
  }
  struct entry **all = malloc(distinct * sizeof *all);
  int k = 0;
  for (int i = 0; i < BUCKETS; i++)
    for (struct entry *e = table[i]; e; e = e->next) all[k++] = e;
  qsort(all, k, sizeof *all, by_count);
  printf("%zu characters, %d words\n", length, distinct);
  for (int i = 0; i < 5 && i < k; i++) printf("%d %s\n", all[i]->count, all[i]->word);
  return 0;
}
