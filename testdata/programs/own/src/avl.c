/* A balanced search tree (AVL): insertion, deletion, ranges, and a check of its order and balance. */
#include <stdio.h>
#include <stdlib.h>
struct node { struct node *left, *right; unsigned key; int height; long value; };
static struct node *spare;
static int height(const struct node *n) {
  return n ? n->height : 0;
}
static void update(struct node *n) {
  int l = height(n->left), r = height(n->right);
  n->height = (l > r ? l : r) + 1;
}
static struct node *rotate_right(struct node *n) {
  struct node *l = n->left;
  n->left = l->right;
  l->right = n;
  update(n);
  update(l);
  return l;
}
static struct node *rotate_left(struct node *n) {
  struct node *r = n->right;
  n->right = r->left;
  r->left = n;
  update(n);
  update(r);
  return r;
}
static struct node *balance(struct node *n) {
  update(n);
  int difference = height(n->left) - height(n->right);
  if (difference > 1) {
    if (height(n->left->left) < height(n->left->right)) n->left = rotate_left(n->left);
    return rotate_right(n);
  }
  if (difference < -1) {
    if (height(n->right->right) < height(n->right->left)) n->right = rotate_right(n->right);
    return rotate_left(n);
  }
  return n;
}
static struct node *insert(struct node *n, unsigned key, long value) {
  if (!n) {
    n = spare;
    if (n)
      spare = n->left;
    else
      n = malloc(sizeof *n);
    n->left = n->right = NULL;
    n->key = key;
    n->height = 1;
    n->value = value;
    return n;
  }
  if (key < n->key)
    n->left = insert(n->left, key, value);
  else if (key > n->key)
    n->right = insert(n->right, key, value);
  else
    n->value += value;
  return balance(n);
}
static struct node *take_least(struct node *n, struct node **least) {
  if (!n->left) {
    *least = n;
    return n->right;
  }
  n->left = take_least(n->left, least);
  return balance(n);
}
static struct node *delete(struct node *n, unsigned key) {
  if (!n) return NULL;
  if (key < n->key) {
    n->left = delete(n->left, key);
  } else if (key > n->key) {
    n->right = delete(n->right, key);
  } else {
    struct node *l = n->left, *r = n->right, *least;
    n->left = spare;
    spare = n;
    if (!r) return l;
    r = take_least(r, &least);
    least->left = l;
    least->right = r;
    return balance(least);
  }
  return balance(n);
}
static const struct node *find(const struct node *n, unsigned key) {
  while (n && n->key != key) n = key < n->key ? n->left : n->right;
  return n;
}
static long range(const struct node *n, unsigned low, unsigned high) {
  long sum = 0;
  if (!n) return 0;
  if (n->key > low) sum += range(n->left, low, high);
  if (n->key >= low && n->key <= high) sum += n->value;
  if (n->key < high) sum += range(n->right, low, high);
  return sum;
}
static int check(const struct node *n) {
  if (!n) return 0;
  int l = check(n->left), r = check(n->right);
  if (l < 0 || r < 0 || l - r > 1 || r - l > 1) return -1;
  if (n->left && n->left->key >= n->key) return -1;
  if (n->right && n->right->key <= n->key) return -1;
  return (l > r ? l : r) + 1;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  struct node *root = NULL;
  unsigned x = 2463534242u;
  long found = 0, sum = 0;
  for (int i = 0; i < n; i++) {
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    unsigned key = x % 20000;
    switch (x >> 29) {
    case 0: case 1: case 2: root = insert(root, key, i); break;
    case 3: case 4: root = delete(root, key); break;
    case 5: sum += range(root, key, key + 40); break;
    default: found += find(root, key) != NULL; break;
    }
  }
  printf("height %d, found %ld, sum %ld\n", check(root), found, sum);
  return 0;
}
