/* Dynamic programming: a knapsack, the longest common subsequence read back, and the order of a product of matrices. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { int weight, value; };
static unsigned seed = 42;
static unsigned next_random(void) {
  seed = seed * 1664525u + 1013904223u;
  return seed >> 10;
}
static int max(int a, int b) {
  return a > b ? a : b;
}
static int knapsack(const struct item *items, int n, int capacity) {
  int *best = calloc(capacity + 1, sizeof *best);
  for (int i = 0; i < n; i++)
    for (int w = capacity; w >= items[i].weight; w--)
      best[w] = max(best[w], best[w - items[i].weight] + items[i].value);
  int result = best[capacity];
  free(best);
  return result;
}
static int subsequence(const char *a, const char *b, char *out) {
  int n = strlen(a), m = strlen(b);
  int *table = calloc((size_t)(n + 1) * (m + 1), sizeof *table);
#define AT(i, j) table[(i) * (m + 1) + (j)]
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      if (a[i - 1] == b[j - 1])
        AT(i, j) = AT(i - 1, j - 1) + 1;
      else
        AT(i, j) = max(AT(i - 1, j), AT(i, j - 1));
    }
  int length = AT(n, m), k = length;
  out[k] = '\0';
  for (int i = n, j = m; k > 0;) {
    if (a[i - 1] == b[j - 1]) {
      out[--k] = a[i - 1];
      i--, j--;
    } else if (AT(i - 1, j) >= AT(i, j - 1)) {
      i--;
    } else {
      j--;
    }
  }
  free(table);
  return length;
}
static long product_order(const int *sizes, int n) {
  long **cost = malloc(n * sizeof *cost);
  for (int i = 0; i < n; i++) cost[i] = calloc(n, sizeof **cost);
  for (int length = 2; length <= n; length++)
    for (int i = 0; i + length <= n; i++) {
      int j = i + length - 1;
      cost[i][j] = LONG_MAX;
      for (int k = i; k < j; k++) {
        long c = cost[i][k] + cost[k + 1][j] + (long)sizes[i] * sizes[k + 1] * sizes[j + 1];
        if (c < cost[i][j]) cost[i][j] = c;
      }
    }
  long result = cost[0][n - 1];
  for (int i = 0; i < n; i++) free(cost[i]);
  free(cost);
  return result;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  struct item *items = malloc(n * sizeof *items);
  char *a = malloc(n + 1), *b = malloc(n + 1), *common = malloc(n + 1);
  int *sizes = malloc((n / 4 + 1) * sizeof *sizes);
  unsigned sum = 0;
  for (int i = 0; i < n; i++) {
    items[i].weight = 1 + next_random() % 100;
    items[i].value = 1 + next_random() % 500;
    a[i] = 'a' + next_random() % 8;
    b[i] = 'a' + next_random() % 8;
  }
  a[n] = b[n] = '\0';
  for (int i = 0; i <= n / 4; i++) sizes[i] = 1 + next_random() % 60;
  int best = knapsack(items, n, n * 20);
  int length = subsequence(a, b, common);
  for (int i = 0; i < length; i++) sum = sum * 31 + common[i];
  printf("%d, %d %08x, %ld\n", best, length, sum, product_order(sizes, n / 4));
  return 0;
}
