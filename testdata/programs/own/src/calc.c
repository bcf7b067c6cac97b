/* A calculator: a tokenizer, a recursive-descent parser that builds a tree, and an evaluator. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum kind { END, NUMBER, NAME, PLUS, MINUS, STAR, SLASH, PERCENT, OPEN, CLOSE, LESS, QUESTION, COLON, NEGATE };
struct node { enum kind kind; long value; struct node *a, *b, *c; };
struct lexer { const char *at; enum kind kind; long value; };
static struct node *pool;
static int used;
static long vars[26];
static void next(struct lexer *l) {
  while (isspace((unsigned char)*l->at)) l->at++;
  char c = *l->at;
  if (c >= '0' && c <= '9') {
    l->kind = NUMBER;
    l->value = 0;
    while (*l->at >= '0' && *l->at <= '9') l->value = l->value * 10 + (*l->at++ - '0');
    return;
  }
  if (c >= 'a' && c <= 'z') {
    l->kind = NAME;
    l->value = c - 'a';
    l->at++;
    return;
  }
  switch (c) {
  case 0: l->kind = END; return;
  case '+': l->kind = PLUS; break;
  case '-': l->kind = MINUS; break;
  case '*': l->kind = STAR; break;
  case '/': l->kind = SLASH; break;
  case '%': l->kind = PERCENT; break;
  case '(': l->kind = OPEN; break;
  case ')': l->kind = CLOSE; break;
  case '<': l->kind = LESS; break;
  case '?': l->kind = QUESTION; break;
  case ':': l->kind = COLON; break;
  default: fprintf(stderr, "unexpected character %c\n", c); exit(1);
  }
  l->at++;
}
static struct node *node(enum kind kind, struct node *a, struct node *b) {
  struct node *n = &pool[used++];
  n->kind = kind;
  n->value = 0;
  n->a = a;
  n->b = b;
  n->c = NULL;
  return n;
}
static struct node *expression(struct lexer *l);
static void expect(struct lexer *l, enum kind kind) {
  if (l->kind != kind) {
    fprintf(stderr, "expected %d, found %d at %s\n", kind, l->kind, l->at);
    exit(1);
  }
  next(l);
}
static struct node *primary(struct lexer *l) {
  struct node *n;
  switch (l->kind) {
  case NUMBER:
  case NAME:
    n = node(l->kind, NULL, NULL);
    n->value = l->value;
    next(l);
    return n;
  case MINUS:
    next(l);
    return node(NEGATE, primary(l), NULL);
  default:
    expect(l, OPEN);
    n = expression(l);
    expect(l, CLOSE);
    return n;
  }
}
static int precedence(enum kind kind) {
  switch (kind) {
  case LESS: return 1;
  case PLUS: case MINUS: return 2;
  case STAR: case SLASH: case PERCENT: return 3;
  default: return 0;
  }
}
static struct node *binary(struct lexer *l, int least) {
  struct node *left = primary(l);
  while (precedence(l->kind) >= least) {
    enum kind op = l->kind;
    next(l);
    left = node(op, left, binary(l, precedence(op) + 1));
  }
  return left;
}
static struct node *expression(struct lexer *l) {
  struct node *n = binary(l, 1);
  if (l->kind == QUESTION) {
    next(l);
    n = node(QUESTION, n, expression(l));
    expect(l, COLON);
    n->c = expression(l);
  }
  return n;
}
static long eval(const struct node *n) {
  long a, b;
  if (n->kind == NUMBER) return n->value;
  if (n->kind == NAME) return vars[n->value];
  if (n->kind == QUESTION) return eval(n->a) ? eval(n->b) : eval(n->c);
  a = eval(n->a);
  if (n->kind == NEGATE) return -a;
  b = eval(n->b);
  switch (n->kind) {
  case PLUS: return (a + b) & 0xffffffff;
  case MINUS: return a - b;
  case STAR: return (a * b) & 0xfffff;
  case SLASH: return b ? a / b : 0;
  case PERCENT: return b ? a % b : 0;
  case LESS: return a < b;
  default: return 0;
  }
}
int main(int argc, char **argv) {
  static const char *texts[] = {
    "a + b * (c - 17) % 1000 + -(d * d) / (e + 1)",
    "(a < b ? a * 3 : b - 2 * a) + (c < 500 ? c : c / 3) * 7",
    "((a + 1) * (b + 2) + (c + 3) * (d + 4)) % 65536 - x * 12345 / (y + 3)",
    "z < 100 ? (z < 50 ? a : b) : ((c)) + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8",
    "k * 31 + (l * 17 + (m * 13 + (n * 11 + (o * 7 + (p * 5 + q % 3)))))",
  };
  int n = argc > 1 ? atoi(argv[1]) : 100;
  unsigned long sum = 0;
  pool = malloc(1000 * sizeof *pool);
  for (int i = 0; i < n; i++) {
    struct lexer l = {texts[i % 5], END, 0};
    used = 0;
    next(&l);
    struct node *tree = expression(&l);
    expect(&l, END);
    for (int j = 0; j < 4; j++) {
      long value = eval(tree);
      vars[(i * 7 + j) % 26] = value & 1023;
      sum = sum * 31 + (unsigned long)value;
    }
  }
  printf("%d nodes, %lx\n", used, sum);
  return 0;
}
