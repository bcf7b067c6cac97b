//! Rules as source text: static tables, one for each type that rules have lists of.
//!
//! The elements of a list are written into the table of their type once, and the list is their position:
//! `List::at(FIRST, COUNT)`. `src/passes/simplify/rules/lists.rs` reads it.

use super::constants::{Condition, Expr, PredRef, Side};
use super::families::FAMILIES;
use super::index::Variant;
use super::lists::{List, Ref, Text};
use super::reading::variants::{NewTable, tables_by_key};
use super::rule::{Args, Node, NodeKind, Pred, Rule, TypeClass, TypeSource};
use lir_opcodes::{Opcode, Predicate};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Returns the source of all tables; `rules` in the order in which they are tried.
pub(super) fn written(rules: Vec<Rule>) -> String {
    let mut of_opcode: Vec<Vec<Rule>> = Opcode::ALL.iter().map(|_| Vec::new()).collect();
    for rule in rules {
        of_opcode[rule.nodes[0].op().expect("a rule has an operation at its root") as usize].push(rule);
    }
    let mut tables = ListTables::default();
    let mut indexes = Vec::new();
    for (op, rules) in Opcode::ALL.iter().zip(&of_opcode) {
        let by_key = tables_by_key(*op, rules);
        let (rules, keys) = (tables.list(rules), tables.list(&by_key));
        indexes.push(format!("Index {{ rules: {rules}, keys: {keys} }}"));
    }
    tables.source(&indexes)
}

/// The source form of a type.
trait Source {
    /// The type, as tables name it.
    const TYPE: &'static str;
    /// Returns the value; lists are added to their tables.
    fn source(&self, tables: &mut ListTables) -> String;
}

/// The tables so far.
#[derive(Default)]
struct ListTables {
    of_types: BTreeMap<&'static str, Table>,
}

/// A table, and the lists in it.
#[derive(Default)]
struct Table {
    items: Vec<String>,
    lists: HashMap<Vec<String>, usize>,
}

impl ListTables {
    fn source(&self, indexes: &[String]) -> String {
        let mut out = String::new();
        for (k, (ty, table)) in self.of_types.iter().enumerate() {
            let (count, items) = (table.items.len(), table.items.join(",\n"));
            let table = format!("static TABLE_{k}: [{ty}; {count}] = [\n{items}\n];\n");
            let get = format!("#[inline] fn table() -> &'static [{ty}] {{ &TABLE_{k} }}");
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{table}impl Written for {ty} {{ {get} }}");
        }
        let (count, items) = (indexes.len(), indexes.join(",\n"));
        let _ = writeln!(out, "pub(super) static INDEXES: [Index; {count}] = [\n{items}\n];");
        out
    }
    /// Returns the position of a list: the first of its table, and how many.
    fn place<T: Source>(&mut self, items: &[T]) -> (usize, usize) {
        let items: Vec<String> = items.iter().map(|item| item.source(self)).collect();
        let count = items.len();
        let table = self.of_types.entry(T::TYPE).or_default();
        let first = *table.lists.entry(items).or_insert_with_key(|items| {
            let first = table.items.len();
            table.items.extend_from_slice(items);
            first
        });
        assert!(first + count <= usize::from(u16::MAX), "a place in the table of {} needs more bits", T::TYPE);
        (if count == 0 { 0 } else { first }, count)
    }
    fn list<T: Source>(&mut self, items: &[T]) -> String {
        let (first, count) = self.place(items);
        format!("List::at({first}, {count})")
    }
    fn entry<T: Source>(&mut self, item: &T) -> String {
        let (first, _) = self.place(std::slice::from_ref(item));
        format!("Ref::at({first})")
    }
}

/// Returns the position of a rule: its family, first byte and length.
fn place_of(text: Text) -> String {
    let contains_text = |(_, all): &(&str, &str)| all.as_bytes().as_ptr_range().contains(&text.as_ptr());
    let family = FAMILIES.iter().position(contains_text).expect("the rules are read from these texts");
    let first = text.as_ptr().addr() - FAMILIES[family].1.as_ptr().addr();
    format!("Text::at({family}, {first}, {})", text.len())
}

