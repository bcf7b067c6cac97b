#!/usr/bin/env -S python3 -B
"""Does LIR compile loops as clang does? Random C programs with loops over arrays and integers of all widths.

    testdata/programs/random_loops.py [--bin target/release] [--count 300] [--seed 0] [--keep findings]
                                      [--print] [--sanitize]

A program follows from its seed; `--seed` is the first. clang compiles each at -O0 and -O2, and both must print the
same. Then `lir-llc` at -O0 and -O2 compiles clang's IR of -O0, -O1 and -O2, without vectorizers, and its IR before any
pass, with `--unspeculated`; each result must print that, too. What differs or is refused is reported, and its C and its
IR are kept in a folder. `--print` only prints the program of the seed. `--sanitize` checks the generator in place of
LIR: no program may have undefined behaviour. The generator knows an interval of each value (random_c.py), hence which
sums fit their types, which indices are in range, and how often a loop runs at most.
"""
import argparse, pathlib, random, shutil, subprocess, tempfile
from string import Template

from random_c import BOOL, BYTE, DOUBLE, FLOAT, INT, INTEGERS, LONG, MOST_FLOAT, ULONG, UNSIGNED, USHORT, Table, integer
from random_functions import SLACK, Function

LENGTHS = [16, 20, 32, 37, 64, 100]
ELEMENTS = INTEGERS * 3 + [BOOL, FLOAT, DOUBLE, FLOAT, DOUBLE]

# Functions of two numbers that others call: $u is unsigned, $t any integer, and $o the type of the result.
CALLED = """
int r = 0; while (a) { a &= a - 1; r++; } return r + (b & 1);
$u d = b; while (d) { $u c = a % d; a = d; d = c; } return a;
$u r = 1; for (unsigned i = b & 15; i; i >>= 1) { if (i & 1) r = 1ul * r * a; a = 1ul * a * a; } return r;
for (int i = 0; i < 12 && a > 1; i++) a = a & 1 ? 3 * a + 1 : a / 2; return a ^ b;
return b < 0 ? a + 1 : a > 9 ? (unsigned)b : 7;
int r = 0; for (int i = 0; i < 8 * (int)sizeof a; i += 3) r += (a >> i & 7) * (i + 1); return r - (b > 5);
""".strip().split("\n")

PRELUDE = """#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static unsigned long bits(double d) {
unsigned long u;
memcpy(&u, &d, sizeof u);
return u;
}
static unsigned long next(int bits) {
static unsigned long seed = SEED;
seed = seed * 6364136223846793005u + 1442695040888963407u;
return seed >> 64 - bits;
}
"""


class Store:
    """The two objects `NAMEx` and `NAMEy` of a program, of one type: an array, of numbers or structures."""

    def __init__(self, rng, name):
        self.name, self.struct, self.slack, self.dims = name, "", SLACK, (rng.choice(LENGTHS),)
        self.kind = rng.choice(["flat", "flat", "flat", "matrix", "cube", "records", "columns"])
        self.members = [("", (), "", *self.element(rng))]
        if name == "a0":
            # Every program has an array of indices.
            self.kind = "index"
            self.members = [("", (), "", rng.choice([BYTE, USHORT, INT, LONG]), 0, rng.randrange(3, 40))]
        elif self.kind in ("matrix", "cube"):
            self.slack, self.dims = 0, tuple(rng.randrange(3, 14) for _ in range(2 if self.kind == "matrix" else 3))
        elif self.kind == "records":
            self.structure([self.member(rng, f".m{k}") for k in range(rng.randrange(2, 6))])
        elif self.kind == "columns":
            self.slack, self.dims = 0, (1,)
            self.structure([(f"m{k}", (rng.choice(LENGTHS),), "", *self.element(rng)) for k in range(2)])
        self.type = f"struct {name}" if self.struct else self.members[0][3].name

    @staticmethod
    def element(rng):
        t = rng.choice(ELEMENTS)
        return (t, -MOST_FLOAT, MOST_FLOAT) if t.kind == "float" else (t, t.low, t.high)

    def member(self, rng, name):
        """A member of a structure: its name, dimensions, width, type and interval."""
        if rng.random() < 0.5:
            return name, () if rng.random() < 0.7 else (rng.choice([3, 4, 7]),), "", *self.element(rng)
        t = rng.choice([INT, UNSIGNED, INT, UNSIGNED, LONG, ULONG])
        width = rng.randrange(2, 32) if t.bits == 32 else rng.randrange(33, 62)
        bits = integer("", width, t.kind)
        return name, (), f" : {width}", t, bits.low, bits.high

    def structure(self, members):
        each = (f"{t.name} {name.strip('.')}{''.join(f'[{d}]' for d in dims)}{width};"
                for name, dims, width, t, *_ in members)
        self.members, self.struct = members, f"struct {self.name} {{ {' '.join(each)} }};"

    def declaration(self, name):
        return f"{self.type} {name}{''.join(f'[{d}]' for d in (self.dims[0] + self.slack, *self.dims[1:]))}"

    def parameter(self, name, qualifier):
        if len(self.dims) > 1:
            return f"{self.type} (*{qualifier}{name}){''.join(f'[{d}]' for d in self.dims[1:])}"
        return f"{'const ' * (self.kind == 'index')}{self.type} *{qualifier}{name}"

    def tables(self, name, slack=0):
        """The tables in an object. A structure of arrays is the first element of an array."""
        dims, pattern = (self.dims[0] + slack, *self.dims[1:]), name + "[{}]" * len(self.dims)
        if self.kind == "columns":
            dims, pattern = (), f"{name}->"
        writable = self.kind != "index"
        return [Table(f"{pattern}{member}{'[{}]' * len(inner)}", dims + inner, t, low, high, width, writable)
                for member, inner, width, t, low, high in self.members]


