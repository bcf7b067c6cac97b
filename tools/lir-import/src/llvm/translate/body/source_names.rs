//! The names that debug records give: a stack object gets the name of its variable, a register the name of a variable
//! that has no other value, so that debuggers show the source's variables.
//!
//! A variable that is assigned often has many registers, and each of them would be shown too long. So `#dbg_value`
//! names a register only if it is the only record of its variable; a parameter names only a variable that is one.
//! Variables of functions that LLVM has inlined have no names here.
//!
//! A stack object that is the variable of a block has the scope of the block. So of several variables of one name, the
//! ones in blocks are `name.1`, `name.2` and so on, which debuggers show as `name` there. A register has no scope, so
//! that of several variables that are not all in different blocks only the parameter is shown: the others are called
//! `name.1`, too, which no debugger shows without a scope.

use crate::llvm::ast::{self, Body, Local, LocalName, MetadataNode, Node, Op, Program, ScopeKind};
use crate::llvm::attributes::ParamWords;
use crate::llvm::translate::scopes::SourceScopes;
use lir_syntax::ir::ScopeData;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The most scopes around a variable that are walked.
const MAX_NESTING: usize = 64;

/// The names of the variables of a function.
#[derive(Default)]
pub(super) struct SourceNames<'a> {
    names: HashMap<Local, Cow<'a, [u8]>>,
    /// The types and scopes of variables that are stack objects.
    objects: HashMap<Local, (Node, Option<ScopeData>)>,
    all: HashSet<&'a [u8]>,
}

/// A variable.
struct Variable<'a> {
    name: &'a [u8],
    is_param: bool,
    ty: Node,
    extent: Extent,
    records: u32,
    /// True if a record says that it is a stack object.
    is_object: bool,
}

/// The part of the function in which a variable is visible.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum Extent {
    Function,
    Block(ScopeData),
    /// A block of which it is not known where it is.
    Unknown,
}

/// The variables of one name.
#[derive(Default)]
struct Namesakes {
    count: u32,
    has_param: bool,
    /// By extent the number of the variables, which are all stack objects.
    objects: HashMap<Extent, u32>,
    /// The number of names with numbers so far.
    numbered: u32,
}

impl Namesakes {
    fn add(&mut self, v: &Variable<'_>) {
        self.count += 1;
        self.has_param |= v.is_param;
        if v.is_object {
            *self.objects.entry(v.extent).or_default() += 1;
        }
    }
    /// True if no other variable of the name is visible in all of the same part, or it is not known which are.
    fn is_alone(&self, v: &Variable<'_>) -> bool {
        v.extent != Extent::Unknown && self.objects.get(&v.extent) == Some(&1)
    }
    /// Returns the name of a variable, and its scope.
    fn name<'a>(&mut self, v: &Variable<'a>) -> (Cow<'a, [u8]>, Option<ScopeData>) {
        let scope = match v.extent {
            Extent::Block(scope) if v.is_object && self.is_alone(v) => Some(scope),
            _ => None,
        };
        let is_shown = match v.extent {
            _ if self.count == 1 || v.is_param => true,
            // Where a variable without a scope is visible, this one must not be shown.
            Extent::Function => {
                let are_all_alone = self.objects.len() == self.count as usize;
                are_all_alone && !self.has_param && !self.objects.contains_key(&Extent::Unknown)
            }
            Extent::Block(_) | Extent::Unknown => false,
        };
        if is_shown {
            return (v.name.into(), scope);
        }
        self.numbered += 1;
        ([v.name, b".", self.numbered.to_string().as_bytes()].concat().into(), scope)
    }
}

impl<'a> SourceNames<'a> {
    /// Finds the names in the records of a body.
    pub(super) fn new(
        (program, scopes): (&'a Program, &SourceScopes),
        def: &ast::Function,
        body: &Body,
    ) -> SourceNames<'a> {
        let mut found = SourceNames::default();
        let mut variables: HashMap<Node, Option<Variable<'a>>> = HashMap::new();
        for v in &body.variables {
            let variable = variables.entry(v.node).or_insert_with(|| own_variable((program, scopes), def, v.node));
            if let Some(variable) = variable {
                variable.records += 1;
                variable.is_object |= v.declares;
            }
        }
        if variables.is_empty() {
            return found;
        }
        let mut namesakes: HashMap<&[u8], Namesakes> = HashMap::new();
        for v in variables.values().flatten() {
            namesakes.entry(v.name).or_default().add(v);
        }
        let is_byval = |p: &&ast::Param| p.attributes.words.has(ParamWords::BYVAL);
        let objects: HashSet<Local> = (body.insts.iter().filter(|i| i.op == Op::Alloca))
            .filter_map(|i| i.result.expand())
            .chain(def.params.iter().filter(is_byval).filter_map(|p| p.local.expand()))
            .collect();
        let params: HashSet<Local> = def.params.iter().filter_map(|p| p.local.expand()).collect();
        for declares in [true, false] {
            for v in body.variables.iter().filter(|v| v.declares == declares) {
                let (Some(local), Some(Some(variable))) = (v.local.expand(), variables.get(&v.node)) else { continue };
                let fits = match declares {
                    true => objects.contains(&local),
                    // A name that the text gives to a value is not taken from it.
                    false => {
                        variable.records == 1
                            && !objects.contains(&local)
                            && params.contains(&local) == variable.is_param
                            && matches!(body.locals[local], LocalName::Number(_))
                    }
                };
                if fits && !found.names.contains_key(&local) {
                    let namesakes = namesakes.get_mut(variable.name).expect("all are there");
                    let (name, scope) = namesakes.name(variable);
                    found.names.insert(local, name);
                    if declares {
                        found.objects.insert(local, (variable.ty, scope));
                    }
                }
                if fits {
                    found.all.insert(variable.name);
                }
            }
        }
        found
    }
    /// Returns the name of the variable that a local is, or is the address of.
    #[inline]
    pub(super) fn of(&self, local: Local) -> Option<&[u8]> {
        if self.names.is_empty() { None } else { self.names.get(&local).map(|name| &**name) }
    }
    /// Returns the type of the variable that a stack object is, and its scope.
    pub(super) fn of_object(&self, local: Local) -> Option<(Node, Option<ScopeData>)> {
        self.objects.get(&local).copied()
    }
    /// True if a variable has this name, which another local must not have then.
    #[inline]
    pub(super) fn has(&self, name: &[u8]) -> bool {
        !self.all.is_empty() && self.all.contains(name)
    }
}

/// Returns a variable of a node, if it has a name and is in a scope of this function.
fn own_variable<'a>(
    (program, scopes): (&'a Program, &SourceScopes),
    def: &ast::Function,
    node: Node,
) -> Option<Variable<'a>> {
    let MetadataNode::Variable { name, arg, scope, ty } = program.metadata.get(node as usize)? else { return None };
    let mut scope = *scope;
    let mut extent = None;
    for _ in 0..MAX_NESTING {
        if scope == def.debug {
            let (is_param, extent) = (*arg != 0, extent.unwrap_or(Extent::Function));
            let variable = Variable { name, is_param, ty: *ty, extent, records: 0, is_object: false };
            return (!name.is_empty()).then_some(variable);
        }
        let MetadataNode::Scope { around, kind, .. } = program.metadata.get(scope as usize)? else { return None };
        if *kind == ScopeKind::Block {
            extent.get_or_insert_with(|| scopes.get(scope).map_or(Extent::Unknown, Extent::Block));
        }
        scope = *around;
    }
    None
}