impl<T: Source> Source for List<T> {
    const TYPE: &'static str = "a list in a table of its own";
    fn source(&self, tables: &mut ListTables) -> String {
        tables.list(self)
    }
}

impl<T: Source> Source for Ref<T> {
    const TYPE: &'static str = "a reference in a table of its own";
    fn source(&self, tables: &mut ListTables) -> String {
        tables.entry(*self)
    }
}

impl Source for u8 {
    const TYPE: &'static str = "u8";
    fn source(&self, _: &mut ListTables) -> String {
        self.to_string()
    }
}

impl Source for u128 {
    const TYPE: &'static str = "u128";
    fn source(&self, _: &mut ListTables) -> String {
        format!("{self:#x}")
    }
}

impl Source for Rule {
    const TYPE: &'static str = "Rule";
    fn source(&self, t: &mut ListTables) -> String {
        let mut fields = Vec::new();
        let mut field = |name: &str, value: String| fields.push(format!("{name}: {value}"));
        field("text", place_of(self.text));
        field("nodes", t.list(self.nodes));
        field("left", self.left.to_string());
        field("right", self.right.to_string());
        field("made", t.list(self.made));
        field("vars", t.list(self.vars));
        field("kept", t.list(self.kept));
        field("consts", t.list(self.consts));
        field("preds", t.list(self.preds));
        field("conditions", t.list(self.conditions));
        field("worth", t.list(self.worth));
        field("types", t.list(self.types));
        field("type_checks", t.list(self.type_checks));
        field("ints", t.list(self.ints));
        field("loads_constants", self.loads_constants.to_string());
        field("expands", self.expands.to_string());
        format!("Rule {{ {} }}", fields.join(", "))
    }
}

impl Source for Node {
    const TYPE: &'static str = "Node";
    fn source(&self, t: &mut ListTables) -> String {
        let kind = match &self.kind {
            NodeKind::Op { op, pred, args: Args { count, nodes } } => {
                let (pred, args) = (pred.source(t), format!("Args {{ count: {count}, nodes: {nodes:?} }}"));
                format!("Op {{ op: Opcode::{op:?}, pred: {pred}, args: {args} }}")
            }
            NodeKind::Var(k) => format!("Var({k})"),
            NodeKind::Const(e) => format!("Const({})", e.source(t)),
        };
        let Node { ty, annotation, parent, .. } = self;
        format!("Node {{ kind: NodeKind::{kind}, ty: {ty}, annotation: {annotation}, parent: {parent:?} }}")
    }
}

impl Source for Pred {
    const TYPE: &'static str = "Pred";
    fn source(&self, _: &mut ListTables) -> String {
        match self {
            Pred::None => "Pred::None".to_string(),
            Pred::Is(Predicate::Int(p)) => format!("Pred::Is(Predicate::Int(IntCC::{p:?}))"),
            Pred::Is(Predicate::Float(p)) => format!("Pred::Is(Predicate::Float(FloatCC::{p:?}))"),
            Pred::Bind(k, set) => format!("Pred::Bind({k}, {set:#x})"),
            Pred::Of(function, k) => format!("Pred::Of(PredFn::{function:?}, {k})"),
            Pred::Two(combination, k, l) => format!("Pred::Two(Combination::{combination:?}, {k}, {l})"),
        }
    }
}

