//! Writes the methods of the assembler from the instruction table: what is in `mnemonics/`.
//!
//! The test compares; with `LIR_BLESS=1` in the environment it writes. So no row is without its method.

use crate::isa::x64::encode::recipe::{level, recipe, sizes};
use crate::isa::x64::instructions::{DOCS, row};
use crate::isa::x64::text::{Operand, mnemonic, operands};
use crate::isa::x64::{Cond, Cpu, op, props};
use crate::mir::{Form, MOp, Props, Size};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// A row of the table in a form, at a size.
struct Shape {
    op: MOp,
    form: Form,
    size: Size,
    operands: Vec<Operand>,
}

/// A mnemonic, and what it does.
#[derive(Default)]
struct Mnemonic {
    shapes: Vec<Shape>,
}

/// The name of the method where there is a condition: without it.
fn family(op: MOp, form: Form, size: Size) -> String {
    match recipe(op, form, false).takes_cond() {
        true => row(op).mnemonic.trim_end_matches('?').to_string(),
        false => mnemonic(op, form, size, Cond::O).replace(' ', "_"),
    }
}

/// All mnemonics with a number of operands, in table order.
fn mnemonics() -> Vec<((String, usize), Mnemonic)> {
    let mut all: Vec<((String, usize), Mnemonic)> = Vec::new();
    for &op in op::ALL {
        for (form, _) in Form::ALL {
            if !recipe(op, form, false).exists() {
                continue;
            }
            for &size in sizes(op, form) {
                let operands = operands(op, form, size).to_vec();
                let key = (family(op, form, size), operands.len());
                let k = all.iter().position(|(k, _)| *k == key).unwrap_or_else(|| {
                    all.push((key, Mnemonic::default()));
                    all.len() - 1
                });
                all[k].1.shapes.push(Shape { op, form, size, operands });
            }
        }
    }
    all
}

impl Mnemonic {
    /// The types of the operands of a shape. Memory has its size where that decides.
    fn types(&self, s: &Shape) -> Vec<&'static str> {
        let sizes_of_memory: BTreeSet<u32> = self.shapes.iter().filter(|t| same_but_memory(s, t)).map(memory).collect();
        s.operands.iter().map(|o| type_of(o, sizes_of_memory.len() > 1)).collect()
    }
    /// The lines of the macro, one for each form or for each of its sizes, and the rows that they are of.
    fn lines(&self) -> (Vec<String>, Vec<MOp>) {
        let mut seen = BTreeSet::new();
        let (mut lines, mut ops) = (Vec::new(), Vec::new());
        let mut by_form: BTreeMap<(u8, u8), Vec<&Shape>> = BTreeMap::new();
        self.shapes.iter().for_each(|s| by_form.entry((s.op.0, s.form as u8)).or_default().push(s));
        for shapes in by_form.values() {
            // What an operand twice stands for is one of two operands.
            let twice = |s: &Shape| s.operands.len() == 2 && s.operands[0] == s.operands[1];
            let new: Vec<&Shape> = shapes.iter().copied().filter(|s| !twice(s) && seen.insert(self.types(s))).collect();
            ops.extend(new.first().map(|s| s.op).filter(|op| !ops.contains(op)));
            match self.class(&new) {
                Some((class, types)) => lines.push(line(new[0], &format!("<R: {class}>"), &types, "R::SIZE")),
                None => new.iter().for_each(|s| {
                    lines.push(line(s, "<>", &self.types(s), &format!("Size::{:?}", s.size)));
                }),
            }
        }
        (lines, ops)
    }
    /// The class of registers that these shapes of a form differ in.
    fn class(&self, shapes: &[&Shape]) -> Option<(&'static str, Vec<&'static str>)> {
        let class = match shapes.iter().map(|s| s.size).collect::<Vec<_>>()[..] {
            [Size::S8, Size::S16, Size::S32, Size::S64] => "Gp",
            [Size::S16, Size::S32, Size::S64] => "Gp16",
            [Size::S32, Size::S64] => "Gp32",
            _ => return None,
        };
        let general = |s: &Shape| -> Vec<&'static str> {
            let own = [type_of(&register(s.size), true), type_of(&Operand::Memory(s.size.bytes()), true)];
            let types = s.operands.iter().zip(self.types(s));
            types
                .map(|(o, t)| match o {
                    Operand::Cl => t,
                    _ if t == own[0] => "R",
                    _ if t == own[1] => "MemOf<R>",
                    _ => t,
                })
                .collect()
        };
        let types = general(shapes[0]);
        let alike = shapes.iter().all(|s| general(s) == types) && types.iter().any(|t| t.contains('R'));
        alike.then_some((class, types))
    }
    /// Returns the line of its documentation: the meanings of its rows.
    fn doc(&self, name: &str, ops: &[MOp]) -> String {
        let row = |op: &MOp| {
            let (text, forms) = DOCS[op.0 as usize].rsplit_once(" (").expect("the forms stand behind what a row does");
            assert!(forms.ends_with('.'), "{forms}");
            format!("{}.", text.trim_end_matches('.'))
        };
        let mut rows: Vec<String> = ops.iter().map(row).collect();
        rows.dedup();
        let level = self.shapes.iter().map(|s| level(s.op, s.form)).min().filter(|level| *level > Cpu::V1);
        rows.extend(level.map(|level| format!("Needs a processor of level {level}.")));
        format!("`{}`: {}", name.replace('_', " "), rows.join(" "))
    }
}

