"""Random functions of C with loops, for random_loops.py: nests of loops of all forms, and whole algorithms."""
import re
from contextlib import contextmanager
from dataclasses import replace
from string import Template

from random_c import (BOOL, BYTE, DOUBLE, FLOAT, INT, INT64, INT128, INTEGERS, LONG, MOST_FLOAT, SCHAR, SHORT, SIZE,
                      ULONG, UNSIGNED, USHORT, Expressions, Table, Value, common, constant, whole_range)

# The rounds of a loop times those of all loops around it. An array of one dimension has so many elements past the end
# that a function sees: it may be given the address of an element other than the first.
ROUNDS, SLACK = 1500, 8
COUNTERS = [INT, INT, INT, UNSIGNED, SHORT, SCHAR, BYTE, LONG, SIZE, INT64, USHORT]

# How loops begin and end, and what they need. $t is the type of the counter $i (and $j), $n the limit, $a the least
# number, $s a step, $x an array. Counters are below the limit; `from 1` means from 1 up to it.
LOOPS = [
    ("for ($t $i = $a; $i < $n; $i++) {", "}", ""),
    ("for ($t $i = $a; $i < $n; ++$i) {", "}", ""),
    ("for ($t $i = $a; $i < $n; $i += $s) {", "}", ""),
    ("for ($t $i = 0; $i != $n; $i++) {", "}", "natural"),
    ("for ($t $i = 1; $i <= $n; $i++) {", "}", "from 1"),
    ("for ($t $i = ($t)$n - 1; $i >= $a; $i--) {", "}", "signed"),
    ("for ($t $i = ($t)$n - 1; $i >= $a; $i -= $s) {", "}", "signed"),
    ("for ($t $i = $n; $i-- > $a;) {", "}", ""),
    ("for ($t $i = ($t)-1; ++$i < $n;) {", "}", "natural"),
    ("for ($t $i = $a;; $i++) {\nif ($i >= $n) break;", "}", ""),
    ("for ($t $i = $n; $i != 0; $i /= 2) {", "}", "from 1, natural"),
    ("for ($t $i = 1; $i <= $n; $i *= 2) {", "}", "from 1"),
    ("for ($t $i = $a, $j = ($t)$n - 1; $i < $j; $i++, $j--) {", "}", "signed"),
    ("$t $i = $a;\nwhile ($i < $n) {", "$i += $s;\n}", "no continue"),
    ("$t $i = $n;\nwhile ($i > $a) {\n$i--;", "}", ""),
    ("$t $i = $a;\ndo {", "} while (++$i < $n);", ""),
    ("$t $i = $a;\ndo {", "} while (($i += $s) < $n);", ""),
    ("$t $i = $a;\nfor (;;) {\nif ($i >= $n) break;", "$i++;\n}", "no continue"),
    ("for (__typeof__($x[0]) *$i = $x; $i != $x + $n; $i++) {", "}", "pointer, natural"),
    ("for (__typeof__($x[0]) *$i = $x, *$j = $i + $n; $i < $j; ++$i) {", "}", "pointer, natural"),
    ("__typeof__($x[0]) *$i = $x + $n;\nwhile ($i != $x) {\n--$i;", "}", "pointer, natural"),
    ("unsigned char $i = $s;\ndo {", "} while (++$i != $s);", "wheel"),
]