impl Source for Expr {
    const TYPE: &'static str = "Expr";
    fn source(&self, t: &mut ListTables) -> String {
        let inner = match self {
            Expr::Int(n) => format!("Int({n})"),
            Expr::Float(x) => format!("Float(f64::from_bits({:#x}))", x.to_bits()),
            Expr::Const(k) => format!("Const({k})"),
            Expr::Width(ty) => format!("Width({ty})"),
            Expr::Least(ty) => format!("Least({ty})"),
            Expr::Greatest(ty) => format!("Greatest({ty})"),
            Expr::Bound(bound, k) => format!("Bound(Bound::{bound:?}, {k})"),
            Expr::Call(func, ty, argument) => format!("Call(Func::{func:?}, {ty}, {})", argument.source(t)),
            Expr::Holds(p, ty, operands) => format!("Holds({}, {ty}, {})", p.source(t), operands.source(t)),
            Expr::Interval(part, ty, sides) => {
                format!("Interval(IntervalPart::{part:?}, {ty}, {})", sides.source(t))
            }
            Expr::Binary(op, operands) => format!("Binary(Operator::{op:?}, {})", operands.source(t)),
        };
        format!("Expr::{inner}")
    }
}

impl Source for (Expr, Expr) {
    const TYPE: &'static str = "(Expr, Expr)";
    fn source(&self, t: &mut ListTables) -> String {
        format!("({}, {})", self.0.source(t), self.1.source(t))
    }
}

impl Source for PredRef {
    const TYPE: &'static str = "PredRef";
    fn source(&self, _: &mut ListTables) -> String {
        format!("PredRef {{ inverted: {}, var: {} }}", self.inverted, self.var)
    }
}

impl Source for Side {
    const TYPE: &'static str = "Side";
    fn source(&self, t: &mut ListTables) -> String {
        let (pred, constant, added) = (self.pred.source(t), self.constant.source(t), self.added.source(t));
        format!("Side {{ pred: {pred}, constant: {constant}, added: {added} }}")
    }
}

impl Source for Condition {
    const TYPE: &'static str = "Condition";
    fn source(&self, t: &mut ListTables) -> String {
        let inner = match self {
            Condition::Compare(c, a, b) => format!("Compare(Comparison::{c:?}, {}, {})", a.source(t), b.source(t)),
            Condition::Zeros(k, bits) => format!("Zeros({k}, {})", bits.source(t)),
            Condition::Ones(k, bits) => format!("Ones({k}, {})", bits.source(t)),
            Condition::Distinct(k, l) => format!("Distinct({k}, {l})"),
            Condition::Quiet(k) => format!("Quiet({k})"),
            Condition::Once(k) => format!("Once({k})"),
            Condition::Promised(promise, k) => format!("Promised(Promises::from_bits({}), {k})", promise.to_bits()),
            Condition::Outcomes(outcome, combination, k, l) => {
                format!("Outcomes(Outcome::{outcome:?}, Combination::{combination:?}, {k}, {l})")
            }
        };
        format!("Condition::{inner}")
    }
}

impl Source for TypeClass {
    const TYPE: &'static str = "TypeClass";
    fn source(&self, _: &mut ListTables) -> String {
        match self {
            TypeClass::Fixed(ty) => format!("TypeClass::Fixed(Type::{ty:?})"),
            TypeClass::At(source) => format!("TypeClass::At(TypeSource::{source:?})"),
            TypeClass::Half(k) => format!("TypeClass::Half({k})"),
        }
    }
}

impl Source for (TypeSource, u8) {
    const TYPE: &'static str = "(TypeSource, u8)";
    fn source(&self, _: &mut ListTables) -> String {
        format!("(TypeSource::{:?}, {})", self.0, self.1)
    }
}

impl Source for Variant {
    const TYPE: &'static str = "Variant";
    fn source(&self, _: &mut ListTables) -> String {
        format!("Variant {{ rule: {}, exchanged: {:#b} }}", self.rule, self.exchanged)
    }
}

impl Source for Vec<NewTable> {
    const TYPE: &'static str = "List<Table>";
    fn source(&self, t: &mut ListTables) -> String {
        t.list(self)
    }
}

impl Source for NewTable {
    const TYPE: &'static str = "Table";
    fn source(&self, t: &mut ListTables) -> String {
        let variants = t.list(&self.variants);
        let allowed: Vec<String> = self.allowed.iter().map(|set| t.entry(set)).collect();
        format!("Table {{ variants: {variants}, allowed: [{}], same: {:#x} }}", allowed.join(", "), self.same)
    }
}