fn register(size: Size) -> Operand {
    Operand::Register { field: 0, bytes: size.bytes(), float: false }
}

fn memory(s: &Shape) -> u32 {
    s.operands.iter().find_map(|o| if let Operand::Memory(bytes) = o { Some(*bytes) } else { None }).unwrap_or(0)
}

fn same_but_memory(s: &Shape, t: &Shape) -> bool {
    let is_memory = |o: &Operand| matches!(o, Operand::Memory(_));
    let same = |a: &Operand, b: &Operand| is_memory(a) && is_memory(b) || type_of(a, true) == type_of(b, true);
    s.operands.len() == t.operands.len() && s.operands.iter().zip(&t.operands).all(|(a, b)| same(a, b))
}

fn type_of(o: &Operand, sized: bool) -> &'static str {
    match *o {
        Operand::Register { float: true, .. } => "Xmm",
        Operand::Register { bytes: 1, .. } | Operand::Cl => "Reg8",
        Operand::Register { bytes: 2, .. } => "Reg16",
        Operand::Register { bytes: 4, .. } => "Reg32",
        Operand::Register { .. } => "Reg64",
        Operand::Immediate => "i32",
        Operand::Memory(bytes) if sized => match bytes {
            1 => "MemOf<Reg8>",
            2 => "MemOf<Reg16>",
            4 => "MemOf<Reg32>",
            8 => "MemOf<Reg64>",
            _ => "Mem",
        },
        Operand::Memory(_) => "Mem",
    }
}

/// The fields that the operands of a shape go into.
fn fields(s: &Shape) -> impl Iterator<Item = &'static str> {
    s.operands.iter().map(|o| match o {
        Operand::Register { field, .. } => ["d", "a", "b"][*field as usize],
        Operand::Cl => "cl",
        Operand::Memory(_) => "m",
        Operand::Immediate => "i",
    })
}

fn line(s: &Shape, generic: &str, types: &[&str], size: &str) -> String {
    let operands: Vec<String> = fields(s).zip(types).map(|(field, t)| format!("{field}: {t}")).collect();
    format!("{} {:?} {generic} ({}) {size};", row(s.op).info.name, s.form, operands.join(", "))
}

/// The names of a method and of the trait of its operands. Where a mnemonic comes with different numbers of operands,
/// those with two have its plain name.
fn names(all: &[((String, usize), Mnemonic)], name: &str, operands: usize) -> (String, String) {
    let several = all.iter().filter(|((n, _), _)| n == name).count() > 1;
    let method = if several && operands != 2 { format!("{name}_{operands}") } else { name.to_string() };
    let mut letters = method.replace('_', "").chars().collect::<Vec<_>>();
    letters[0] = letters[0].to_ascii_uppercase();
    (method, letters.into_iter().collect())
}

const CONDS: [Cond; 16] = {
    use Cond::*;
    [O, NO, B, AE, E, NE, BE, A, S, NS, P, NP, L, GE, LE, G]
};

/// The methods of a shape: one, or one for each condition.
fn with_conditions(s: &Shape, method: &str) -> Vec<(String, Cond)> {
    match recipe(s.op, s.form, false).takes_cond() {
        true => CONDS.iter().map(|c| (format!("{method}{}", format!("{c:?}").to_lowercase()), *c)).collect(),
        false => vec![(method.to_string(), Cond::O)],
    }
}