# Whole algorithms. A<..> and B<..> are elements of two tables, $e is the type of A's, $n a limit for both, $m the last
# index of A, $q a limit whose square is in A, $k a number, and $r what they find, of type unsigned long.
WHOLE = """
for ($t $i = 0, $j = ($t)$n - 1; $i < $j; $i++, $j--) { $e $v = A<$i>; A<$i> = A<$j>; A<$j> = $v; }

for ($t $i = 1; $i < $n; $i++) {
$e $v = A<$i>;
$t $j = $i;
while ($j > 0 && A<$j - 1> > $v) { A<$j> = A<$j - 1>; $j--; }
A<$j> = $v;
}

$t $i = 0, $j = $n;
while ($i < $j) { $t $v = $i + ($j - $i) / 2; if (B<$v> < $k) $i = $v + 1; else $j = $v; }
$r += $i;

for ($t $i = 0; $i < $n; $i++) { if (B<$i> == $k) { $r = $i; break; } if (B<$i> > A<$i>) { $r = ~$i; break; } }

$t $j = 0;
for ($t $i = 1; $i < $n; $i++) if (B<$i> < B<$j>) $j = $i;
$r = $j * 3ul + (B<$j> > $k);

for ($t $i = 1; $i < $n; $i++) A<$i> = (unsigned long)A<$i - 1> + B<$i>;

for ($t $i = 1; $i + 1 < $n; $i++) A<$i> = ((unsigned)B<$i - 1> + 2 * (unsigned)B<$i> + (unsigned)B<$i + 1>) / 4;

$t $i = 0;
$e $v = A<0>;
for (; $i + 1 < $n; $i++) A<$i> = A<$i + 1>;
A<$i> = $v;

$t $i = 0;
$e $v = A<$m>;
A<$m> = 0;
while (A<$i>) $i++;
A<$m> = $v;
$r += $i;

$t $i = 0, $j = ($t)$n - 1;
while ($i <= $j) {
while ($i <= $j && A<$i> < $k) $i++;
while ($i <= $j && A<$j> >= $k) $j--;
if ($i < $j) { $e $v = A<$i>; A<$i> = A<$j>; A<$j> = $v; }
}
$r += $j;

$t $j = 0;
for ($t $i = 0; $i < $n; $i++) if (A<$i> & 1) A<$j++> = A<$i>;
$r += $j;

for ($t $i = 2; $i < $n; $i++) if (A<$i>) for ($t $j = $i + $i; $j < $n; $j += $i) A<$j> = 0;

$t $j = 0;
for ($t $i = 0; $i < $n; $i = $j) { for ($j = $i + 1; $j < $n && B<$j> == B<$i>; $j++) ; $r = $r * 3 + ($j - $i); }

for ($t $i = 1; $i < $q; $i++) for ($t $j = 0; $j < $i; $j++) {
$e $v = A<$i * $q + $j>;
A<$i * $q + $j> = A<$j * $q + $i>;
A<$j * $q + $i> = $v;
}

for ($t $i = 1; $i < $n; $i++) for ($t $j = $i; $j > 0; $j--) A<$j> = (unsigned long)A<$j> + A<$j - 1>;

$t $i = 0;
for (; $i + 4 <= $n; $i += 4) $r += (unsigned long)B<$i> ^ B<$i + 1> ^ B<$i + 2> ^ B<$i + 3>;
for (; $i < $n; $i++) $r ^= (unsigned long)B<$i> << 3;

for ($t $i = 0; $i < $n; $i++) { $r = $r << 5 | $r >> 59; $r ^= (unsigned long)B<$i>; }

for ($t $i = 0; $i < $n; $i++) A<$i> = B<$n - 1 - $i> & 127;

for ($t $i = 0; $i < $n; $i++) A<$i> = 0;

for ($t $i = 0; $i < $n; $i++) { A<$i> = (unsigned long)B<$i> ^ 85; if (!A<$i>) break; }
""".strip().split("\n\n")


