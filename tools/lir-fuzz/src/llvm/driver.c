/* Makes the calls of a group of modules that LLVM compiled, and writes their results to a file.
 *
 * Each module runs in a process of its own, which a fault ends and the others do not notice. A line is `M K VALUE`:
 * module, call, and the bytes of the result in hexadecimal, `-` without any, or `trap` and its number; or
 * `M signal N`. The tables are in the text that lir-fuzz makes. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern void (*const lir_calls[])(unsigned char *out);
extern const int lir_sizes[];  /* of the results, in bytes */
extern const int lir_counts[]; /* the calls of each module; -1 ends the table */

static jmp_buf before_call;

void lir_trap(int number) { longjmp(before_call, number); }

static void make_calls(FILE *results, int module, int first, int count) {
    for (volatile int k = 0; k < count; k++) {
        int size = lir_sizes[first + k];
        unsigned char *out = calloc(1, size + 64);
        fprintf(results, "%d %d ", module, k);
        int trap = setjmp(before_call);
        if (trap) {
            fprintf(results, "trap%d\n", trap);
        } else {
            lir_calls[first + k](out);
            for (int i = 0; i < size; i++) fprintf(results, "%02x", out[i]);
            fprintf(results, size ? "\n" : "-\n");
        }
        fflush(results);
    }
}

int main(int argc, char **argv) {
    FILE *results = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (!results) return 2;
    struct rlimit stack;
    getrlimit(RLIMIT_STACK, &stack);
    stack.rlim_cur = stack.rlim_max;
    setrlimit(RLIMIT_STACK, &stack);
    for (int module = 0, first = 0; lir_counts[module] >= 0; first += lir_counts[module], module++) {
        fflush(results);
        pid_t child = fork();
        if (child < 0) return 2;
        if (child == 0) {
            alarm(20);
            make_calls(results, module, first, lir_counts[module]);
            _exit(0);
        }
        int status;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) fprintf(results, "%d signal %d\n", module, WTERMSIG(status));
        else if (WEXITSTATUS(status)) fprintf(results, "%d exit %d\n", module, WEXITSTATUS(status));
    }
    return fclose(results) != 0;
}
