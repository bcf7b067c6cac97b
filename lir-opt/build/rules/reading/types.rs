//! Type classes of a rule: the positions that have the same type.
//!
//! They are found by unification while a rule is read. Equalities implied by the left side alone hold for every
//! instruction of its shape. Further ones, from repeated variables, the right side and the annotations, are checked
//! when the rule is tried.

use super::constants::{Condition, Expr, Side, TypeId};
use super::lists::{list, reference};
use super::rule::{Node, NodeId, NodeKind, TypeClass, TypeSource};
use lir_opcodes::{Type, TypeRule};

/// The classes of a rule that is being read.
#[derive(Default)]
pub(super) struct Types {
    /// The class that a class was merged into, or itself.
    up: Vec<TypeId>,
    fixed: Vec<Option<Type>>,
    /// The class whose bits a class has half of.
    half_of: Vec<Option<TypeId>>,
    /// The classes as they were when the left side had been read.
    left: Vec<TypeId>,
    /// Classes of one variable at several positions. The types of the positions need not agree because the operands do:
    /// an operand may be a constant, which has the type of its position.
    repeated: Vec<(TypeId, TypeId)>,
    /// Positions of the left side.
    positions: Vec<(TypeId, TypeSource)>,
    on_right: bool,
    /// The first thing that is wrong.
    pub error: Option<String>,
    /// The final number of each class.
    numbers: Vec<TypeId>,
}

