//! The scopes in a function, each with its code: blocks of the source in which variables are visible, and calls that
//! were inlined.
//!
//! The scopes are a tree, from the function on. A block is in the body, of the function or of an inlined call, that has
//! a variable with this scope, and in the block of this body around it. An inlined call is in the innermost block of
//! the place of the call. Code belongs to the innermost scope of its place, and to all around that one. So scopes next
//! to each other have no code in common, and no code is in a scope without being in the one around it, even if blocks
//! overlap: of two such blocks, the one that begins later has the code of both.
//!
//! Code without an origin belongs to the place before it, as in the line table, but to no inlined call.

use super::rows::SourceLine;
use super::tree::Tree;
use super::{origin_of, positions_of};
use crate::code::CompiledModule;
use crate::isa::x64::emit::FunctionCode;
use crate::variables::Variables;
use gimli::constants;
use gimli::write::{AttributeValue, UnitEntryId};
use lir_syntax::ir::debug_loc::InlinedCall;
use lir_syntax::ir::{EntityRef, FuncId, Function, PackedOption, Place, ScopeData};
use lir_syntax::text::source::LineTable;
use std::cmp::Reverse;
use std::ops::Range;

/// The most blocks around a scope. Variables of deeper blocks are left out.
const MAX_BLOCKS: usize = 64;

/// The body of the function, or of an inlined call.
pub(super) type Body = PackedOption<InlinedCall>;

/// The tree of scopes. The first one is the function.
pub(super) struct Scopes {
    all: Vec<Scope>,
    /// By number of a body: its own scope, and its blocks, outer before inner ones.
    bodies: Vec<(usize, Range<usize>)>,
}

struct Scope {
    kind: Kind,
    /// The scope around this one.
    around: usize,
    /// The number of blocks around what is in this scope.
    depth: usize,
    /// The innermost scope around this one, or this one, that is in no inlined call.
    outside: usize,
    /// Its code, by offsets in the function.
    code: Vec<Range<u32>>,
}

#[derive(Copy, Clone)]
enum Kind {
    Function,
    Call(InlinedCall),
    Block(ScopeData),
}

/// Returns the number of a body: the function's is 0.
fn number(body: Body) -> usize {
    body.expand().map_or(0, |call| call.index() + 1)
}

/// Orders scopes by their begin, outer before inner ones.
fn key(scope: &ScopeData) -> (Place, Reverse<Place>) {
    (scope.begin, Reverse(scope.end()))
}

impl Scopes {
    /// Returns the scopes of a function, with their code.
    fn new(
        table: &LineTable,
        (f, variables): (&Function, &Variables),
        compiled: &CompiledModule,
        code: &FunctionCode,
    ) -> Scopes {
        let mut blocks: Vec<Vec<ScopeData>> = vec![Vec::new(); f.origins.calls().len() + 1];
        for v in &variables.objects {
            if let Some(scope) = f.stack[v.obj].scope.expand().and_then(|scope| f.scopes.get(scope)) {
                v.bodies().for_each(|body| blocks[number(body)].push(*scope));
            }
        }
        let mut scopes = Scopes { all: Vec::new(), bodies: Vec::new() };
        scopes.add(Kind::Function, 0);
        scopes.body(0, &mut blocks[0]);
        // A call is noted after the call around it.
        for (k, blocks) in blocks.iter_mut().enumerate().skip(1) {
            let call = InlinedCall::new(k - 1);
            let at = f.origins.get(f.origins.call(call).call);
            let around = scopes.innermost(at.inlined, at.place);
            let own = scopes.add(Kind::Call(call), around);
            scopes.body(own, blocks);
        }
        if scopes.all.len() > 1 {
            scopes.find_code(table, f, compiled, code);
        }
        scopes
    }
    fn add(&mut self, kind: Kind, around: usize) -> usize {
        let new = self.all.len();
        let (depth, outside) = match (kind, self.all.get(around)) {
            (Kind::Call(_), Some(around)) => (around.depth, around.outside),
            (Kind::Block(_), Some(Scope { depth, outside, .. })) if *outside != around => (depth + 1, *outside),
            (Kind::Block(_), Some(around)) => (around.depth + 1, new),
            (Kind::Function, _) | (_, None) => (0, new),
        };
        self.all.push(Scope { kind, around, depth, outside, code: Vec::new() });
        new
    }
    /// Adds the blocks of the next body, inside of its own scope.
    fn body(&mut self, own: usize, blocks: &mut Vec<ScopeData>) {
        blocks.sort_unstable_by_key(key);
        blocks.dedup_by_key(|scope| key(scope));
        let first = self.all.len();
        let mut open: Vec<(usize, Place)> = Vec::new();
        for scope in blocks {
            while open.pop_if(|(_, end)| *end < scope.end()).is_some() {}
            let around = open.last().map_or(own, |(around, _)| *around);
            if self.all[around].depth < MAX_BLOCKS {
                open.push((self.add(Kind::Block(*scope), around), scope.end()));
            }
        }
        self.bodies.push((own, first..self.all.len()));
    }
    /// Returns the innermost scope of a place in a body.
    fn innermost(&self, body: Body, place: Option<Place>) -> usize {
        let (own, ref blocks) = self.bodies[number(body)];
        let Some(place) = place else { return own };
        // The last block that begins at the place or before it, or else the nearest one around it.
        let begun = self.all[blocks.clone()].partition_point(|scope| scope.begin().is_some_and(|begin| begin <= place));
        let mut found = if begun == 0 { own } else { blocks.start + begun - 1 };
        while let Kind::Block(scope) = self.all[found].kind
            && !scope.contains(place)
        {
            found = self.all[found].around;
        }
        found
    }
    fn find_code(&mut self, table: &LineTable, f: &Function, compiled: &CompiledModule, code: &FunctionCode) {
        let positions = positions_of(&compiled.code.positions, code.start, code.len);
        let mut scope = self.innermost(Body::NONE, f.place);
        if let Some(first) = positions.first().filter(|p| p.offset > code.start) {
            self.add_code(scope, 0..first.offset - code.start);
        }
        for (k, p) in positions.iter().enumerate() {
            let end = positions.get(k + 1).map_or(code.start + code.len, |next| next.offset);
            let origin = origin_of(f, p).map(|loc| (loc, f.origins.get(loc)));
            scope = match origin {
                Some((loc, origin)) if SourceLine::of_origin(table, f, loc).is_some() || origin.inlined.is_some() => {
                    self.innermost(origin.inlined, origin.place)
                }
                _ => self.all[scope].outside,
            };
            self.add_code(scope, p.offset - code.start..end - code.start);
        }
    }
    /// Adds code to a scope and to the scopes around it.
    fn add_code(&mut self, mut scope: usize, code: Range<u32>) {
        if code.is_empty() {
            return;
        }
        while scope != 0 {
            let Scope { code: before, around, .. } = &mut self.all[scope];
            match before.last_mut().filter(|last| last.end == code.start) {
                Some(last) => last.end = code.end,
                None => before.push(code.clone()),
            }
            scope = *around;
        }
    }
    /// Returns the block of a scope in a body.
    fn block(&self, body: Body, scope: &ScopeData) -> Option<usize> {
        let (_, ref blocks) = self.bodies[number(body)];
        let at = self.all[blocks.clone()].binary_search_by_key(&Some(key(scope)), |scope| match &scope.kind {
            Kind::Block(scope) => Some(key(scope)),
            Kind::Function | Kind::Call(_) => None,
        });
        at.ok().map(|at| blocks.start + at)
    }
}

