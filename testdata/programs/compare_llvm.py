#!/usr/bin/env python3
"""How do LIR and LLVM compare on the same IR? Prints the tables of docs/llvm.md.

    testdata/programs/compare_llvm.py [--only lu,avl] [--bin target/dist] [--rounds 3] [--cpu N] [--count] [FILE.ll]...

Each program is clang's IR before any pass: the `.ll` files of this folder and of `own`, or the given ones, which are
compiled, but not run. LIR compiles it by `lir-llc --unspeculated -O2`, LLVM by `opt -O2` without vectorizers and
`llc -O2`, and by both with `-O1`. Each round compiles and runs a program in all ways in turn; a figure is the median of
user and system seconds; outputs must agree. Instructions are counted in the text of the optimised IR. With `--count`
valgrind counts the instructions that the programs execute, with the small arguments of their `.arg` files.
"""
import argparse, math, os, pathlib, re, resource, statistics, subprocess, tempfile

from compare import HERE, OWN_SIZES, SIZES, seconds

VECTORIZERS = ["--vectorize-loops=false", "--vectorize-slp=false"]


class Measured:
    """The figures of one way to compile a program, one for each round."""

    def __init__(self):
        self.compile, self.memory, self.run, self.out = [], [], [], set()
        self.code = self.instructions = 0

    def figures(self):
        median = lambda values: statistics.median(values) if values else None
        return {"instructions": self.instructions, "compile time": median(self.compile),
                "memory": median(self.memory), "code": self.code, "run": median(self.run)}


def command(argv):
    """User and system seconds of a command, and the memory that it used at most, in KB."""
    process = subprocess.Popen(argv)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{argv[0]} fails")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def compile_by_lir(a, source, tmp, out):
    steps = [[a.bin / "lir-llc", "--unspeculated", "-O2", source, "-o", out]]
    text = [[a.bin / "lir-import", "llvm", "--unspeculated", source, "-o", tmp / "in.lir"],
            [a.bin / "lir-opt", "-O2", tmp / "in.lir", "-o", tmp / "out.ir"]]
    return steps, text


def compile_by_llvm(level):
    def steps(a, source, tmp, out):
        flags = [level, *VECTORIZERS]
        return [["opt-19", *flags, source, "-o", tmp / "out.bc"],
                ["llc-19", level, "-relocation-model=pic", "-filetype=obj", tmp / "out.bc", "-o", out]], \
               [["opt-19", *flags, "-S", source, "-o", tmp / "out.ir"]]
    return steps


WAYS = {"LLVM -O2": compile_by_llvm("-O2"), "LLVM -O1": compile_by_llvm("-O1"), "LIR -O2": compile_by_lir}


def instructions(text):
    """The instructions in the functions of a module of LIR or LLVM, without debug records."""
    count, inside = 0, False
    for line in text.splitlines():
        if line.startswith(("func ", "local func ", "define ")) or (not line.startswith((" ", "}")) and line.endswith("{")):
            inside = True
        elif line.startswith("}"):
            inside = False
        elif inside and line.startswith("  ") and not line.startswith("   ") and not line.startswith("  ]"):
            count += 1
    return count


def code_size(file):
    """The bytes of machine code in an object."""
    out = subprocess.run(["size", "-A", file], stdout=subprocess.PIPE, check=True, text=True).stdout
    return sum(int(m[1]) for m in re.finditer(r"^\.text\S*\s+(\d+)", out, re.M))


def measure(a, source, size):
    """The figures of all ways to compile a program. `size` is its argument; without one it is not run."""
    ways = {name: Measured() for name in WAYS}
    with tempfile.TemporaryDirectory() as d:
        tmp = pathlib.Path(d)
        for round_ in range(a.rounds):
            for k, (name, steps_of) in enumerate(WAYS.items()):
                way, out = ways[name], tmp / f"{k}.o"
                steps, text = steps_of(a, source, tmp, out)
                each = [command(argv) for argv in steps]
                way.compile.append(sum(s for s, _ in each))
                way.memory.append(max(kb for _, kb in each))
                if round_ == 0:
                    for argv in text:
                        command(argv)
                    way.instructions, way.code = instructions((tmp / "out.ir").read_text()), code_size(out)
                    if size:
                        subprocess.run(["cc", "-o", tmp / f"{k}", out, "-lm"], check=True)
            for k, way in enumerate(ways.values()):
                if size:
                    program, small = tmp / f"{k}", source.with_suffix(".arg")
                    argument = small.read_text().strip() if a.count else str(size)
                    taken, out = executed(program, argument, tmp) if a.count else seconds([program, argument])
                    way.run.append(taken)
                    way.out.add(out)
    if len(set.union(*(way.out for way in ways.values()))) > 1:
        raise SystemExit(f"{source}: the outputs differ")
    return {name: way.figures() for name, way in ways.items()}


def executed(program, argument, tmp):
    """The instructions that a program executes, and what it prints."""
    counts = tmp / "counts"
    count = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={counts}"]
    out = subprocess.run([*count, program, argument], stdout=subprocess.PIPE, check=True).stdout
    return int(re.search(r"^(?:summary|totals): (\d+)", counts.read_text(), re.M)[1]), out


def mean(values):
    return math.exp(statistics.mean(map(math.log, values)))


def table(programs, base):
    """The figures of LIR over those of a way, a row for each program and one for the geometric means."""
    columns = [c for c in next(iter(programs.values()))[base] if all(p[base][c] for p in programs.values())]
    print(f"\n| LIR -O2 over {base} | {' | '.join(columns)} |\n|---|{'---:|' * len(columns)}")
    ratios = {name: [p["LIR -O2"][c] / p[base][c] for c in columns] for name, p in programs.items()}
    for name, row in ratios.items():
        print(f"| {name} | {' | '.join(f'{r:.2f}' for r in row)} |")
    print(f"| geometric mean | {' | '.join(f'**{mean(c):.3f}**' for c in zip(*ratios.values()))} |")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", nargs="*", type=pathlib.Path)
    ap.add_argument("--only", default="")
    ap.add_argument("--bin", default="target/dist", type=pathlib.Path)
    ap.add_argument("--rounds", type=int, default=3)
    ap.add_argument("--cpu", type=int)
    ap.add_argument("--count", action="store_true")
    a = ap.parse_args()
    if a.cpu is not None:
        os.sched_setaffinity(0, {a.cpu})
    own = [(HERE / "own" / f"{name}.ll", size) for name, size in OWN_SIZES.items()]
    inputs = [(HERE / f"{name}.ll", size) for name, size in SIZES.items()] + own
    if a.files:
        inputs = [(file, None) for file in a.files]
    programs = {}
    for source, size in inputs:
        if not a.only or source.stem in a.only.split(","):
            programs[source.stem] = measure(a, source, size)
            print(source.stem, programs[source.stem]["LIR -O2"], flush=True)
    for base in ("LLVM -O2", "LLVM -O1"):
        table(programs, base)


if __name__ == "__main__":
    main()
