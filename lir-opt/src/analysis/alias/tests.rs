//! Tables of pairs of accesses.

use super::{AliasOracle, Location, Overlap, Relation};
use crate::analysis::assignments::Assignments;
use lir_syntax::ir::{Cfg, FuncId, Inst, Module, Opcode};

/// Declarations for all texts here.
const DECLS: &str = "
type :pair = { i64, i64 }
data @x = { zero 64 }
data @y = { zero 64 }
const data @k = { zero 64 }
extern data @e
extern data @g
extern const data @ek
extern func @unknown(i64)
extern func @none(i64) readnone
extern func @only(i64) readonly
extern func @setjmp(i64) -> i32 returns_twice
extern func @pair(:pair) -> :pair readnone
";

/// A function, its oracle, and its instructions in order.
struct Checked {
    module: Module,
    oracle: AliasOracle,
    insts: Vec<Inst>,
}

impl Checked {
    fn new(text: &str) -> Checked {
        let module: Module = format!("{DECLS}{text}").parse().unwrap();
        let f = &module.funcs[FuncId::from_u32(0)];
        let cfg = Cfg::new(f);
        let mut assignments = Assignments::default();
        assignments.count(f);
        let mut oracle = AliasOracle::default();
        oracle.reset(&module.decls, f, &cfg, Some(&assignments));
        let insts = f.layout().blocks().flat_map(|b| f.layout().insts(b).collect::<Vec<_>>()).collect();
        Checked { module, oracle, insts }
    }
    fn f(&self) -> &lir_syntax::ir::Function {
        &self.module.funcs[FuncId::from_u32(0)]
    }
    /// The last `n` instructions before the last.
    fn last(&self, n: usize) -> &[Inst] {
        &self.insts[self.insts.len() - 1 - n..self.insts.len() - 1]
    }
    fn location(&self, i: Inst) -> Location {
        self.oracle.location(self.f(), i).expect("the instruction accesses one location")
    }
    fn escaped(&self) -> Vec<bool> {
        self.f().stack_objects().map(|(o, _)| self.oracle.escapes(o)).collect()
    }
}

