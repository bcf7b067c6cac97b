/* Regular expressions by backtracking: literals, '.', classes, '*', '+', '?', groups, alternatives, '^' and '$'. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum op { CHAR, ANY, CLASS, SPLIT, JUMP, START, FINISH, MATCH };
struct inst { enum op op; int x, y; unsigned char set[32]; };
struct program { struct inst code[128]; int size; };
static const char *pattern;
static int emit(struct program *p, enum op op, int x, int y) {
  struct inst *i = &p->code[p->size];
  i->op = op;
  i->x = x;
  i->y = y;
  return p->size++;
}
static void open_gap(struct program *p, int at) {
  memmove(&p->code[at + 1], &p->code[at], (p->size - at) * sizeof p->code[0]);
  p->size++;
  for (int i = at + 1; i < p->size; i++)
    if (p->code[i].op == SPLIT || p->code[i].op == JUMP) {
      if (p->code[i].x >= at) p->code[i].x++;
      if (p->code[i].op == SPLIT && p->code[i].y >= at) p->code[i].y++;
    }
}
static void alternatives(struct program *p);
static void class(struct program *p) {
  unsigned char *set = p->code[emit(p, CLASS, 0, 0)].set;
  int negated = *pattern == '^';
  memset(set, 0, 32);
  if (negated) pattern++;
  while (*pattern && *pattern != ']') {
    int low = (unsigned char)*pattern++, high = low;
    if (*pattern == '-' && pattern[1] != ']') {
      high = (unsigned char)pattern[1];
      pattern += 2;
    }
    for (int c = low; c <= high; c++) set[c / 8] |= 1 << c % 8;
  }
  if (*pattern) pattern++;
  if (negated)
    for (int i = 0; i < 32; i++) set[i] = ~set[i];
}
static void atom(struct program *p) {
  char c = *pattern++;
  switch (c) {
  case '.': emit(p, ANY, 0, 0); break;
  case '^': emit(p, START, 0, 0); break;
  case '$': emit(p, FINISH, 0, 0); break;
  case '[': class(p); break;
  case '(':
    alternatives(p);
    if (*pattern == ')') pattern++;
    break;
  case '\\': c = *pattern++; /* fall through */
  default: emit(p, CHAR, c, 0);
  }
}
static void sequence(struct program *p) {
  while (*pattern && *pattern != '|' && *pattern != ')') {
    int start = p->size;
    atom(p);
    if (*pattern == '*' || *pattern == '+' || *pattern == '?') {
      char c = *pattern++;
      if (c == '+') {
        emit(p, SPLIT, start, p->size + 1);
        continue;
      }
      open_gap(p, start);
      if (c == '*') emit(p, JUMP, start, 0);
      p->code[start].op = SPLIT;
      p->code[start].x = start + 1;
      p->code[start].y = p->size;
    }
  }
}
static void alternatives(struct program *p) {
  int start = p->size;
  sequence(p);
  if (*pattern == '|') {
    pattern++;
    open_gap(p, start);
    int jump = emit(p, JUMP, 0, 0);
    p->code[start].op = SPLIT;
    p->code[start].x = start + 1;
    p->code[start].y = p->size;
    alternatives(p);
    p->code[jump].x = p->size;
  }
}
static const char *run(const struct inst *code, int pc, const char *text, const char *s) {
  for (;;) {
    const struct inst *i = &code[pc];
    unsigned char c = *s;
    switch (i->op) {
    case CHAR:
      if (c != i->x) return NULL;
      s++, pc++;
      break;
    case ANY:
      if (!c) return NULL;
      s++, pc++;
      break;
    case CLASS:
      if (!c || !(i->set[c / 8] >> c % 8 & 1)) return NULL;
      s++, pc++;
      break;
    case SPLIT: {
      const char *end = run(code, i->x, text, s);
      if (end) return end;
      pc = i->y;
      break;
    }
    case JUMP: pc = i->x; break;
    case START:
      if (s != text) return NULL;
      pc++;
      break;
    case FINISH:
      if (c) return NULL;
      pc++;
      break;
    case MATCH: return s;
    }
  }
}
int main(int argc, char **argv) {
  static const char *patterns[] = {"[a-z]+@[a-z]+\\.(com|org|net)", "(ab|ba)*c", "^x.*y$", "[^ ]*ing ", "q[uv]?[0-9]+", "a.b.?c+d"};
  static struct program programs[6];
  int n = argc > 1 ? atoi(argv[1]) : 10, matches = 0;
  unsigned x = 17;
  long total = 0;
  char text[121];
  for (int i = 0; i < 6; i++) {
    pattern = patterns[i];
    alternatives(&programs[i]);
    emit(&programs[i], MATCH, 0, 0);
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 120; k++) {
      x = x * 1103515245 + 12345;
      text[k] = "aabbabcdeinguvxyqtom@.comorgnet 0123 "[(x >> 16) % 37];
    }
    text[120] = '\0';
    for (int k = 0; k < 6; k++)
      for (const char *s = text; *s; s++) {
        const char *end = run(programs[k].code, 0, text, s);
        if (end) {
          matches++;
          total += end - s;
        }
      }
  }
  printf("%d matches, %ld characters\n", matches, total);
  return 0;
}