/// The text of a file: of the mnemonics for which `of` holds.
fn file(all: &[((String, usize), Mnemonic)], what: &str, of: impl Fn(&Mnemonic) -> bool) -> String {
    let mut out = format!(
        "//! {what}.\n//!\n//! Written from the instruction table by `generate.rs`: `LIR_BLESS=1 cargo test -p lir-llc asm`.\n\n\
         use super::super::operands::*;\nuse super::methods;\nuse crate::isa::x64::asm::Assembler;\n\
         use crate::isa::x64::{{Cond, op}};\nuse crate::mir::{{Form, Size}};\n\nmethods! {{\n"
    );
    for ((name, operands), m) in all.iter().filter(|(_, m)| of(m)) {
        let (method, name_of_trait) = names(all, name, *operands);
        let generics = ["X", "Y", "Z"][..*operands].join(" ");
        let arguments = ["x", "y", "z"][..*operands].join(" ");
        let s = &m.shapes[0];
        let conds = with_conditions(s, &method);
        let list: Vec<String> = conds.iter().map(|(name, c)| format!("{name} {c:?}")).collect();
        let (lines, ops) = m.lines();
        let _ = write!(out, "    {:?}\n    {name_of_trait} [{generics}] [{arguments}] ", m.doc(name, &ops));
        wrap(&mut out, &list);
        lines.iter().for_each(|line| _ = writeln!(out, "        {line}"));
        out.push_str("    }\n");
    }
    out.push_str("}\n");
    out
}

/// Appends the names of methods with their conditions, and the bracket behind.
fn wrap(out: &mut String, list: &[String]) {
    out.push('[');
    for (k, item) in list.iter().enumerate() {
        let column = out.len() - out.rfind('\n').unwrap_or(0);
        match k {
            0 => {}
            _ if column + item.len() > 110 => out.push_str("\n        "),
            _ => out.push(' '),
        }
        out.push_str(item);
    }
    out.push_str("] {\n");
}

/// The text of the file that calls each method for the test of the encoder, a line for each form of a row.
fn calls(all: &[((String, usize), Mnemonic)]) -> String {
    let mut out = String::from(
        "//! Calls the method of the assembler for each shape.\n//!\n\
         //! Written from the instruction table by `generate.rs`: `LIR_BLESS=1 cargo test -p lir-llc asm`.\n\n\
         use super::calls::*;\n\ncalls! {\n",
    );
    for ((name, operands), m) in all {
        let (method, _) = names(all, name, *operands);
        let mut by_form: BTreeMap<(u8, u8), Vec<&Shape>> = BTreeMap::new();
        m.shapes.iter().for_each(|s| by_form.entry((s.op.0, s.form as u8)).or_default().push(s));
        for shapes in by_form.values() {
            let groups: Vec<(Vec<&Shape>, Vec<&str>)> = match m.class(shapes) {
                Some((_, types)) => vec![(shapes.clone(), types)],
                None => shapes.iter().map(|s| (vec![*s], m.types(s))).collect(),
            };
            for (shapes, types) in groups {
                let s = shapes[0];
                let sizes: Vec<String> = shapes.iter().map(|s| format!("{:?}", s.size)).collect();
                let sizes = format!("{} {:?} [{}]", row(s.op).info.name, s.form, sizes.join(" "));
                let operands: Vec<String> = fields(s).zip(&types).map(|(field, t)| format!("{field}: {t}")).collect();
                for (name, cond) in with_conditions(s, &method) {
                    let _ = writeln!(out, "    {sizes} {cond:?} {name}({});", operands.join(", "));
                }
            }
        }
    }
    out.push_str("}\n");
    out
}

#[test]
fn the_methods_are_those_of_the_table() {
    let all = mnemonics();
    let float = |m: &Mnemonic| {
        let props = props(m.shapes[0].op);
        props.has(Props::FLOAT_D) || props.has(Props::FLOAT_AB)
    };
    let multiplies = |m: &Mnemonic| float(m) && m.shapes[0].op.0 >= op::Fma.0;
    let files = [
        ("integers.rs", file(&all, "Instructions on general registers and memory", |m| !float(m))),
        ("floats.rs", file(&all, "Instructions on SSE registers", |m| float(m) && !multiplies(m))),
        ("fused.rs", file(&all, "Products and sums rounded once", multiplies)),
        ("../../../../../tests/encode/methods.rs", calls(&all)),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/isa/x64/asm/mnemonics");
    for (name, text) in files {
        let path = folder.join(name);
        if std::env::var_os("LIR_BLESS").is_some() {
            std::fs::write(&path, &text).expect("the sources can be written");
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(found == text, "{name} is not what the table asks for: run this with LIR_BLESS=1");
    }
}