def over(table, statement):
    """Loops over all elements of a table, with a statement for each."""
    names = "ijkl"[:len(table.dims)]
    loops = "".join(f"for (int {i} = 0; {i} < {n}; {i}++) " for i, n in zip(names, table.dims))
    return loops + statement(table, table.at(*names))


def filled(table, place):
    """The statement that gives an element its first number. Small ones are indices."""
    if table.type.kind == "float":
        return f"{place} = ((int)next(20) - 524288) * 0x1p-4;"
    if not table.writable:
        return f"{place} = next(20) % {table.high + 1};"
    return f"{place} = next({1 if table.type is BOOL else table.type.bits});"


def added(table, place):
    return f"hash = hash * 1000003 + {f'bits({place})' if table.type.kind == 'float' else place};"


def program(seed):
    """The text of a program."""
    rng = random.Random(seed)
    stores = [Store(rng, f"a{k}") for k in range(rng.randrange(4, 6))]
    objects = [(s, s.name + end) for s in stores for end in "xy"]
    text, called = [PRELUDE.replace("SEED", str(rng.getrandbits(40))), *(s.struct for s in stores)], []
    text += [f"{rng.choice(['', 'static '])}{s.declaration(name)};" for s, name in objects]
    for k, code in enumerate(rng.sample(CALLED, 2)):
        u, t, o = rng.choice([BYTE, USHORT, UNSIGNED, ULONG]), rng.choice(INTEGERS), rng.choice(INTEGERS)
        names, before = dict(u=u.name, t=t.name), rng.choice(["static ", "__attribute__((noinline)) "])
        text.append(f"{before}{o.name} g{k}({u.name} a, {t.name} b) {{\n{Template(code).substitute(names)}\n}}")
        called.append((f"g{k}", o))
    functions = [Function(rng, f"f{k}", stores, called) for k in range(rng.randrange(2, 5))]
    text += [f.text() for f in functions] + ["int main(void) {\nunsigned long hash;"]
    tables = {name: s.tables(name, s.slack) for s, name in objects}
    text += [over(t, filled) for each in tables.values() for t in each]
    for f in rng.choices(functions, k=3) + functions:
        text.append(f'printf("{f.name} %016lx\\n", {f.invocation()});')
    for name, each in tables.items():
        text += ["hash = 0;", *(over(t, added) for t in each), f'printf("{name} %016lx\\n", hash);']
    return indented("\n".join([*filter(None, text), "return 0;\n}\n"]))


def indented(text):
    """Lines of C with two spaces for each brace around them."""
    lines, depth = [], 0
    for line in text.split("\n"):
        lines.append("  " * (depth - line.startswith("}")) + line)
        depth += line.count("{") - line.count("}")
    return "\n".join(lines)


# The levels of clang that write IR, with what lir-llc is told of it.
FORMS = {"-O0": (["-O0"], []), "-O1": (["-O1"], []), "-O2": (["-O2"], []),
         "before passes": (["-O1", "-Xclang", "-disable-llvm-passes"], ["--unspeculated"])}
