/* Linear equations: LU decomposition with partial pivoting, rows as pointers, solved and checked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static double **new_matrix(int n) {
  double **m = malloc(n * sizeof *m);
  for (int i = 0; i < n; i++) m[i] = calloc(n, sizeof **m);
  return m;
}
static void free_matrix(double **m, int n) {
  for (int i = 0; i < n; i++) free(m[i]);
  free(m);
}
static int decompose(double **a, int *order, int n) {
  int swaps = 0;
  for (int i = 0; i < n; i++) order[i] = i;
  for (int k = 0; k < n; k++) {
    int pivot = k;
    double largest = fabs(a[k][k]);
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i][k]) > largest) {
        largest = fabs(a[i][k]);
        pivot = i;
      }
    if (largest == 0) return -1;
    if (pivot != k) {
      double *row = a[k];
      int o = order[k];
      a[k] = a[pivot];
      a[pivot] = row;
      order[k] = order[pivot];
      order[pivot] = o;
      swaps++;
    }
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; j++) a[i][j] -= a[i][k] * a[k][j];
    }
  }
  return swaps;
}
static void solve(double **a, const int *order, const double *b, double *x, int n) {
  for (int i = 0; i < n; i++) {
    double sum = b[order[i]];
    for (int j = 0; j < i; j++) sum -= a[i][j] * x[j];
    x[i] = sum;
  }
  for (int i = n - 1; i >= 0; i--) {
    double sum = x[i];
    for (int j = i + 1; j < n; j++) sum -= a[i][j] * x[j];
    x[i] = sum / a[i][i];
  }
}
static double residual(double **a, const double *x, const double *b, int n) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += a[i][j] * x[j];
    if (fabs(sum - b[i]) > worst) worst = fabs(sum - b[i]);
  }
  return worst;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  double **a = new_matrix(n), **lu = new_matrix(n);
  double *b = malloc(n * sizeof *b), *x = malloc(n * sizeof *x);
  int *order = malloc(n * sizeof *order);
  unsigned seed = 7;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      seed = seed * 1103515245 + 12345;
      a[i][j] = lu[i][j] = (seed >> 16 & 1023) / 64.0 - 8;
    }
    b[i] = i % 17 + 1;
  }
  int swaps = decompose(lu, order, n);
  for (int round = 0; round < 10; round++) {
    solve(lu, order, b, x, n);
    b[round % n] += 1;
  }
  b[9 % n] -= 1;
  printf("%d swaps, x = %.6f %.6f, %s\n", swaps, x[0], x[n - 1], residual(a, x, b, n) < 1e-6 ? "solved" : "wrong");
  free_matrix(a, n);
  free_matrix(lu, n);
  return 0;
}
