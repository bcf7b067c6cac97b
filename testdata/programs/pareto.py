#!/usr/bin/env python3
"""What compile time buys: LIR's levels, allocators and code generators beside gcc, clang and llc, in one run.

    testdata/programs/pareto.py [--bin target/dist] [--out DIR] [--rounds 5] [--scale full] [--only queens,sha256]
                                [--module FILE]... [--cc 'gcc -O1']... [--baseline 'gcc -O1'] [--cpu N]
    testdata/programs/pareto.py --self-test

Every configuration compiles every kernel of this folder to an object, which the compiler of the baseline links. All
builds of a kernel must print the same; they run in turn, round by round, so that a machine that slows down does so for
all of them.

* Compile time: user and system seconds of the compiler's process, best of the rounds, summed over the kernels. LIR
  starts from LIR text, C compilers from C, llc from what `clang -O2 -emit-llvm` made of the C (that is not counted).
* Run time: user and system seconds of the program, median of the rounds, over the baseline's; geometric mean of the
  kernels.

Written into DIR: `pareto.svg`, a picture of compile time (logarithmic) against run time with the Pareto front, the
configurations that no other one beats in both; and `pareto.md`, the figures as tables. A compiler that is not installed
is left out, and a line says so. With --module, a larger module is compiled as well, but not run: `.lir` by LIR, `.c` by C
compilers, `.ll` by llc; those that belong together have the same name but for the ending.
"""
import argparse, math, os, pathlib, re, resource, shlex, shutil, statistics, subprocess, tempfile
from typing import NamedTuple
from xml.sax.saxutils import escape

from compare import HERE, SIZES, seconds

DEFAULT_CC = ["gcc -O0", "gcc -O1", "gcc -O2", "clang -O0", "clang -O1", "clang -O2", "llc -O0", "llc -O2"]
# Names under which distributions install the tools of LLVM.
VERSIONS = [""] + [f"-{n}" for n in range(25, 13, -1)]
FAMILIES = {"lir": ("#c2410c", "LIR"), "gcc": ("#1d4ed8", "gcc"), "clang": ("#047857", "clang"), "llc": ("#7e22ce", "llc"),
            "other": ("#525252", "other")}


class Config(NamedTuple):
    """A way to compile: its name, its family, and its command, to which an input and `-o OBJECT` are added."""
    name: str
    family: str
    command: list


class Result(NamedTuple):
    """Of a configuration: seconds of compile time of all kernels, and run time over the baseline's, by kernel."""
    config: Config
    compile: float
    ratios: dict

    @property
    def run(self):
        return math.exp(statistics.mean(map(math.log, self.ratios.values())))


def fail(message):
    raise SystemExit(f"pareto.py: {message}")


# ---- Configurations ----

