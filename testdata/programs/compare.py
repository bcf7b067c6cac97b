#!/usr/bin/env python3
"""How fast is the code of the kernels? Times what LIR makes of them beside what gcc makes of the C that they come from.

    testdata/programs/compare.py [--own] [--only lu,avl] [--bin target/dist] [--flags=-O2] [--cc 'gcc -O1']...
                                 [--rounds 3] [--cpu N]

`--own` takes the ten programs of `own` in their place. A second `--cc` is a second compiler to time; ratios are over the
first. Each round runs all builds of a program in turn; a figure is the median of user and system seconds; outputs must
agree. The last lines are the ratios as a table.
"""
import argparse, math, os, pathlib, resource, shlex, statistics, subprocess, tempfile

HERE = pathlib.Path(__file__).resolve().parent
# About half a second each at gcc -O1 on a core of the 2020s.
SIZES = {"sieve": 3600, "matmul": 800, "nbody": 5000000, "fannkuch": 10, "hashmap": 2000000, "heapsort": 1500000, "trees": 20,
         "sha256": 500000, "queens": 14, "life": 5000, "mandel": 1200, "edit": 18000, "structs": 20000000}
OWN_SIZES = {"calc": 1200000, "words": 14000, "lz": 35000000, "base64": 3000, "quat": 3000000, "lu": 1300,
             "knapsack": 4500, "avl": 3000000, "dijkstra": 800, "regex": 22000}


def seconds(argv):
    """User and system seconds of a run, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(argv, stdout=subprocess.PIPE, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def builds(a, folder, name, tmp):
    """The programs that the compilers make of a program, those of the C compilers first."""
    lir, obj, ours = (tmp / n for n in ("k.lir", "k.o", "lir"))
    subprocess.run([a.bin / "lir-import", "qbe", folder / f"{name}.ssa", "-o", lir], check=True)
    subprocess.run([a.bin / "lir-llc", *shlex.split(a.flags), lir, "-o", obj], check=True)
    subprocess.run(["cc", "-o", ours, obj, "-lm"], check=True)
    theirs = [tmp / f"cc{i}" for i in range(len(a.cc))]
    for cc, program in zip(a.cc, theirs):
        subprocess.run([*shlex.split(cc), "-w", folder / "src" / f"{name}.c", "-o", program, "-lm"], check=True)
    return theirs + [ours]


def medians(a, folder, name, size):
    """The median seconds of each build of a program."""
    with tempfile.TemporaryDirectory() as d:
        programs = builds(a, folder, name, pathlib.Path(d))
        rounds = [[seconds([program, str(size)]) for program in programs] for _ in range(a.rounds)]
    if len({out for runs in rounds for _, out in runs}) != 1:
        raise SystemExit(f"{name}: the outputs differ")
    return [statistics.median(times) for times in zip(*([s for s, _ in runs] for runs in rounds))]


def table(configs, ratios):
    """The ratios as a table in Markdown: a row for each compiler, a column for each program."""
    print(f"\n| | {' | '.join(ratios)} | geometric mean |\n|---|{'---:|' * (len(ratios) + 1)}")
    for config, row in zip(configs, zip(*ratios.values())):
        mean = math.exp(statistics.mean(map(math.log, row)))
        print(f"| {config} | {' | '.join(f'{r:.2f}' for r in row)} | {mean:.3f} |")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--own", action="store_true")
    ap.add_argument("--only", default="")
    ap.add_argument("--bin", default="target/dist", type=pathlib.Path)
    ap.add_argument("--flags", default="-O2")
    ap.add_argument("--cc", action="append")
    ap.add_argument("--rounds", type=int, default=3)
    ap.add_argument("--cpu", type=int)
    a = ap.parse_args()
    a.cc = a.cc or ["gcc -O1"]
    if a.cpu is not None:
        os.sched_setaffinity(0, {a.cpu})
    folder, sizes = (HERE / "own", OWN_SIZES) if a.own else (HERE, SIZES)
    configs, ratios = a.cc + [f"lir-llc {a.flags}"], {}
    for name in a.only.split(",") if a.only else sizes:
        times = medians(a, folder, name, sizes[name])
        ratios[name] = [t / times[0] for t in times]
        each = (f"{config} {t:.3f} s {r:.2f}" for config, t, r in zip(configs, times, ratios[name]))
        print(f"{name:10} {'   '.join(each)}", flush=True)
    table(configs, ratios)


if __name__ == "__main__":
    main()