impl Scope {
    /// Returns the begin of a block.
    fn begin(&self) -> Option<Place> {
        match &self.kind {
            Kind::Block(scope) => Some(scope.begin),
            Kind::Function | Kind::Call(_) => None,
        }
    }
}

/// The scopes of a function, with the entry of each that has code.
pub(super) struct ScopeEntries {
    scopes: Scopes,
    entries: Vec<Option<UnitEntryId>>,
}

impl ScopeEntries {
    /// Returns the entry of the function.
    pub(super) fn function(&self) -> UnitEntryId {
        self.entries[0].expect("the function has an entry")
    }
    /// Returns the entry of a body, or of a scope in it. None if it has no code.
    pub(super) fn of(&self, body: Body, scope: Option<&ScopeData>) -> Option<UnitEntryId> {
        let at = match scope {
            Some(scope) => self.scopes.block(body, scope)?,
            None => self.scopes.bodies[number(body)].0,
        };
        self.entries[at]
    }
}

impl Tree<'_, '_> {
    /// Adds the scopes of a function to its entry, each inside of the one around it.
    pub(super) fn scopes(
        &mut self,
        compiled: &CompiledModule,
        function: UnitEntryId,
        (id, f): (FuncId, &Function),
        (code, variables): (&FunctionCode, &Variables),
    ) -> ScopeEntries {
        let scopes = Scopes::new(self.lines.table(), (f, variables), compiled, code);
        let mut entries: Vec<Option<UnitEntryId>> = vec![Some(function)];
        for scope in &scopes.all[1..] {
            let around = entries[scope.around].filter(|_| !scope.code.is_empty());
            entries.push(around.map(|around| match scope.kind {
                Kind::Call(call) => self.inlined(around, (id, f), call, &scope.code),
                Kind::Block(_) | Kind::Function => {
                    let entry = self.add(around, constants::DW_TAG_lexical_block);
                    self.code(entry, id, &scope.code);
                    entry
                }
            }));
        }
        ScopeEntries { scopes, entries }
    }
    /// Adds a call that was inlined.
    fn inlined(
        &mut self,
        around: UnitEntryId,
        (id, f): (FuncId, &Function),
        call: InlinedCall,
        code: &[Range<u32>],
    ) -> UnitEntryId {
        let data = f.origins.call(call);
        let of_callee = self.abstract_entry(data.callee);
        let entry = self.add(around, constants::DW_TAG_inlined_subroutine);
        self.set(entry, constants::DW_AT_abstract_origin, AttributeValue::UnitRef(of_callee));
        self.code(entry, id, code);
        if let Some(line) = self.lines.of(self.dwarf, f, data.call) {
            let names = [constants::DW_AT_call_file, constants::DW_AT_call_line, constants::DW_AT_call_column];
            self.line(entry, names, line);
        }
        entry
    }
}