def lir_configs(bin, levels, allocators):
    """LIR's levels by allocators by `--codegen`."""
    help = subprocess.run([bin / "lir-llc", "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    if not allocators:
        found = re.search(r"register allocator: ([a-z0-9, -]+?) \[default", help)
        if not found:
            fail("`lir-llc --help` lists no allocators: name them with --allocators")
        allocators = found[1].split(", ")
    configs = []
    for level in levels:
        for allocator in allocators:
            for effort in ["good", "fast"]:
                command = [str(bin / "lir-llc"), "-j1", f"-O{level}", f"--regalloc={allocator}", f"--codegen={effort}"]
                name = " ".join([f"LIR -O{level}", *([allocator] if len(allocators) > 1 else []), *(["fast"] * (effort == "fast"))])
                configs.append(Config(name, "lir", command))
    return configs


def find_tool(name, beside=None):
    """The path of a tool under one of its names; none where it is not installed. With `beside`, that of the version of
    which the other tool is installed, too: LLVM's text is not the same in all versions."""
    paths = ((shutil.which(name + v), beside is None or shutil.which(beside + v)) for v in VERSIONS)
    return next((path for path, other in paths if path and other), None)


def foreign_configs(lines):
    """The compilers that are installed."""
    configs = []
    for line in lines:
        tool, *flags = shlex.split(line)
        family = tool.split("-")[0] if tool.split("-")[0] in FAMILIES else "other"
        path = find_tool(tool, "clang") if family == "llc" else find_tool(tool)
        if path is None:
            print(f"skipped: {line} (there is no {tool}{' with a clang of its version' * (family == 'llc')} here)")
        elif family == "llc":
            configs.append(Config(line, family, [path, *flags, "-filetype=obj", "-relocation-model=pic"]))
        else:
            configs.append(Config(line, family, [path, *flags, "-w", "-c"]))
    return configs


# ---- Measuring ----

def run(argv):
    done = subprocess.run([str(a) for a in argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        fail(f"`{shlex.join(map(str, argv))}` ended with status {done.returncode}:\n{done.stderr.decode(errors='replace')[:2000]}")
    return done


def cpu_seconds(argv):
    """User and system seconds of a command that must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(argv)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def input_for(config, name, tmp):
    """The input of a kernel for a compiler."""
    return {"lir": tmp / "k.lir", "llc": tmp / "k.ll"}.get(config.family, HERE / "src" / f"{name}.c")


def measure_kernel(name, configs, baseline, argument, rounds, bin, tmp):
    """Compile and run seconds of a kernel, by configuration."""
    run([bin / "lir-import", "qbe", HERE / f"{name}.ssa", "-o", tmp / "k.lir"])
    if any(c.family == "llc" for c in configs):
        run([find_tool("clang", "llc"), "-O2", "-w", "-S", "-emit-llvm", HERE / "src" / f"{name}.c", "-o", tmp / "k.ll"])
    linker = baseline.command[0]
    compiled, built = [math.inf] * len(configs), []
    for _ in range(rounds):
        for k, c in enumerate(configs):
            compiled[k] = min(compiled[k], cpu_seconds([*c.command, input_for(c, name, tmp), "-o", tmp / f"{k}.o"]))
    for k in range(len(configs)):
        run([linker, "-o", tmp / f"{k}", tmp / f"{k}.o", "-lm"])
        built.append(str(tmp / f"{k}"))
    times, outputs = [[] for _ in configs], [None] * len(configs)
    for _ in range(rounds):
        for k, program in enumerate(built):
            try:
                took, outputs[k] = seconds([program, argument])
            except subprocess.CalledProcessError as e:
                fail(f"{name} by {configs[k].name}: {e}")
            times[k].append(took)
    expected = outputs[configs.index(baseline)]
    wrong = [c.name for c, o in zip(configs, outputs) if o != expected]
    if wrong:
        fail(f"{name}: {', '.join(wrong)} and {baseline.name} print different things")
    return compiled, [statistics.median(t) for t in times]


def measure(configs, baseline, kernels, scale, rounds, bin):
    """The results of all configurations."""
    compiles, ratios = [0.0] * len(configs), [{} for _ in configs]
    for name in kernels:
        argument = (HERE / f"{name}.arg").read_text().strip() if scale == "small" else str(SIZES[name])
        with tempfile.TemporaryDirectory() as d:
            compiled, times = measure_kernel(name, configs, baseline, argument, rounds, bin, pathlib.Path(d))
        # Programs that are over at once take no measurable time; 50 microseconds is what a process costs at least.
        base = max(times[configs.index(baseline)], 5e-5)
        for k in range(len(configs)):
            compiles[k] += compiled[k]
            ratios[k][name] = max(times[k], 5e-5) / base
        print(f"{name}: {', '.join(f'{c.name} {r[name]:.2f}' for c, r in zip(configs, ratios))}", flush=True)
    return [Result(*row) for row in zip(configs, compiles, ratios)]


def measure_modules(modules, configs, rounds):
    """Rows of a table: module, configuration, seconds, bytes of code."""
    endings = {"lir": ".lir", "llc": ".ll"}
    rows = []
    with tempfile.TemporaryDirectory() as d:
        out = pathlib.Path(d) / "m.o"
        for module in modules:
            for c in configs:
                if module.suffix == endings.get(c.family, ".c"):
                    best = min(cpu_seconds([*c.command, module, "-o", out]) for _ in range(rounds))
                    rows.append((module.stem, c.name, best, text_size(out)))
                    print(f"{module.name}: {c.name} {best:.3f} s", flush=True)
    return rows


def text_size(path):
    """The bytes of executable sections of an ELF object for x86-64."""
    data = path.read_bytes()
    word = lambda at, n: int.from_bytes(data[at:at + n], "little")
    headers, size, count = word(0x28, 8), word(0x3A, 2), word(0x3C, 2)
    sections = range(headers, headers + size * count, size)
    return sum(word(s + 0x20, 8) for s in sections if word(s + 8, 8) & 4)


# ---- The front ----

def pareto_front(points):
    """Which of the points (x, y) no other one beats in both, as a set of indices. Equal ones are all on it."""
    better = lambda p, q: p[0] <= q[0] and p[1] <= q[1] and p != q
    return {k for k, q in enumerate(points) if not any(better(p, q) for p in points)}


# ---- The picture ----

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 520, 70, 30, 50, 60


def log_ticks(low, high):
    """1, 2 and 5 times powers of ten."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    return [m * 10.0**e for e in range(first, last + 1) for m in (1, 2, 5) if low <= m * 10.0**e <= high]


def linear_ticks(low, high):
    """Round numbers, about eight of them."""
    raw = (high - low) / 8
    step = min(m * 10.0**e for e in range(-3, 4) for m in (1, 2, 5) if m * 10.0**e >= raw)
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def place_labels(points, texts):
    """Where the labels of points stand, so that they cover neither one another nor points: x, y and anchor, or none
    where there is no room."""
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in points]
    placed = []
    for (x, y), text in zip(points, texts):
        width, where = 6.2 * len(text), None
        for dx, dy, anchor in [(9, 4, "start"), (9, -8, "start"), (9, 16, "start"), (-9, 4, "end"), (-9, -8, "end"),
                               (-9, 16, "end"), (0, -12, "middle"), (0, 20, "middle"), (9, -20, "start"), (9, 28, "start")]:
            left = x + dx - {"start": 0, "middle": width / 2, "end": width}[anchor]
            box = (left, y + dy - 10, left + width, y + dy + 3)
            inside = box[0] >= LEFT and box[2] <= WIDTH - 4 and box[1] >= TOP and box[3] <= HEIGHT - BOTTOM
            if inside and not any(box[0] < t[2] and t[0] < box[2] and box[1] < t[3] and t[1] < box[3] for t in taken):
                where = (x + dx, y + dy, anchor)
                taken.append(box)
                break
        placed.append(where)
    return placed


def picture(results, baseline, kernels):
    """The SVG: one point a configuration."""
    xs, ys = [1000 * r.compile for r in results], [r.run for r in results]
    low_x, high_x = min(xs) / 1.3, max(xs) * 1.6
    margin = max(0.08 * (max(ys) - min(ys)), 0.02)
    low_y, high_y = min(ys) - margin, max(ys) + margin
    px = lambda x: LEFT + (WIDTH - LEFT - RIGHT) * math.log(x / low_x) / math.log(high_x / low_x)
    py = lambda y: HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (y - low_y) / (high_y - low_y)
    points = [(px(x), py(y)) for x, y in zip(xs, ys)]
    front = pareto_front(list(zip(xs, ys)))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
           ' font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
           f'<text x="{LEFT}" y="24" font-size="15">Compile time against run time, {len(kernels)} kernels</text>']
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    for t in log_ticks(low_x, high_x):
        out.append(f'<path d="M{px(t):.1f} {TOP}V{bottom}" stroke="#e5e5e5"/>'
                   f'<text x="{px(t):.1f}" y="{bottom + 18}" text-anchor="middle">{t:g}</text>')
    for t in linear_ticks(low_y, high_y):
        out.append(f'<path d="M{LEFT} {py(t):.1f}H{right}" stroke="#e5e5e5"/>'
                   f'<text x="{LEFT - 8}" y="{py(t) + 4:.1f}" text-anchor="end">{t:.2f}</text>')
    out.append(f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#404040"/>')
    out.append(f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 16}" text-anchor="middle">compile time of all kernels, CPU ms'
               ' (logarithmic)</text>')
    out.append(f'<text transform="translate(18 {(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">run time over'
               f' {escape(baseline.name)}, geometric mean</text>')
    # The front as steps: between two of its points nothing is better than the left one.
    steps = sorted(points[k] for k in front)
    path = f"M{steps[0][0]:.1f} {steps[0][1]:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in steps[1:])
    out.append(f'<path d="{path}" fill="none" stroke="#a3a3a3" stroke-dasharray="5 4"/>')
    for k, (r, (x, y)) in enumerate(zip(results, points)):
        color = FAMILIES[r.config.family][0]
        fill = color if k in front else "#ffffff"
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{fill}" stroke="{color}" stroke-width="1.5"><title>'
                   f'{escape(r.config.name)}: {xs[k]:.1f} ms, {ys[k]:.3f}</title></circle>')
    # Those on the front find room first.
    order = sorted(range(len(results)), key=lambda k: (k not in front, k))
    places = place_labels([points[k] for k in order], [results[k].config.name for k in order])
    for k, where in zip(order, places):
        if where:
            out.append(f'<text x="{where[0]:.1f}" y="{where[1]:.1f}" text-anchor="{where[2]}"'
                       f' fill="{FAMILIES[results[k].config.family][0]}">{escape(results[k].config.name)}</text>')
    families = list(dict.fromkeys(r.config.family for r in results))
    for k, family in enumerate(families):
        x = right - 80 * (len(families) - k) + 20
        out.append(f'<circle cx="{x}" cy="20" r="4.5" fill="{FAMILIES[family][0]}"/><text x="{x + 9}" y="24">{FAMILIES[family][1]}</text>')
    out.append(f'<text x="{right}" y="42" text-anchor="end" fill="#737373" font-size="11">filled: on the Pareto front</text>')
    return "\n".join([*out, "</svg>", ""])


# ---- Tables ----

def table(head, rows):
    """Markdown: the first column left, the others right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def tables(results, baseline, kernels, module_rows):
    base = next(r for r in results if r.config == baseline)
    front = pareto_front([(r.compile, r.run) for r in results])
    rows = [[r.config.name, f"{1000 * r.compile:.1f}", f"{r.compile / base.compile:.2f}", f"{r.run:.3f}", "yes" if k in front else ""]
            for k, r in enumerate(results)]
    head = ["", "compile ms", f"over {baseline.name}", f"run time over {baseline.name}", "Pareto front"]
    text = f"Compile time of {len(kernels)} kernels, and geometric mean of their run times:\n\n{table(head, rows)}\n"
    rows = [[r.config.name, *(f"{r.ratios[k]:.2f}" for k in kernels)] for r in results]
    text += f"Run time over {baseline.name}:\n\n{table(['', *kernels], rows)}"
    if module_rows:
        rows = [[m, c, f"{1000 * s:.0f}", size] for m, c, s, size in module_rows]
        text += f"\nLarger modules, compiled alone:\n\n{table(['module', 'compiler', 'compile ms', 'bytes of code'], rows)}"
    return text


# ---- The command line ----

def self_test():
    """Front, labels, picture and tables of results that are made up."""
    import xml.etree.ElementTree as tree
    assert pareto_front([(1, 3), (2, 2), (3, 1), (3, 3), (2, 2), (1, 4)]) == {0, 1, 2, 4}
    assert log_ticks(0.9, 30) == [1, 2, 5, 10, 20] and [f"{t:g}" for t in linear_ticks(0.5, 2.1)][:2] == ["0.6", "0.8"]
    configs = [Config(f"{f} <-O{k}>", f, []) for f in ("lir", "gcc", "clang", "llc") for k in range(6)]
    results = [Result(c, 0.001 * (k % 6 + 1) * 3 ** (k // 6), {"a": 2.0 - 0.05 * k, "b": 2.2 - 0.07 * k}) for k, c in enumerate(configs)]
    svg = picture(results, configs[7], ["a", "b"])
    assert svg == picture(results, configs[7], ["a", "b"]), "the layout is the same each time"
    root = tree.fromstring(svg)
    circles = root.findall("{http://www.w3.org/2000/svg}circle")
    assert len(circles) == len(results) + 4, "a point each, and four in the legend"
    for c in circles:
        assert 0 < float(c.get("cx")) < WIDTH and 0 < float(c.get("cy")) < HEIGHT
    points = [(100.0, 100.0 + 3 * k) for k in range(12)]
    placed = [p for p in place_labels(points, ["some label"] * 12) if p]
    assert len(placed) >= 4 and len(set(placed)) == len(placed), "labels do not cover one another"
    text = tables(results, configs[7], ["a", "b"], [("m", "x", 0.5, 1000)])
    widths = {line.count("|") for line in text.split("\n\n")[1].splitlines()}
    assert widths == {6} and "| m | x | 500 | 1000 |" in text
    one = picture(results[:1], configs[0], ["a", "b"])
    tree.fromstring(one)
    print("self-test passed")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", default="target/dist", type=pathlib.Path, help="the folder of LIR's tools")
    ap.add_argument("--out", default=".", type=pathlib.Path, help="the folder for pareto.svg and pareto.md")
    ap.add_argument("--rounds", type=int, default=5)
    ap.add_argument("--scale", choices=["small", "full"], default="full", help="how much the kernels have to do")
    ap.add_argument("--only", default="", help="kernels whose names contain one of these, with commas between")
    ap.add_argument("--levels", default="0,1,2", help="levels of LIR")
    ap.add_argument("--allocators", default="", help="register allocators of LIR, with commas between [default: all]")
    ap.add_argument("--cc", action="append", help=f"other compilers [default: {', '.join(DEFAULT_CC)}]")
    ap.add_argument("--baseline", default="gcc -O1", help="the C compiler that others are compared with, and that links")
    ap.add_argument("--module", action="append", default=[], type=pathlib.Path, help="a larger module: .lir, .c or .ll")
    ap.add_argument("--cpu", type=int, help="run on this processor only")
    ap.add_argument("--self-test", action="store_true")
    a = ap.parse_args()
    if a.self_test:
        return self_test()
    if a.rounds < 1:
        fail("--rounds must be 1 or more")
    missing = [tool for tool in ("lir-llc", "lir-import") if not (a.bin / tool).is_file()]
    if missing:
        fail(f"there is no {missing[0]} in {a.bin}: build it (`cargo build --profile dist`), or say where it is with --bin")
    for module in a.module:
        if not module.is_file() or module.suffix not in (".lir", ".c", ".ll"):
            fail(f"--module {module}: a file that ends in .lir, .c or .ll is wanted")
    kernels = [k for k in SIZES if any(part in k for part in a.only.split(","))]
    if not kernels:
        fail(f"no kernel is called like `{a.only}`: there are {', '.join(SIZES)}")
    if a.cpu is not None:
        os.sched_setaffinity(0, {a.cpu})
    foreign = foreign_configs(list(dict.fromkeys([a.baseline, *(a.cc if a.cc is not None else DEFAULT_CC)])))
    baseline = next((c for c in foreign if c.name == a.baseline), None)
    if baseline is None or baseline.family == "llc":
        fail(f"`{a.baseline}`, with which all are compared, is no C compiler that is installed: name one with --baseline")
    allocators = [name for name in a.allocators.split(",") if name]
    configs = [*lir_configs(a.bin.resolve(), a.levels.split(","), allocators), *foreign]
    results = measure(configs, baseline, kernels, a.scale, a.rounds, a.bin.resolve())
    module_rows = measure_modules(a.module, configs, a.rounds)
    a.out.mkdir(parents=True, exist_ok=True)
    (a.out / "pareto.svg").write_text(picture(results, baseline, kernels))
    text = tables(results, baseline, kernels, module_rows)
    (a.out / "pareto.md").write_text(text)
    print(f"\n{text}\nwritten: {a.out / 'pareto.svg'}, {a.out / 'pareto.md'}")


if __name__ == "__main__":
    main()