class Function(Expressions):
    """A random function: loops over arrays that it is given and over some of the program's."""

    def __init__(self, rng, name, stores, called):
        super().__init__(rng, called)
        self.lines, self.declared, self.results, self.names = [], [], [], 0
        self.trips, self.continues, self.label, self.labelled = 1, [], "", False
        self.restrict, self.stores = rng.random() < 0.4, rng.sample(stores * 2, rng.randrange(1, 4))
        parameters = [s.parameter(f"p{k}", "restrict " * self.restrict) for k, s in enumerate(self.stores)]
        for k, store in enumerate(self.stores):
            self.tables += store.tables(f"p{k}")
        for store in [s for s in stores if s not in self.stores][:2]:
            self.tables += store.tables(f"{store.name}x")
        limits = rng.choices(COUNTERS, k=rng.randrange(1, 3))
        self.limits = [Value(f"n{k}", t, 0, rng.choice([5, 9, 13, 30])) for k, t in enumerate(limits)]
        self.numbers = [*self.limits, whole_range("key", rng.choice(INTEGERS))]
        parameters += [f"{v.type.name} {v.text}" for v in self.numbers]
        before = rng.choice(["", "", "static ", "__attribute__((noinline)) ", "static __attribute__((noinline)) "])
        self.name, self.head = name, f"{before}unsigned long {name}({', '.join(parameters)}) {{"
        self.body()

    def body(self):
        for _ in range(self.rng.randrange(2)):
            self.local()
        for k in range(self.rng.randrange(2, 5)):
            self.label, self.labelled = f"out{k}", False
            self.rng.choice([self.nest, self.nest, self.nest, self.whole, self.whole, self.move])()
            if self.labelled:
                self.emit(f"{self.label}:;")
        self.emit("unsigned long hash = 0;")
        for v in self.results:
            number = f"bits({v.text})" if v.type.kind == "float" else f"(unsigned long){v.text}"
            self.emit(f"hash = hash * 1000003 + {number};")
        self.emit("return hash;\n}")

    def text(self):
        return "\n".join([self.head, *self.declared, *self.lines])

    def invocation(self):
        """A call with random objects, distinct ones for `restrict`, and random numbers."""
        rng, arguments = self.rng, []
        ends = {s: rng.sample("xy", 2) for s in self.stores}
        for s in self.stores:
            end = ends[s].pop() if self.restrict else rng.choice("xy")
            offset = f" + {rng.randrange(SLACK + 1)}" * (s.slack > 0 and rng.random() < 0.4)
            arguments.append(f"{s.name}{end}{offset}")
        arguments += [str(rng.choice([v.high, rng.randrange(v.high + 1)])) for v in self.limits]
        return f"{self.name}({', '.join([*arguments, str(rng.randrange(-100, 100))])})"

    def emit(self, text):
        self.lines += text.split("\n")

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def result(self, t, low, high, start=0):
        """A variable that all loops may change and that the function's result depends on."""
        v = Value(self.fresh("r"), t, low, high)
        self.declared.append(f"{t.name} {v.text} = {start};")
        self.numbers, self.results = self.numbers + [v], self.results + [v]
        return v

    def local(self):
        """An array in the frame, or a constant one."""
        t, n, name = self.rng.choice(INTEGERS), self.rng.choice([4, 8, 13, 16]), self.fresh("t")
        fixed = self.rng.random() < 0.5
        values = ", ".join(str(self.rng.randrange(127)) for _ in range(self.rng.randrange(1, n + 1)))
        self.declared.append(f"{'static const ' * fixed}{t.name} {name}[{n}] = {{{values}}};")
        self.tables.append(Table(name + "[{}]", (n,), t, t.low, t.high, writable=not fixed))

    def limit(self, most, natural=True):
        """A limit of a loop, from 1 up to `most`: a constant or a number near a parameter or an outer counter."""
        known = self.limits + self.counters
        known = known + [self.plus("+", v, constant(d)) for v in known for d in (1, -1, -2)] + \
            [Value(f"({v.text} / 2)", common(v.type, INT), v.low // 2, v.high // 2) for v in known]
        known = [v for v in known if 1 <= v.high <= most and (v.low >= 0 or not natural and v.type.kind == "signed")]
        fixed = constant(most if self.rng.random() < 0.5 else self.rng.randrange(1, most + 1))
        return self.rng.choice(known) if known and self.rng.random() < 0.75 else fixed

    def counter(self, most, signed):
        return self.rng.choice([t for t in COUNTERS if 2 * most + 8 <= t.high and (t.kind == "signed" or not signed)])

    @contextmanager
    def loop(self):
        """A loop of a random form around what is emitted inside. Its counters and `*p` are in scope there."""
        rng, before = self.rng, (self.tables, self.counters, self.trips)
        begin, end, needs = rng.choice([f for f in LOOPS if f[2] != "wheel" or self.trips * 256 <= ROUNDS])
        table = rng.choice([t for t in self.tables if t.dims])
        most = max(1, min(ROUNDS // self.trips, table.dims[0], 16 if self.counters else 99))
        t = self.counter(most, "signed" in needs)
        n = self.limit(most, "natural" in needs or t.kind == "unsigned")
        # A signed counter may become negative, and must not be compared as unsigned.
        lower = [v for v in self.counters
                 if v.high < n.high and (t.kind == "unsigned" or common(t, v.type).kind == "signed")]
        a = rng.choice(lower) if lower and rng.random() < 0.4 else constant(min(rng.choice([0, 0, 0, 1]), n.high - 1))
        i, low, high = self.fresh("i"), *((a.low, max(n.high - 1, a.high)) if "$a" in begin else (0, n.high - 1))
        self.emit(Template(begin).substitute(
            names := dict(t=t.name, i=i, j=f"{i}j", n=n.text, a=a.text, s=rng.choice([1, 2, 3, 7]), x=table.owner)))
        counters = [Value(i, t, low, high)] + [Value(f"{i}j", t, low, high)] * ("$j" in begin)
        if "pointer" in needs:
            counters = [Value(f"({i} - {table.owner})", LONG, 0, high)]
            there = [replace(x, pattern=x.pattern.replace(x.owner + "[{}]", f"(*{i})", 1), dims=x.dims[1:])
                     for x in self.tables if x.dims and x.owner == table.owner]
            self.tables = self.tables + 3 * there
        elif "wheel" in needs:
            counters, n = [Value(i, BYTE, 0, 255)], constant(256)
        elif "from 1" in needs:
            counters = [Value(i, t, 1, n.high)]
        self.counters, self.trips = self.counters + counters, self.trips * n.high
        self.continues.append("no continue" not in needs)
        yield
        self.emit(Template(end).substitute(names))
        self.continues.pop()
        self.tables, self.counters, self.trips = before

    def nest(self):
        """A loop with statements and loops in it."""
        with self.loop():
            for _ in range(self.rng.randrange(1, 4)):
                deeper = [self.nest] * 3 if len(self.continues) < 3 and self.trips * 2 <= ROUNDS else []
                plain = [self.store, self.store, self.stencil, self.reduce, self.reduce]
                self.rng.choice([*plain, self.condition, self.switch, self.leave, *deeper])()

    def simple(self):
        self.rng.choice([self.store, self.reduce])()

    def store(self):
        """An assignment to an element."""
        table = self.rng.choice([t for t in self.tables if t.writable] or [None])
        if not table:
            return self.reduce()
        index = [self.index(d) for d in table.dims]
        place, old, v = table.at(*index), table.value(*index), self.expression(self.rng.randrange(1, 4))
        if table.type.kind == "float":
            v = v if v.type.kind == "float" else v.cast(DOUBLE)
            self.emit(f"{place} = {v.scaled(MOST_FLOAT).text};")
        elif self.rng.random() < 0.3:
            self.emit(f"{place} = {self.plus(self.rng.choice('+-*'), old, v.whole()).text};")
        else:
            self.emit(f"{place} {self.rng.choice(['^=', '|=', '&=', '=', '=', '='])} {v.whole().text};")

    def stencil(self):
        """An element made of its neighbours, or of those of another table."""
        places = [(t, c) for t in self.tables for c in self.counters if len(t.dims) == 1 and c.high < t.dims[0]]
        kept = [(t, c) for t, c in places if t.writable and t.type.kind != "float"]
        if not kept:
            return self.store()
        (a, i), (b, j) = self.rng.choice(kept), self.rng.choice(places)
        near = [self.plus("+", j, constant(d)) if d else j for d in (-2, -1, 0, 1, 2)]
        terms = [b.value(v.text) for v in near if 0 <= v.low and v.high < b.dims[0]]
        total = terms[0]
        for term in self.rng.sample(terms[1:], self.rng.randrange(len(terms))):
            weight = self.plus("*", term, constant(self.rng.randrange(2, 5)))
            total = self.plus(self.rng.choice("++-"), total, term if self.rng.random() < 0.6 else weight)
        self.emit(f"{a.at(i.text)} = {total.whole().text};")

    def reduce(self):
        """A result that goes through the rounds of the loops: a sum, product, least number, count or hash."""
        rng, v = self.rng, self.expression()
        t = rng.choice(INTEGERS * 2 + [INT128, FLOAT, DOUBLE])
        kinds = ["sum", "sum", "sum", "least", "count"] + ["product", "xor", "hash"] * (t.kind != "float")
        kind = rng.choice(kinds) if t not in (UNSIGNED, ULONG) else rng.choice([*kinds, "hash"])
        if t.kind == "float":
            v = (v if v.type.kind == "float" else v.cast(DOUBLE)).scaled(2.0**60)
        else:
            v = v.whole()
        low, high = self.trips * min(v.low, -1), self.trips * max(v.high, 1)
        bounded = t.kind == "float" or kind in ("sum", "count") and t.holds(low, high)
        r = self.result(t, *((low, high) if bounded else (t.low, t.high)), start=1 if kind == "product" else 0)
        if kind in ("sum", "product"):
            op = "+" if kind == "sum" else "*"
            new = self.plus(op, r, v).text
            self.emit(f"{r.text} {op}= {v.text};" if new == f"({r.text} {op} {v.text})" else f"{r.text} = {new};")
        elif kind == "least":
            test = f"{v.text} {rng.choice('<>')} {r.text}"
            self.emit(rng.choice([f"if ({test}) {r.text} = {v.text};", f"{r.text} = {test} ? {v.text} : {r.text};"]))
        elif kind == "count":
            self.emit(f"{r.text} += {self.compare(v, self.leaf()).text};")
        elif kind == "hash" and t in (UNSIGNED, ULONG):
            k = rng.randrange(1, t.bits)
            self.emit(f"{r.text} = ({r.text} << {k} | {r.text} >> {t.bits - k}) ^ {v.text};")
        else:
            self.emit(f"{r.text} ^= {v.text};")

    def condition(self):
        self.emit(f"if ({self.expression().text}) {{")
        self.simple()
        if self.rng.random() < 0.5:
            self.emit("} else {")
            self.simple()
        self.emit("}")

    def switch(self):
        mask = self.rng.choice([3, 7, 7, 255])
        self.emit(f"switch ({self.masked(self.expression(), mask).text}) {{")
        for case in sorted(self.rng.sample(range(mask + 1), self.rng.randrange(2, 5))):
            self.emit(f"case {case}:")
            self.simple()
            if self.rng.random() < 0.7:
                self.emit("break;")
        self.emit("default:")
        self.simple()
        self.emit("}")

    def leave(self):
        """The next round, or an exit that is rarely taken."""
        ways = ["break;", "break;", "return 17;", f"goto {self.label};"] + ["continue;"] * (4 * self.continues[-1])
        way = self.rng.choice(ways)
        self.labelled |= "goto" in way
        test = self.masked(self.expression(), 3 if way == "continue;" else self.rng.choice([31, 255])).text
        self.emit(f"if ({test} == {self.rng.randrange(4)}) {way}")

    def line(self, tables, last=False):
        """A table of one dimension: all indices of a table but one, or but the last, are constants."""
        table = self.rng.choice(tables)
        k = len(table.dims) - 1 if last else self.rng.randrange(len(table.dims))
        index = ["{}" if d == k else self.rng.randrange(n) for d, n in enumerate(table.dims)]
        return replace(table, pattern=table.at(*index), dims=(table.dims[k],))

    def whole(self):
        """One of the algorithms."""
        rng, text = self.rng, self.rng.choice(WHOLE)
        known = [t for t in self.tables if t.type.kind != "float" or not re.search(r"\(unsigned| & ", text)]
        changed = [t for t in known if t.writable]
        if not changed:
            return self.nest()
        a, b = self.line(changed), self.line(known)
        most = min(a.dims[0], b.dims[0])
        t = self.counter(a.dims[0], "($t)" in text)
        r = self.result(ULONG, ULONG.low, ULONG.high).text if "$r" in text else ""
        text = Template(text).substitute(
            t=t.name, e=a.type.name, i=self.fresh("i"), j=self.fresh("i"), v=self.fresh("v"), r=r,
            n=self.limit(most).text, m=a.dims[0] - 1, q=self.limit(int(a.dims[0]**0.5)).text,
            k=constant(rng.randrange(-100, 100)).text)
        self.emit(re.sub(r"([AB])<(.*?)>", lambda m: (a if m[1] == "A" else b).at(m[2]), text))

    def move(self):
        """A call of memset, memcpy or, if the objects may be one, memmove."""
        known = [t for t in self.tables if t.pattern.endswith("[{}]")]
        if not [t for t in known if t.writable]:
            return self.nest()
        a = self.line([t for t in known if t.writable], last=True)
        same = [t for t in known if t.type == a.type and t.high <= a.high]
        size = lambda most: f"{self.limit(most).text} * sizeof {a.at(0)}"
        if not same or self.rng.random() < 0.4:
            number = 0 if a.type in (BOOL, FLOAT, DOUBLE) else self.masked(self.leaf(), 255).text
            return self.emit(f"memset(&{a.at(0)}, {number}, {size(a.dims[0])});")
        b = self.line(same, last=True)
        distinct = self.restrict and re.match(r"\w+", a.pattern)[0] != re.match(r"\w+", b.pattern)[0]
        name = "memcpy" if distinct else "memmove"
        self.emit(f"{name}(&{a.at(0)}, &{b.at(0)}, {size(min(a.dims[0], b.dims[0]))});")
