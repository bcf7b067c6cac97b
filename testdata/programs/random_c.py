"""Random expressions of C that are never undefined, for random_loops.py: the interval of every value is known."""
import math
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Type:
    """A type of C and the numbers that it holds. For floating point these are bounds that no computation passes."""
    name: str
    bits: int
    kind: str
    low: float
    high: float

    def holds(self, low, high):
        return self.low <= low and high <= self.high


def integer(name, bits, kind):
    low, high = (-1 << bits - 1, (1 << bits - 1) - 1) if kind == "signed" else (0, (1 << bits) - 1)
    return Type(name, bits, kind, low, high)


SCHAR, BYTE = integer("signed char", 8, "signed"), integer("unsigned char", 8, "unsigned")
SHORT, USHORT = integer("short", 16, "signed"), integer("unsigned short", 16, "unsigned")
INT, UNSIGNED = integer("int", 32, "signed"), integer("unsigned", 32, "unsigned")
LONG, ULONG = integer("long", 64, "signed"), integer("unsigned long", 64, "unsigned")
INT64, SIZE = integer("int64_t", 64, "signed"), integer("size_t", 64, "unsigned")
BOOL, INT128 = Type("_Bool", 8, "unsigned", 0, 1), integer("__int128", 128, "signed")
FLOAT, DOUBLE = Type("float", 32, "float", -2.0**100, 2.0**100), Type("double", 64, "float", -2.0**900, 2.0**900)

INTEGERS = [SCHAR, BYTE, SHORT, USHORT, INT, UNSIGNED, LONG, ULONG]
# Where a result may not fit a type, it is computed in one of these.
WIDER = {"int": [LONG, UNSIGNED], "long": [ULONG, INT128], "int64_t": [ULONG], "__int128": [ULONG], "float": [DOUBLE]}
# Elements of floating point stay below this.
MOST_FLOAT = 65536.0


def common(a, b):
    """The type in which C computes with operands of two types."""
    if "float" in (a.kind, b.kind):
        return max((t for t in (a, b) if t.kind == "float"), key=lambda t: t.bits)
    a, b = (INT if t.bits < 32 else t for t in (a, b))
    return max(a, b, key=lambda t: (t.bits, t.kind == "unsigned"))


@dataclass(frozen=True)
class Value:
    """An expression that may be an operand as it stands, its type and its interval."""
    text: str
    type: Type
    low: float
    high: float

    def interval(self, t):
        """The interval after an implicit conversion to a type."""
        return (self.low, self.high) if t.holds(self.low, self.high) else (t.low, t.high)

    def cast(self, t):
        v = self if t.kind == "float" else self.whole()
        return Value(f"({t.name}){v.text}", t, *v.interval(t))

    def whole(self):
        """This value, or an integer made of it."""
        v = self.scaled(2.0**30)
        return Value(f"(int){v.text}", INT, int(v.low) - 1, int(v.high) + 1) if v.type.kind == "float" else v

    def scaled(self, most):
        """A number of floating point so small that its conversion is defined. Integers stay as they are."""
        size = max(abs(self.low), abs(self.high), 1)
        if self.type.kind != "float" or size <= most:
            return self
        k = math.ceil(math.log2(size / most))
        text = f"({self.text} * 0x1p-{k}{'f' * (self.type is FLOAT)})"
        return replace(self, text=text, low=self.low * 2.0**-k, high=self.high * 2.0**-k)


def whole_range(name, t):
    return Value(name, t, t.low, t.high)


def constant(n, t=INT):
    text = str(n) + {"unsigned": "u", "long": "l", "unsigned long": "ul"}.get(t.name, "")
    return Value(f"({text})" if n < 0 else text, t, n, n)


@dataclass(frozen=True)
class Table:
    """Elements of one type: those of an array, or a member of the structures in one. The pattern has the indices."""
    pattern: str
    dims: tuple
    type: Type
    low: float
    high: float
    bits: str = ""
    writable: bool = True

    @property
    def owner(self):
        """The array that the first index belongs to."""
        return self.pattern.partition("[{}]")[0]

    def at(self, *index):
        return self.pattern.format(*index)

    def value(self, *index):
        """An element as an operand. The cast settles the type of a bit-field."""
        return Value(f"({self.type.name})" * bool(self.bits) + self.at(*index), self.type, self.low, self.high)