/// Registers for the tables: `$a`, `$b` and the alloca `%m` stay, `$z` and `%n` escape.
const SETUP: &str = "
func @f(%p: i64, %q: i64, %i: i64, %j: i64, %c: i8) {
  stack $a: 64
  stack $b: 64
  stack $z: 64
entry:
  %a8 = lea [$a + 8]
  %a12 = add i64 %a8, 4
  %ai = lea [$a + %i*8]
  %an = and i64 %ai, -16
  %as = select i64 %c, %a8, %a12
  %x8 = lea [@x + 8]
  %xi = add i64 %i, %x8
  %p8 = add i64 %p, 8
  %pm = sub i64 %p, 8
  %far = add i64 %p, 9223372036854775807
  %far2 = sub i64 %p, 9223372036854775807
  %i1 = add i64 %i, 1
  %k64 = const i64 64
  %m = alloca 16, 16
  %n = alloca 16, 16
  %zz = lea [$z]
  call @unknown(%zz)
  call @unknown(%n)
  %s = load i64 [@e]
  %dup = add i64 %s, 1
  %dup = add i64 %s, 2
";

fn check_relations(rows: &[(&str, &str, Relation)]) {
    for (a, b, expected) in rows {
        let (a_type, a_mem) = a.split_once(' ').unwrap();
        let (b_type, b_mem) = b.split_once(' ').unwrap();
        let text = format!("{SETUP}  %l = load {a_type} {a_mem}\n  %r = load {b_type} {b_mem}\n  ret\n}}\n");
        let checked = Checked::new(&text);
        let [l, r] = *checked.last(2) else { panic!("two accesses stand last") };
        let (l, r) = (checked.location(l), checked.location(r));
        let decls = &checked.module.decls;
        assert_eq!(checked.oracle.relation(decls, &l, &r), *expected, "{a} and {b}: {l:?}, {r:?}");
        let mirrored = match *expected {
            Relation::Must(Overlap::Covers) => Relation::Must(Overlap::Within),
            Relation::Must(Overlap::Within) => Relation::Must(Overlap::Covers),
            same => same,
        };
        assert_eq!(checked.oracle.relation(decls, &r, &l), mirrored, "{b} and {a}");
    }
}

const SAME: Relation = Relation::Must(Overlap::Same);
const COVERS: Relation = Relation::Must(Overlap::Covers);
const PARTIAL: Relation = Relation::Must(Overlap::Partial);

#[test]
fn ranges_in_one_object() {
    check_relations(&[
        ("i32 [$a]", "i32 [$a]", SAME),
        ("f32 [$a]", "i32 [$a]", SAME),
        ("i32 [$a]", "i32 [$a + 4]", Relation::No),
        ("i64 [$a]", "i32 [$a + 4]", COVERS),
        ("i64 [$a]", "i8 [$a]", COVERS),
        ("i64 [$a]", "i64 [$a + 4]", PARTIAL),
        ("i64 [$a]", "i64 [$a + 8]", Relation::No),
        ("i32 [$a + 8]", "i32 [%a8]", SAME),
        ("i32 [$a + 12]", "i32 [%a12]", SAME),
        ("i32 [$a + 8]", "i32 [%a12 - 4]", SAME),
        ("i32 [@x + 8]", "i64 [%x8]", Relation::Must(Overlap::Within)),
        ("i32 [@x]", "i32 [@x + 4]", Relation::No),
    ]);
}

/// Variable and negative offsets, and sums that wrap.
#[test]
fn variable_and_negative_offsets() {
    check_relations(&[
        ("i32 [$a + 4]", "i32 [$a + %i*4]", Relation::May),
        ("i32 [$a + %i*4]", "i32 [$a + %i*4 + 4]", Relation::No),
        ("i32 [$a + %i*4]", "i32 [$a + %i*4]", SAME),
        ("i32 [$a + %i*4]", "i32 [$a + %i*8]", Relation::May),
        ("i32 [$a + %i*4]", "i32 [$a + %j*4]", Relation::May),
        ("i32 [$a + %i*4]", "i32 [$a + %i1*4]", Relation::No),
        ("i32 [$a + %i*4 + 4]", "i32 [$a + %i1*4]", SAME),
        ("i32 [%ai]", "i32 [$a + %i*8 + 2]", PARTIAL),
        ("i32 [%an]", "i32 [$a]", Relation::May),
        ("i32 [%an]", "i32 [$b]", Relation::No),
        ("i32 [%as]", "i32 [$a + 8]", Relation::May),
        ("i32 [%as]", "i32 [$b + 8]", Relation::No),
        ("i32 [%p]", "i32 [%p - 4]", Relation::No),
        ("i32 [%p]", "i32 [%p - 2]", PARTIAL),
        ("i32 [%p8 - 8]", "i32 [%p]", SAME),
        ("i32 [%pm + 8]", "i32 [%p]", SAME),
        ("i64 [%far]", "i64 [%far2]", PARTIAL),
        ("i64 [%far + 1]", "i64 [%pm]", Relation::No),
        ("i32 [%p + %i*4]", "i32 [%p + %i*4 + 4]", Relation::No),
        ("i32 [%p + %i*4]", "i32 [%q + %i*4 + 4]", Relation::May),
        ("i32 [%p + %k64]", "i32 [%p + 64]", SAME),
        ("i32 [64]", "i32 [%k64]", SAME),
        ("i32 [64]", "i32 [68]", Relation::No),
        ("i32 [%i*8 + 64]", "i32 [%i*8 + 68]", Relation::No),
        ("i32 [%dup]", "i32 [%dup]", Relation::May),
        ("i32 [%dup]", "i32 [%dup + 4]", Relation::May),
    ]);
}

#[test]
fn families() {
    check_relations(&[
        ("i32 [$a]", "i32 [$b]", Relation::No),
        ("i32 [@x]", "i32 [@y]", Relation::No),
        ("i32 [@x]", "i32 [@e]", Relation::No),
        ("i32 [@e]", "i32 [@g]", Relation::May),
        ("i32 [@e]", "i32 [@e + 4]", Relation::No),
        ("i32 [$a]", "i32 [@x]", Relation::No),
        ("i32 [$z]", "i32 [@x]", Relation::No),
        ("i32 [%s]", "i32 [$a]", Relation::No),
        ("i32 [%s]", "i32 [$z]", Relation::May),
        ("i32 [%s]", "i32 [@x]", Relation::May),
        ("i32 [%s]", "i32 [%q]", Relation::May),
        ("i32 [%s]", "i32 [%m]", Relation::No),
        ("i32 [%s]", "i32 [%n]", Relation::May),
        ("i32 [%p]", "i32 [@x]", Relation::May),
        ("i32 [%p + 8]", "i32 [$z]", Relation::No),
        ("i32 [%p + %i]", "i32 [$z]", Relation::May),
        ("i32 [%p]", "i32 [%m]", Relation::No),
        ("i32 [%m]", "i32 [%n]", Relation::No),
        ("i32 [%m]", "i32 [%m + 4]", Relation::No),
        ("i32 [%m]", "i32 [$z]", Relation::No),
        ("i32 [%m]", "i32 [@x]", Relation::No),
        ("i32 [%xi]", "i32 [@x]", Relation::May),
        ("i32 [%xi]", "i32 [@y]", Relation::No),
        ("i32 [64]", "i32 [$z]", Relation::May),
        ("i32 [%dup]", "i32 [$a]", Relation::No),
        ("i32 [%dup]", "i32 [$z]", Relation::May),
    ]);
}

/// `%p` is `noalias` and stays; `%e` is `noalias` and escapes.
const NOALIAS: &str = "
extern func @new() -> i64 noalias
func @f(%p: i64 noalias, %e: i64 noalias, %q: i64, %i: i64) {
  stack $a: 64
entry:
  %p8 = add i64 %p, 8
  %pi = lea [%p + %i*4]
  %old = load i64 [%q]
  %n = call i64 @new()
  call @unknown(%e)
  jmp next
next:
  %pp = phi i64 [%p, entry], [%pn, next]
  %pn = add i64 %pp, 4
  br ne i64 %pn, 0, next, done
done:
";

#[test]
fn noalias_parameters_and_results() {
    for (a, b, expected) in [
        ("%p", "%q", Relation::No),
        ("%p8", "%q", Relation::No),
        ("%pi", "%q + 4", Relation::No),
        ("%pp", "%q", Relation::No),
        ("%pp", "%p", Relation::May),
        ("%p", "%p8 - 8", SAME),
        ("%p", "%old", Relation::No),
        ("%p", "@x", Relation::No),
        ("%p", "$a", Relation::No),
        ("%p", "%e", Relation::No),
        ("%p", "%n", Relation::No),
        ("%n", "%q", Relation::No),
        ("%n", "%old", Relation::No),
        ("%e", "%q", Relation::No),
        ("%e", "%old", Relation::May),
        ("%e", "@x", Relation::No),
        ("%q", "%old", Relation::May),
    ] {
        let checked = Checked::new(&format!("{NOALIAS}  %l = load i32 [{a}]\n  %r = load i32 [{b}]\n  ret\n}}\n"));
        let [l, r] = *checked.last(2) else { panic!("two accesses stand last") };
        let (l, r) = (checked.location(l), checked.location(r));
        assert_eq!(checked.oracle.relation(&checked.module.decls, &l, &r), expected, "{a} and {b}: {l:?}, {r:?}");
    }
    // Another function cannot get at what stays.
    let checked = Checked::new(&format!("{NOALIAS}  call @unknown(%q)\n  store i32 [%p], 1\n  ret\n}}\n"));
    let [call, store] = *checked.last(2) else { panic!("two instructions stand last") };
    let (decls, f, location) = (&checked.module.decls, checked.f(), checked.location(store));
    assert!(!checked.oracle.clobbers(decls, f, call, &location));
    // It is seen after the return.
    assert!(checked.oracle.is_visible(&location) && !checked.oracle.is_writable(decls, &location));
}

/// Checks the effect of an instruction on a location. The last instruction loads from there, after the one to check.
fn check_effects(rows: &[(&str, &str, bool, bool)]) {
    for (inst, location, reads, clobbers) in rows {
        let text = format!("{SETUP}  {inst}\n  %r = load {location}\n  ret\n}}\n");
        let checked = Checked::new(&text);
        let [i, r] = *checked.last(2) else { panic!("two instructions stand last") };
        let (decls, f, location) = (&checked.module.decls, checked.f(), checked.location(r));
        let found = (checked.oracle.reads(decls, f, i, &location), checked.oracle.clobbers(decls, f, i, &location));
        assert_eq!(found, (*reads, *clobbers), "{inst}; {location:?}");
    }
}

#[test]
fn calls_and_copies() {
    check_effects(&[
        ("call @unknown(%p)", "i32 [$a]", false, false),
        ("call @unknown(%p)", "i32 [$z]", true, true),
        ("call @unknown(%p)", "i32 [%m]", false, false),
        ("call @unknown(%p)", "i32 [%n]", true, true),
        ("call @unknown(%p)", "i32 [@x]", true, true),
        ("call @unknown(%p)", "i32 [@k]", true, false),
        ("call @unknown(%p)", "i32 [@ek]", true, false),
        ("call @unknown(%p)", "i32 [%s]", true, true),
        ("call %p(i64 %q)", "i32 [@x]", true, true),
        ("call @none(%p)", "i32 [@x]", false, false),
        ("call @only(%p)", "i32 [@x]", true, false),
        ("call @only(%p)", "i32 [$a]", false, false),
        ("call :pair [$a], @pair(:pair [$b])", "i32 [$b + 8]", true, false),
        ("call :pair [$a], @pair(:pair [$b])", "i32 [$b + 16]", false, false),
        ("call :pair [$a], @pair(:pair [$b])", "i32 [$a + 12]", false, true),
        ("call :pair [$a], @pair(:pair [$b])", "i32 [$a + 16]", false, false),
        ("call :pair [$a], @pair(:pair [$b])", "i32 [@x]", false, false),
        ("store i32 [@x], 0", "i32 [@x + 4]", false, false),
        ("store i32 [@e], 0", "i32 [@g]", false, false),
        ("store i32 [%s], 0", "i32 [@k]", false, false),
        ("store volatile i32 [@x], 0", "i32 [@x]", false, true),
        ("memcpy [$a], [$b], 8", "i32 [$a + 4]", false, true),
        ("memcpy [$a], [$b], 8", "i32 [$a + 8]", false, false),
        ("memcpy [$a], [$b], 8", "i32 [$b + 4]", true, false),
        ("memcpy [$a], [$b], 0", "i32 [$a]", false, false),
        ("memcpy [$a + 8], [$b], %i", "i32 [$a + 4]", false, false),
        ("memcpy [$a + 8], [$b], %i", "i32 [$a + 60]", false, true),
        ("memcpy [%s], [%q], %i", "i32 [$a]", false, false),
        ("memset [@x], 0, 64", "i32 [@x + 60]", false, true),
        ("memset [%s], 0, 8", "i32 [%s + 8]", false, false),
        ("memset [%s], 0, %i", "i32 [%s - 4]", false, false),
        ("va_end [$a]", "i64 [$a + 16]", true, true),
        ("va_end [$a]", "i64 [$a + 24]", false, false),
        ("va_copy [$a], [$b]", "i64 [$a + 16]", false, true),
        ("va_copy [$a], [$b]", "i64 [$b + 16]", true, false),
        ("%v = va_arg i32 [$a]", "i64 [$a]", true, true),
        ("%v = va_arg i32 [$a]", "i64 [@x]", false, false),
        ("va_arg :pair [$b], [$a]", "i64 [$b + 8]", false, true),
        ("va_arg :pair [$b], [$a]", "i64 [$b + 16]", false, false),
        ("stack_restore %s", "i32 [%m]", false, true),
        ("stack_restore %s", "i32 [$a]", false, false),
        ("%o = alloca 8, 8", "i32 [@x]", false, false),
        ("%v = load volatile i32 [@x]", "i32 [@x]", true, false),
        ("%v = udiv i64 %p, %q", "i32 [@x]", false, false),
    ]);
}

/// Returns which of `$a` and `$b` escape.
#[test]
fn escape() {
    let rows: &[(&str, [bool; 2])] = &[
        ("%l = load i64 [$a]\n  store i64 [$b], %l", [false, false]),
        ("%p = lea [$a]\n  store i64 [%p], 1", [false, false]),
        ("%p = lea [$a]\n  store i64 [$b], %p", [true, false]),
        ("%p = lea [$a]\n  %q = lea [%p + 8]\n  store i64 [@x], %q", [true, false]),
        ("%p = lea [$a]\n  %q = copy i64 %p\n  %r = icmp eq i64 %q, 0", [true, false]),
        ("%p = lea [$a]\n  %q = add i64 %n, %p\n  store i64 [%q], 1", [false, false]),
        ("%p = lea [$a]\n  %q = sub i64 %n, %p", [true, false]),
        ("%p = lea [$a]\n  %q = lea [$b]\n  %r = add i64 %p, %q", [true, true]),
        ("%p = lea [$a]\n  %q = lea [$b]\n  %r = select i64 %n, %p, %q", [true, true]),
        ("%p = lea [$a]\n  %q = lea [$a + 8]\n  %r = select i64 %n, %p, %q\n  store i64 [%r], 1", [false, false]),
        ("%p = lea [$a]\n  %r = select i64 %p, %p, %p", [true, false]),
        ("%p = lea [$a]\n  store i64 [%n + %p], 1", [true, false]),
        ("%p = lea [$a]\n  %q = lea [%n + %p]", [true, false]),
        ("%p = lea [$a]\n  %q = mul i64 %p, 2", [true, false]),
        ("%p = lea [$a]\n  %q = trunc i64 %p to i32", [true, false]),
        ("%p = lea [$a]\n  call @unknown(%p)", [true, false]),
        ("%p = lea [$a]\n  call @none(%p)", [true, false]),
        ("%p = lea [$a]\n  call %p(i64 %n)", [true, false]),
        ("%p = lea [$a]\n  memset [%p], 0, %n\n  memcpy [$b], [%p], 8", [false, false]),
        ("%p = lea [$a]\n  memset [$b], 0, %p", [true, false]),
        ("call :pair [$a], @pair(:pair [$b])", [false, false]),
        ("%p = lea [$a]\n  %p = lea [$b]\n  store i64 [%p], 1", [true, true]),
        ("%r = call i32 @setjmp(%n)", [true, true]),
        ("va_copy [$a], [$b]\n  va_end [$a]", [false, false]),
        (
            "jmp next\nnext:\n  %r = phi i64 [%n, entry], [%p, next]\n  %p = lea [$a]\n  br %n, next, out\nout:",
            [true, false],
        ),
        (
            "%p = lea [$a]\n  jmp next\nnext:\n  %r = phi i64 [%p, entry], [%s, next]\n  %s = add i64 %r, 8\n  \
             store i64 [%r], %n\n  br %n, next, out\nout:",
            [false, false],
        ),
        (
            "%p = lea [$a]\n  %q = lea [$b]\n  jmp next\nnext:\n  %r = phi i64 [%p, entry], [%q, next]\n  \
             store i64 [%r], %n\n  br %n, next, out\nout:",
            [true, true],
        ),
        (
            "%p = lea [$a]\n  jmp next\nnext:\n  %r = phi i64 [%p, entry], [%s, next]\n  %t = add i64 %r, 8\n  \
             store i64 [%t], %n\n  %s = load i64 [@x]\n  br %n, next, out\nout:",
            [true, false],
        ),
    ];
    for (body, expected) in rows {
        let text = format!("func @f(%n: i64) {{\n  stack $a: 64\n  stack $b: 64\nentry:\n  {body}\n  ret\n}}\n");
        assert_eq!(Checked::new(&text).escaped(), expected, "{body}");
    }
}

#[test]
fn a_pointer_that_walks_through_an_object_stays_in_it() {
    let checked = Checked::new(
        "func @f(%n: i64) {\n  stack $a: 64\nentry:\n  %p = lea [$a]\n  jmp next\nnext:\n  \
         %r = phi i64 [%p, entry], [%s, next]\n  %s = add i64 %r, 8\n  br %n, next, out\nout:\n  \
         %x = load i32 [%s]\n  %y = load i32 [$a]\n  %z = load i32 [@x]\n  ret\n}\n",
    );
    let [x, y, z] = *checked.last(3) else { panic!("three loads stand last") };
    let relation = |i, j| checked.oracle.relation(&checked.module.decls, &checked.location(i), &checked.location(j));
    assert_eq!((relation(x, y), relation(x, z)), (Relation::May, Relation::No));
}

#[test]
fn sets_of_one_scope_are_apart() {
    for (a, b, expected) in [
        ("%p] noalias 0.1", "%q] noalias 0.2", Relation::No),
        ("%p] noalias 0.1", "%q] noalias 0.1", Relation::May),
        ("%p] noalias 0.1", "%q] noalias 1.2", Relation::May),
        ("%p] noalias 0.1", "%q]", Relation::May),
        ("%p] noalias 0.1, 7.3", "%q] noalias 3.1, 7.2", Relation::No),
        ("$a + %i*4] noalias 0.1", "$a + %j*4] noalias 0.2", Relation::No),
        ("%p] noalias 0.1", "%p] noalias 0.2", SAME),
    ] {
        let checked = Checked::new(&format!("{SETUP}  %l = load i32 [{a}\n  %r = load i32 [{b}\n  ret\n}}\n"));
        let [l, r] = *checked.last(2) else { panic!("two accesses stand last") };
        let (l, r) = (checked.location(l), checked.location(r));
        let relation = |l: &Location, r: &Location| checked.oracle.relation(&checked.module.decls, l, r);
        assert_eq!((relation(&l, &r), relation(&r, &l)), (expected, expected), "{a} and {b}");
        // They are apart in all iterations, but not for another access of the same location.
        let widened = if expected == SAME { Relation::No } else { expected };
        assert_eq!(relation(&l.widen(|_| false), &r.widen(|_| false)), widened, "{a} and {b}");
        assert_ne!(relation(&l.untyped().widen(|_| false), &r), Relation::No, "{a} and {b}");
    }
}

#[test]
fn origins_of_addresses_are_found_if_they_are_certain() {
    let origins = |address: &str| {
        let checked = Checked::new(&format!("{NOALIAS}  %l = load i32 [{address}]\n  ret\n}}\n"));
        let params: Vec<_> = checked.f().param_regs().take(2).collect();
        let location = checked.location(checked.last(1)[0]);
        checked.oracle.noalias_origin(&checked.module.decls, &location, &params)
    };
    for from_p in ["%p", "%p + 4", "%p8", "%pi", "%pp", "%pn"] {
        assert_eq!(origins(from_p), Some(1), "{from_p}");
    }
    assert_eq!(origins("%e"), Some(2));
    for elsewhere in ["%q", "%q - 8", "$a", "@x", "%n"] {
        assert_eq!(origins(elsewhere), Some(0), "{elsewhere}");
    }
    // `%e` was passed to a function, so that an address in memory may be made from it; a sum is not of one parameter.
    for unknown in ["%old", "%q + %i", "%i + %e"] {
        assert_eq!(origins(unknown), None, "{unknown}");
    }
}

#[test]
fn locations_of_several_iterations_are_widened() {
    let checked = Checked::new(&format!(
        "{SETUP}  %u = load i32 [$a + %i*4]\n  %v = load i32 [$b]\n  %w = load i32 [%s + 8]\n  ret\n}}\n"
    ));
    let [u, v, w] = *checked.last(3) else { panic!("three loads stand last") };
    let (u, v, w) = (checked.location(u), checked.location(v), checked.location(w));
    assert_eq!((u.widen(|_| true), v.widen(|_| false)), (u, v));
    assert_eq!(w.widen(|_| false), Location::ANYWHERE);
    assert_eq!((u.widen(|_| false).root, u.widen(|_| false).offset), (u.root, None));
}

/// Answers for random sums are right for the numbers that the registers may hold.
#[test]
fn answers_hold_for_numbers() {
    let mems = ["%p", "%p + 4", "%p - 1", "%p + %i*2", "%p + %i*2 + 3", "%i1*2 + %p", "%p8 - 7", "%pm + %i*2 + 9"];
    for (a, b) in mems.iter().flat_map(|a| mems.iter().map(move |b| (a, b))) {
        let text = format!("{SETUP}  %l = load i16 [{a}]\n  %r = load i32 [{b}]\n  ret\n}}\n");
        let checked = Checked::new(&text);
        let [l, r] = *checked.last(2) else { panic!("two accesses stand last") };
        let relation = checked.oracle.relation(&checked.module.decls, &checked.location(l), &checked.location(r));
        for i in -4..4i64 {
            let value = |m: &str| match m {
                "%p" => 0,
                "%p + 4" => 4,
                "%p - 1" => -1,
                "%p + %i*2" => 2 * i,
                "%p + %i*2 + 3" => 2 * i + 3,
                "%i1*2 + %p" => 2 * i + 2,
                "%p8 - 7" => 1,
                _ => 2 * i + 1,
            };
            let (x, y) = (value(a), value(b));
            let (overlap, within) = (x < y + 4 && y < x + 2, y <= x && x + 2 <= y + 4);
            match relation {
                Relation::No => assert!(!overlap, "{a} {b} {i}"),
                Relation::May => {}
                Relation::Must(Overlap::Within) => assert!(within, "{a} {b} {i}"),
                Relation::Must(Overlap::Partial) => assert!(overlap && !within, "{a} {b} {i}"),
                Relation::Must(Overlap::Same | Overlap::Covers) => panic!("{a} {b}"),
            }
        }
    }
}

#[test]
fn the_tables_of_a_large_function_take_linear_time() {
    // A chain of additions, each used as an address, and a phi with many operands.
    let n = 50_000;
    let mut text = String::from("func @f(%p: i64) {\n  stack $a: 64\nentry:\n  %0 = lea [$a]\n");
    for k in 0..n {
        text += &format!("  %{} = add i64 %{k}, 1\n  store i8 [%{k}], 0\n", k + 1);
    }
    let checked = Checked::new(&(text + "  ret\n}\n"));
    assert_eq!(checked.escaped(), [false]);
    let stores = checked.insts.iter().filter(|i| checked.f().inst(**i).op == Opcode::Store);
    assert_eq!(stores.map(|i| checked.location(*i).offset.unwrap()).max(), Some(n - 1));
}
