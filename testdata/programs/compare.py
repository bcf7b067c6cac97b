#!/usr/bin/env python3
"""How fast is the code of the kernels? Times what LIR makes of them beside what gcc makes of the C that they come from.

    testdata/programs/compare.py [--bin target/release] [--flags=-O2] [--cc 'gcc -O1'] [--rounds 3]

Each round runs both builds of a kernel in turn; a figure is the median of user and system seconds; outputs must agree.
"""
import argparse, math, pathlib, resource, shlex, statistics, subprocess, tempfile

HERE = pathlib.Path(__file__).resolve().parent
# About half a second each at gcc -O1 on a core of the 2020s.
SIZES = {"sieve": 3600, "matmul": 800, "nbody": 5000000, "fannkuch": 10, "hashmap": 2000000, "heapsort": 1500000, "trees": 20,
         "sha256": 500000, "queens": 14, "life": 5000, "mandel": 1200, "edit": 18000, "structs": 20000000}


def seconds(argv):
    """User and system seconds of a run, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(argv, stdout=subprocess.PIPE, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", default="target/release", type=pathlib.Path)
    ap.add_argument("--flags", default="-O2")
    ap.add_argument("--cc", default="gcc -O1")
    ap.add_argument("--rounds", type=int, default=3)
    a = ap.parse_args()
    ratios = []
    for name, size in SIZES.items():
        with tempfile.TemporaryDirectory() as d:
            tmp = pathlib.Path(d)
            lir, obj, ours, theirs = (tmp / n for n in ("k.lir", "k.o", "lir", "cc"))
            subprocess.run([a.bin / "lir-import", "qbe", HERE / f"{name}.ssa", "-o", lir], check=True)
            subprocess.run([a.bin / "lir-llc", *shlex.split(a.flags), lir, "-o", obj], check=True)
            subprocess.run(["cc", "-o", ours, obj, "-lm"], check=True)
            subprocess.run([*shlex.split(a.cc), "-w", HERE / "src" / f"{name}.c", "-o", theirs, "-lm"], check=True)
            runs = [(seconds([theirs, str(size)]), seconds([ours, str(size)])) for _ in range(a.rounds)]
        if any(t[1] != o[1] for t, o in runs):
            raise SystemExit(f"{name}: the outputs differ")
        t, o = (statistics.median(r[k][0] for r in runs) for k in (0, 1))
        ratios.append(o / t)
        print(f"{name:10} {a.cc} {t:.3f} s   lir-llc {a.flags} {o:.3f} s   ratio {o / t:.2f}", flush=True)
    print(f"geometric mean of the ratios: {math.exp(statistics.mean(map(math.log, ratios))):.3f}")


if __name__ == "__main__":
    main()
