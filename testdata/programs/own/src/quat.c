/* Small matrices and quaternions: rotations composed both ways, points transformed, determinants, inverses. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
struct quat { double w, x, y, z; };
struct vec { double x, y, z; };
typedef double matrix[4][4];
static struct quat multiply(struct quat a, struct quat b) {
  struct quat r;
  r.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
  r.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
  r.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
  r.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
  return r;
}
static struct quat normalize(struct quat q) {
  double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  q.w /= length;
  q.x /= length;
  q.y /= length;
  q.z /= length;
  return q;
}
static void to_matrix(const struct quat *q, matrix m) {
  double x = q->x, y = q->y, z = q->z, w = q->w;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) m[i][j] = i == j;
  m[0][0] = 1 - 2 * (y * y + z * z);
  m[0][1] = 2 * (x * y - w * z);
  m[0][2] = 2 * (x * z + w * y);
  m[1][0] = 2 * (x * y + w * z);
  m[1][1] = 1 - 2 * (x * x + z * z);
  m[1][2] = 2 * (y * z - w * x);
  m[2][0] = 2 * (x * z - w * y);
  m[2][1] = 2 * (y * z + w * x);
  m[2][2] = 1 - 2 * (x * x + y * y);
}
static void product(matrix a, matrix b, matrix r) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      double sum = 0;
      for (int k = 0; k < 4; k++) sum += a[i][k] * b[k][j];
      r[i][j] = sum;
    }
}
static void copy(matrix from, matrix to) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) to[i][j] = from[i][j];
}
static struct vec transform(matrix m, struct vec v) {
  struct vec r;
  r.x = m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z + m[0][3];
  r.y = m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z + m[1][3];
  r.z = m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z + m[2][3];
  return r;
}
/* Gauss-Jordan elimination; gives the determinant. */
static double invert(matrix m, matrix r) {
  matrix a;
  double determinant = 1;
  copy(m, a);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) r[i][j] = i == j ? 1 : 0;
  for (int c = 0; c < 4; c++) {
    int pivot = c;
    for (int i = c + 1; i < 4; i++)
      if (fabs(a[i][c]) > fabs(a[pivot][c])) pivot = i;
    if (pivot != c) {
      for (int j = 0; j < 4; j++) {
        double t = a[c][j];
        a[c][j] = a[pivot][j];
        a[pivot][j] = t;
        t = r[c][j];
        r[c][j] = r[pivot][j];
        r[pivot][j] = t;
      }
      determinant = -determinant;
    }
    double p = a[c][c];
    determinant *= p;
    for (int j = 0; j < 4; j++) {
      a[c][j] /= p;
      r[c][j] /= p;
    }
    for (int i = 0; i < 4; i++) {
      if (i == c) continue;
      double factor = a[i][c];
      for (int j = 0; j < 4; j++) {
        a[i][j] -= factor * a[c][j];
        r[i][j] -= factor * r[c][j];
      }
    }
  }
  return determinant;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  struct quat q = {1, 0, 0, 0}, step = {0.99, 0.05, 0.1, -0.02};
  struct vec v = {1, 2, 3};
  matrix total, m, t, inverse;
  double sum = 0;
  step = normalize(step);
  to_matrix(&q, total);
  for (int i = 0; i < n; i++) {
    q = normalize(multiply(q, step));
    to_matrix(&q, m);
    m[0][3] = 0.001 * (i % 10);
    m[3][1] = 0.25;
    product(m, total, t);
    copy(t, total);
    v = transform(m, v);
    double d = invert(m, inverse);
    sum += d + inverse[1][2] + v.x;
    if (i % 64 == 0) {
      to_matrix(&step, total);
      v.x = i % 100;
    }
  }
  printf("%.9f %.9f %.9f %.9f\n", q.w, v.y, total[1][2], sum);
  return 0;
}