class Expressions:
    """Random expressions of the tables, counters of loops and other numbers in scope."""

    def __init__(self, rng, called):
        self.rng, self.called = rng, called
        self.tables, self.counters, self.numbers = [], [], []

    def expression(self, depth=2):
        if depth == 0 or self.rng.random() < 0.15:
            return self.leaf()
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        forms = [self.sum] * 3 + [self.bits, self.quotient, self.shift, self.compare, self.choose, self.cast]
        return self.rng.choice(forms + [self.call] * bool(self.called))(a, b)

    def leaf(self):
        rng, known = self.rng, self.counters + self.numbers
        if self.tables and rng.random() < 0.6:
            table = rng.choice(self.tables)
            return table.value(*map(self.index, table.dims))
        if known and rng.random() < 0.6:
            return rng.choice(known)
        t = rng.choice([INT, INT, UNSIGNED, LONG, ULONG])
        n = rng.choice([rng.randrange(10), rng.randrange(300), 1 << rng.randrange(t.bits - 1), t.high])
        return constant(-n if t.kind == "signed" and rng.random() < 0.3 else n, t)

    def index(self, limit):
        """The text of an index below a limit: near a counter, from an array of indices, or anything, masked."""
        rng, near = self.rng, []
        for c in self.counters:
            near += [self.plus("+", c, constant(d)) if d else c for d in (-1, 0, 0, 0, 1, 2)]
            near += [self.plus("-", constant(limit - 1), c), *(self.plus("+", c, d) for d in self.counters)]
            near += [self.plus("+", self.plus("*", c, n), d) for n in self.numbers for d in self.counters if d != c]
            near += [t.value(c.text) for t in self.tables if len(t.dims) == 1 and c.high < t.dims[0] and t.high < 64]
        near = [v.text for v in near if v.type.kind != "float" and 0 <= v.low and v.high < limit]
        if near and rng.random() < 0.85:
            return rng.choice(near)
        wild = [v for v in self.counters + self.numbers if v.type.kind != "float"]
        if not wild or rng.random() < 0.5:
            return str(rng.randrange(limit))
        v = rng.choice(wild)
        v = self.plus(rng.choice("+*"), v, rng.choice(wild)) if rng.random() < 0.5 else v
        return f"{v.text} & {limit - 1}" if limit & limit - 1 == 0 else f"(unsigned){v.text} % {limit}"

    def plus(self, op, a, b):
        """A sum, difference or product: unsigned or in a wider type if it might not fit a signed one."""
        t = common(a.type, b.type)
        ends = [{"+": x + y, "-": x - y, "*": x * y}[op] for x in a.interval(t) for y in b.interval(t)]
        text, fits = f"({a.text} {op} {b.text})", t.holds(min(ends), max(ends))
        if fits or t.kind == "unsigned":
            return Value(text, t, min(ends), max(ends)) if fits else whole_range(text, t)
        if t is DOUBLE:
            return a
        wider = self.rng.choice(WIDER[t.name])
        return self.plus(op, a.cast(wider), b if b.type.bits <= wider.bits else b.cast(wider))

    def sum(self, a, b):
        return self.plus(self.rng.choice("++-*"), a, b)

    def bits(self, a, b):
        a, b = a.whole(), b.whole()
        t, op = common(a.type, b.type), self.rng.choice("&|^")
        ends = [*a.interval(t), *b.interval(t)]
        size = max((x if x >= 0 else ~x).bit_length() for x in ends)
        return Value(f"({a.text} {op} {b.text})", t, 0 if min(ends) >= 0 else -1 << size, (1 << size) - 1)

    def masked(self, a, mask):
        a = a.whole()
        return Value(f"({a.text} & {mask})", common(a.type, INT), 0, mask)

    def quotient(self, a, b):
        """A quotient or remainder; the divisor is positive."""
        rng, a = self.rng, a.whole()
        d = constant(rng.choice([2, 3, 7, 8, 10, 100, 256]))
        if rng.random() < 0.3:
            d = self.plus("+", self.masked(b, rng.choice([7, 63])), constant(1))
        t = common(a.type, d.type)
        low, high = a.interval(t)
        if rng.random() < 0.5:
            return Value(f"({a.text} / {d.text})", t, min(low, 0), max(high, 0))
        return Value(f"({a.text} % {d.text})", t, 1 - d.high if low < 0 else 0, d.high - 1)

    def shift(self, a, b):
        """A shift by less than the width; to the left only of numbers that fit or are unsigned. Or a rotation."""
        rng, a = self.rng, a.whole()
        t = common(a.type, INT)
        by = constant(rng.randrange(1, t.bits)) if rng.random() < 0.7 else self.masked(b, t.bits - 1)
        if rng.random() < 0.5:
            return Value(f"({a.text} >> {by.text})", t, min(a.low, 0), max(a.high, 0))
        if a.low >= 0 and t.holds(0, a.high << by.high):
            return Value(f"({a.text} << {by.text})", t, 0, a.high << by.high)
        u = UNSIGNED if t.bits == 32 else ULONG
        x, k = f"({u.name}){a.text}", rng.randrange(1, u.bits)
        by = by if by.high < u.bits else self.masked(by, u.bits - 1)
        return whole_range(f"({x} << {k} | {x} >> {u.bits - k})" if rng.random() < 0.3 else f"({x} << {by.text})", u)

    def compare(self, a, b):
        return Value(f"({a.text} {self.rng.choice(['<', '<=', '>', '>=', '==', '!='])} {b.text})", INT, 0, 1)

    def choose(self, a, b):
        t = common(a.type, b.type)
        ends = [*a.interval(t), *b.interval(t)]
        test = self.compare(a, b) if self.rng.random() < 0.5 else self.compare(self.leaf(), self.leaf())
        return Value(f"({test.text} ? {a.text} : {b.text})", t, min(ends), max(ends))

    def cast(self, a, b):
        return a.cast(self.rng.choice(INTEGERS))

    def call(self, a, b):
        name, t = self.rng.choice(self.called)
        return whole_range(f"{name}({a.whole().text}, {b.whole().text})", t)
