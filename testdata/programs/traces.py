#!/usr/bin/env python3
"""How fast are traces? Times the kernels in the interpreter, with traces, and natively: the table of docs/traces.md.

    testdata/programs/traces.py [--only sieve,edit] [--bin target/dist] [--rounds 5]

A figure is the least user time of so many runs, of one in the interpreter. Outputs must agree.
"""
import argparse, math, pathlib, resource, statistics, subprocess, tempfile

HERE = pathlib.Path(__file__).resolve().parent
# One to three seconds each in the interpreter.
SIZES = {"edit": 2500, "fannkuch": 9, "hashmap": 500000, "heapsort": 400000, "life": 150, "mandel": 400, "matmul": 220,
         "nbody": 150000, "queens": 13, "sha256": 25000, "sieve": 300, "structs": 800000, "trees": 16}
WAYS = [["--trace-jit"], ["--trace-jit", "--trace-eager"], ["-O1"], ["-O2"]]


def least(argv, rounds):
    """The least user seconds of some runs, at least a millisecond, and what the last one printed."""
    times = []
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        out = subprocess.run(argv, stdout=subprocess.PIPE, check=True).stdout
        times.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return max(min(times), 1e-3), out


def ratios(a, name, lir):
    """Prints the row of a kernel. Returns its ratios: interpreter to traces of both kinds, traces to native code."""
    size = str(SIZES[name])
    interpreter, want = least([a.bin / "lir-run", "--interp", lir, "--", size], 1)
    times = []
    for way in WAYS:
        time, out = least([a.bin / "lir-run", *way, lir, "--", size], a.rounds)
        if out != want:
            raise SystemExit(f"{name}: the outputs differ with {' '.join(way)}")
        times.append(time)
    traces, eager, o1, o2 = times
    row = interpreter / traces, interpreter / eager, traces / o1, traces / o2
    print(f"| `{name}` {size} | {interpreter:.2f} s | {traces * 1000:.0f} ms | {row[0]:.1f} | {row[1]:.1f} "
          f"| {row[2]:.2f} | {row[3]:.2f} |", flush=True)
    return row


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--only", default=",".join(SIZES))
    ap.add_argument("--bin", type=pathlib.Path, default=HERE.parents[1] / "target/dist")
    ap.add_argument("--rounds", type=int, default=5)
    a = ap.parse_args()
    print("| program | interpreter | traces | times faster | with `--trace-eager` | traces / `-O1` | traces / `-O2` |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    rows = []
    with tempfile.TemporaryDirectory() as d:
        for name in a.only.split(","):
            lir = pathlib.Path(d) / f"{name}.lir"
            subprocess.run([a.bin / "lir-import", "qbe", HERE / f"{name}.ssa", "-o", lir], check=True)
            rows.append(ratios(a, name, lir))
    means = [math.exp(statistics.mean(map(math.log, column))) for column in zip(*rows)]
    print(f"| geometric mean | | | {means[0]:.1f} | {means[1]:.1f} | {means[2]:.2f} | {means[3]:.2f} |")


if __name__ == "__main__":
    main()
