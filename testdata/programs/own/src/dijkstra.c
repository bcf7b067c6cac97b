/* Shortest paths on a grid: a binary heap of records that grows, neighbours in four directions, the path walked back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct point { short x, y; };
struct record { int distance; struct point at; };
struct heap { struct record *items; int count, room; };
static void push(struct heap *h, struct record r) {
  if (h->count == h->room) {
    h->room = h->room ? h->room * 2 : 16;
    h->items = realloc(h->items, h->room * sizeof *h->items);
  }
  int i = h->count++;
  while (i > 0) {
    int parent = (i - 1) / 2;
    if (h->items[parent].distance <= r.distance) break;
    h->items[i] = h->items[parent];
    i = parent;
  }
  h->items[i] = r;
}
static struct record pop(struct heap *h) {
  struct record top = h->items[0], last = h->items[--h->count];
  int i = 0;
  for (;;) {
    int child = 2 * i + 1;
    if (child >= h->count) break;
    if (child + 1 < h->count && h->items[child + 1].distance < h->items[child].distance) child++;
    if (last.distance <= h->items[child].distance) break;
    h->items[i] = h->items[child];
    i = child;
  }
  h->items[i] = last;
  return top;
}
struct grid { int width, height; unsigned char *cost; int *distance; signed char *from; };
static const int dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
static int search(struct grid *g, struct point start, struct point goal) {
  struct heap h = {NULL, 0, 0};
  int result = -1;
  for (int i = 0; i < g->width * g->height; i++) {
    g->distance[i] = 1 << 30;
    g->from[i] = -1;
  }
  g->distance[start.y * g->width + start.x] = 0;
  push(&h, (struct record){0, start});
  while (h.count > 0) {
    struct record r = pop(&h);
    if (r.distance > g->distance[r.at.y * g->width + r.at.x]) continue;
    if (r.at.x == goal.x && r.at.y == goal.y) {
      result = r.distance;
      break;
    }
    for (int d = 0; d < 4; d++) {
      int x = r.at.x + dx[d], y = r.at.y + dy[d];
      if (x < 0 || y < 0 || x >= g->width || y >= g->height) continue;
      int k = y * g->width + x;
      if (g->cost[k] == 0) continue;
      int distance = r.distance + g->cost[k];
      if (distance < g->distance[k]) {
        g->distance[k] = distance;
        g->from[k] = d;
        push(&h, (struct record){distance, {x, y}});
      }
    }
  }
  free(h.items);
  return result;
}
static int steps_back(const struct grid *g, struct point start, struct point goal) {
  int steps = 0;
  while (goal.x != start.x || goal.y != start.y) {
    int d = g->from[goal.y * g->width + goal.x];
    if (d < 0) return -1;
    goal.x -= dx[d];
    goal.y -= dy[d];
    steps++;
  }
  return steps;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 5;
  struct grid g = {160, 120, NULL, NULL, NULL};
  size_t size = g.width * g.height;
  unsigned seed = 99, sum = 0;
  g.cost = malloc(size);
  g.distance = malloc(size * sizeof *g.distance);
  g.from = malloc(size);
  for (int i = 0; i < n; i++) {
    for (size_t k = 0; k < size; k++) {
      seed = seed * 1664525u + 1013904223u;
      g.cost[k] = (seed >> 24) % 10 < 3 ? 0 : 1 + (seed >> 12) % 20;
    }
    struct point start = {i % 10, i % 7}, goal = {g.width - 1 - i % 13, g.height - 1};
    g.cost[start.y * g.width + start.x] = g.cost[goal.y * g.width + goal.x] = 1;
    int distance = search(&g, start, goal);
    sum = sum * 31 + distance;
    if (distance >= 0) sum = sum * 31 + steps_back(&g, start, goal);
  }
  printf("%08x\n", sum);
  return 0;
}