# They follow the level, which would turn vectorizers on again.
SCALAR = ["-w", "-ffp-contract=off", "-fno-vectorize", "-fno-slp-vectorize"]
CHECKS = ["-O1", "-fsanitize=undefined,float-cast-overflow,address", "-fno-sanitize-recover=all"]


def run(*argv):
    """What a command prints and why it failed, if it did."""
    try:
        done = subprocess.run(argv, capture_output=True, text=True, errors="replace", timeout=60)
    except subprocess.TimeoutExpired:
        return "", "takes more than a minute"
    why = next((line for line in done.stderr.split("\n") if "error" in line), done.stderr.strip().split("\n")[0])
    return done.stdout, "" if done.returncode == 0 else f"exit status {done.returncode}: {why}"


def built(tmp, *argv):
    """What a program prints that a compiler makes, and why it is not there."""
    out, why = run(*argv, "-o", tmp / "program")
    return (out, why) if why else run(tmp / "program")


class Comparison:
    """The programs compared, and what was found."""

    def __init__(self, a, clang, tmp):
        self.a, self.clang, self.tmp, self.compiled, self.found = a, clang, tmp, 0, 0

    def report(self, seed, what, why, *files):
        """Keeps the files of a finding."""
        self.found += 1
        self.a.keep.mkdir(parents=True, exist_ok=True)
        for file in files:
            shutil.copy(file, self.a.keep / f"{seed}-{what.replace(' -', '-').replace(' ', '-')}{file.suffix}")
        print(f"seed {seed}: {what}: {why}", flush=True)

    def source(self, seed):
        source = self.tmp / "program.c"
        source.write_text(program(seed))
        return source

    def sanitize(self, seed):
        source = self.source(seed)
        _, why = built(self.tmp, self.clang, *CHECKS, *SCALAR, source)
        self.compiled += 1
        if why:
            self.report(seed, "sanitizers", why, source)

    def compare(self, seed):
        """Compares all ways to compile a program."""
        source, ir, obj = self.source(seed), self.tmp / "program.ll", self.tmp / "program.o"
        (want, why), (other, why2) = (built(self.tmp, self.clang, level, *SCALAR, source) for level in ("-O0", "-O2"))
        if why or why2 or want != other:
            why = why or why2 or difference(want, other)
            return self.report(seed, "clang", f"the generator is wrong: {why}", source)
        for form, (flags, options) in FORMS.items():
            _, why = run(self.clang, *flags, *SCALAR, "-S", "-emit-llvm", source, "-o", ir)
            for level in ("-O0", "-O2"):
                self.compiled += 1
                _, why = (None, why) if why else run(self.a.bin / "lir-llc", *options, level, ir, "-o", obj)
                if why:
                    self.report(seed, f"clang {form} lir-llc {level}", f"refused: {why}", source, ir)
                    continue
                got, why = built(self.tmp, self.clang, obj)
                if why or got != want:
                    self.report(seed, f"clang {form} lir-llc {level}", why or difference(want, got), source, ir)


def difference(want, got):
    """The first line that differs."""
    lines = zip((want + "\n(end)").split("\n"), (got + "\n(end)").split("\n"))
    return next(f"prints {b}, not {a}" for a, b in lines if a != b)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", default="target/release", type=pathlib.Path)
    ap.add_argument("--count", type=int, default=300)
    ap.add_argument("--seed", type=int, default=0)
    ap.add_argument("--keep", default="findings", type=pathlib.Path)
    ap.add_argument("--print", action="store_true")
    ap.add_argument("--sanitize", action="store_true")
    a = ap.parse_args()
    if a.print:
        return print(program(a.seed), end="")
    clang = next(filter(None, map(shutil.which, ["clang", *(f"clang-{v}" for v in range(22, 14, -1))])), None)
    if not clang:
        return print("skipped: there is no clang")
    with tempfile.TemporaryDirectory() as d:
        comparison = Comparison(a, clang, pathlib.Path(d))
        for seed in range(a.seed, a.seed + a.count):
            comparison.sanitize(seed) if a.sanitize else comparison.compare(seed)
    counts = f"{a.count} programs, {comparison.compiled} compilations"
    good = "no undefined behaviour" if a.sanitize else "all as clang's"
    print(f"{counts}: {comparison.found} findings, in {a.keep}" if comparison.found else f"{counts}: {good}")
    raise SystemExit(1 if comparison.found else 0)


if __name__ == "__main__":
    main()