impl Types {
    pub fn new_class(&mut self) -> TypeId {
        let t = self.up.len() as TypeId;
        self.up.push(t);
        self.fixed.push(None);
        self.half_of.push(None);
        t
    }
    /// Returns a class of this type alone.
    pub fn fixed(&mut self, ty: Type) -> TypeId {
        let t = self.new_class();
        self.fixed[t as usize] = Some(ty);
        t
    }
    /// Returns a class of the integers with half the bits of another one.
    pub fn half(&mut self, of: TypeId) -> TypeId {
        if !self.on_right {
            self.fail("half a type on the left side");
        }
        let t = self.new_class();
        self.half_of[t as usize] = Some(of);
        t
    }
    fn fail(&mut self, message: impl ToString) {
        self.error.get_or_insert_with(|| message.to_string());
    }
    fn find(&self, mut t: TypeId) -> TypeId {
        while self.up[t as usize] != t {
            t = self.up[t as usize];
        }
        t
    }
    /// Unifies two classes: an error if they have different types.
    pub fn unify(&mut self, a: TypeId, b: TypeId) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        let (low, high) = (a.min(b), a.max(b));
        let fixed = match (self.fixed[low as usize], self.fixed[high as usize]) {
            (Some(x), Some(y)) => {
                if x != y {
                    self.fail(format!("types that do not agree: {x} and {y}"));
                }
                Some(x)
            }
            (x, y) => x.or(y),
        };
        self.up[high as usize] = low;
        self.fixed[low as usize] = fixed;
        self.half_of[low as usize] = self.half_of[low as usize].or(self.half_of[high as usize]);
    }
    /// Another position of a variable whose first position has this class.
    pub fn another_position(&mut self, of: TypeId) -> TypeId {
        if self.on_right {
            return of;
        }
        let t = self.new_class();
        self.repeated.push((of, t));
        t
    }
    /// Notes an operation: of the left side its types are positions to read.
    pub fn note_operation(&mut self, n: NodeId, ty: TypeId, annotation: TypeId) {
        if !self.on_right {
            self.positions.push((annotation, TypeSource::Annotation(n)));
            // The type of a truth value needs no look.
            if ty != annotation && self.fixed[ty as usize].is_none() {
                self.positions.push((ty, TypeSource::Result(n)));
            }
        }
    }
    /// Notes an operand that is always a register.
    pub fn note_register(&mut self, n: NodeId, ty: TypeId) {
        if !self.on_right {
            self.positions.push((ty, TypeSource::Register(n)));
        }
    }
    /// Records the equalities implied by the type rule of an operation.
    pub fn note_rule(&mut self, annotation: TypeId, ty: TypeId, rule: TypeRule) {
        match rule {
            TypeRule::FloatWiden => {
                let (narrow, wide) = (self.fixed(Type::F32), self.fixed(Type::F64));
                self.unify(annotation, narrow);
                self.unify(ty, wide);
            }
            TypeRule::FloatNarrow => {
                let (narrow, wide) = (self.fixed(Type::F32), self.fixed(Type::F64));
                self.unify(annotation, wide);
                self.unify(ty, narrow);
            }
            _ => {}
        }
    }
    pub fn end_left_side(&mut self) {
        self.left = (0..self.up.len() as TypeId).map(|t| self.find(t)).collect();
        self.on_right = true;
        for (a, b) in std::mem::take(&mut self.repeated) {
            self.unify(a, b);
        }
    }
    /// Numbers the classes and returns the sources of their types, and the checks that remain. It is an error if the
    /// type of a class is not known from the left side.
    pub fn finish(&mut self, nodes: &[Node]) -> (Vec<TypeClass>, Vec<(TypeSource, TypeId)>) {
        let (mut classes, mut checks) = (Vec::new(), Vec::new());
        self.numbers = vec![TypeId::MAX; self.up.len()];
        for t in 0..self.up.len() as TypeId {
            if self.find(t) != t {
                continue;
            }
            let number = classes.len() as TypeId;
            self.numbers[t as usize] = number;
            let sources = self.positions.iter().filter(|(p, _)| self.find(*p) == t).copied().collect::<Vec<_>>();
            if let Some(of) = self.half_of[t as usize] {
                let of = self.numbers[self.find(of) as usize];
                if of >= number || !sources.is_empty() || self.fixed[t as usize].is_some() {
                    self.fail("half of a type that is not known before, or that is another one, too");
                }
                classes.push(TypeClass::Half(of));
                continue;
            }
            match (self.fixed[t as usize], sources.first()) {
                (Some(ty), _) => {
                    classes.push(TypeClass::Fixed(ty));
                    checks.extend(sources.iter().map(|(_, s)| (*s, number)));
                }
                (None, Some((first, source))) => {
                    classes.push(TypeClass::At(*source));
                    let implied = |p: TypeId| self.left[p as usize] == self.left[*first as usize];
                    checks.extend(sources[1..].iter().filter(|(p, _)| !implied(*p)).map(|(_, s)| (*s, number)));
                }
                // A class of constants of unknown type: an error only if it is the class of a node.
                (None, None) => classes.push(TypeClass::Fixed(Type::I64)),
            }
        }
        let untyped = |n: &&Node| {
            let t = self.find(n.ty);
            let is_given = self.fixed[t as usize].is_some() || self.half_of[t as usize].is_some();
            !is_given && !self.positions.iter().any(|(p, _)| self.find(*p) == t)
        };
        if let Some(node) = nodes.iter().find(untyped) {
            self.fail(format!("the type of {:?} is not known", node.kind));
        }
        (classes, checks)
    }
    fn number(&self, t: TypeId) -> TypeId {
        self.numbers[self.find(t) as usize]
    }
    /// Puts the final numbers in place of the classes.
    pub fn rename<'c>(&self, nodes: &mut [Node], conditions: impl Iterator<Item = &'c mut Condition>) {
        for n in nodes {
            (n.ty, n.annotation) = (self.number(n.ty), self.number(n.annotation));
            if let NodeKind::Const(e) = &mut n.kind {
                *e = self.renamed(e);
            }
        }
        for c in conditions {
            match c {
                Condition::Compare(_, a, b) => (*a, *b) = (self.renamed(a), self.renamed(b)),
                Condition::Zeros(_, e) | Condition::Ones(_, e) => *e = self.renamed(e),
                Condition::Distinct(..)
                | Condition::Quiet(_)
                | Condition::Once(_)
                | Condition::Promised(..)
                | Condition::Outcomes(..) => {}
            }
        }
    }
    fn renamed(&self, e: &Expr) -> Expr {
        let both = |operands: &(Expr, Expr)| reference((self.renamed(&operands.0), self.renamed(&operands.1)));
        match e {
            Expr::Width(t) => Expr::Width(self.number(*t)),
            Expr::Least(t) => Expr::Least(self.number(*t)),
            Expr::Greatest(t) => Expr::Greatest(self.number(*t)),
            Expr::Call(func, t, a) => Expr::Call(*func, self.number(*t), reference(self.renamed(a))),
            Expr::Holds(p, t, operands) => Expr::Holds(*p, self.number(*t), both(operands)),
            Expr::Interval(part, t, comparisons) => {
                let side = |s: &Side| Side {
                    pred: s.pred,
                    constant: self.renamed(&s.constant),
                    added: self.renamed(&s.added),
                };
                Expr::Interval(*part, self.number(*t), list(comparisons.iter().map(side).collect()))
            }
            Expr::Binary(op, operands) => Expr::Binary(*op, both(operands)),
            Expr::Int(_) | Expr::Float(_) | Expr::Const(_) | Expr::Bound(..) => e.clone(),
        }
    }
}
