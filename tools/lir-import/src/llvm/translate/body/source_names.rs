//! The names that debug records give: a stack object gets the name of its variable, a register the name of a variable
//! that has no other value, so that debuggers show the source's variables.
//!
//! A variable that is assigned often has many registers, and each of them would be shown too long. So `#dbg_value`
//! names a register only if it is the only record of its variable; a parameter names only a variable that is one.
//! Variables of functions that LLVM has inlined have no names here. Scopes are not kept, so of several variables with
//! one name only the parameter is shown: the others are called `name.1`, which no debugger shows.

use crate::llvm::ast::{self, Body, Local, LocalName, MetadataNode, Node, Op, Program};
use crate::llvm::attributes::ParamWords;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The most scopes around a variable that are walked.
const MAX_NESTING: usize = 64;

/// The names of the variables of a function.
#[derive(Default)]
pub(super) struct SourceNames<'a> {
    names: HashMap<Local, Cow<'a, [u8]>>,
    /// The types of variables that are stack objects.
    types: HashMap<Local, Node>,
    all: HashSet<&'a [u8]>,
}

/// A variable.
struct Variable<'a> {
    name: &'a [u8],
    is_param: bool,
    ty: Node,
    records: u32,
}

impl<'a> SourceNames<'a> {
    /// Finds the names in the records of a body.
    pub(super) fn new(program: &'a Program, def: &ast::Function, body: &Body) -> SourceNames<'a> {
        let mut found = SourceNames::default();
        let mut variables: HashMap<Node, Option<Variable<'a>>> = HashMap::new();
        for v in &body.variables {
            let variable = variables.entry(v.node).or_insert_with(|| own_variable(program, def, v.node));
            variable.iter_mut().for_each(|v| v.records += 1);
        }
        if variables.is_empty() {
            return found;
        }
        let mut shown: HashMap<&[u8], (u32, bool)> = HashMap::new();
        for v in variables.values().flatten() {
            let (count, is_param) = shown.entry(v.name).or_default();
            *count += 1;
            *is_param |= v.is_param;
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
                if fits {
                    let is_shown = match shown[variable.name] {
                        (1, _) => true,
                        (_, has_param) => has_param && variable.is_param,
                    };
                    let hidden = || [variable.name, b".1"].concat();
                    let name = if is_shown { Cow::from(variable.name) } else { Cow::from(hidden()) };
                    found.names.entry(local).or_insert(name);
                    if declares {
                        found.types.entry(local).or_insert(variable.ty);
                    }
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
    /// Returns the type of the variable that a stack object is.
    pub(super) fn type_of(&self, local: Local) -> Option<Node> {
        self.types.get(&local).copied()
    }
    /// True if a variable has this name, which another local must not have then.
    #[inline]
    pub(super) fn has(&self, name: &[u8]) -> bool {
        !self.all.is_empty() && self.all.contains(name)
    }
}

/// Returns a variable of a node, if it has a name and is in a scope of this function.
fn own_variable<'a>(program: &'a Program, def: &ast::Function, node: Node) -> Option<Variable<'a>> {
    let MetadataNode::Variable { name, arg, scope, ty } = program.metadata.get(node as usize)? else { return None };
    let mut scope = *scope;
    for _ in 0..MAX_NESTING {
        if scope == def.debug {
            let is_param = *arg != 0;
            return (!name.is_empty()).then_some(Variable { name, is_param, ty: *ty, records: 0 });
        }
        let MetadataNode::Scope { around, .. } = program.metadata.get(scope as usize)? else { return None };
        scope = *around;
    }
    None
}
