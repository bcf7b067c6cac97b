//! Gives every instruction of a module a place on a line of its own, and finds the instruction of a line.

use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{EntityRef, FileData, Function, Inst, Item, Module, Origin, PackedOption, Place, SourceFile, Sym};
use std::collections::HashMap;

/// The number of made-up files: a function is in one of them.
const FILES: usize = 3;

/// The instructions of a module by their lines.
pub struct Lines {
    at: Vec<(Sym, Inst)>,
    /// The functions as they were when they were numbered.
    pub functions: HashMap<Sym, Function>,
}

/// Declares the made-up files.
pub fn declare_files(module: &mut Module) {
    for k in 0..FILES {
        let name = format!("f{k}");
        let path = format!("{name}.c").into_bytes().into();
        let file = module.decls.files.push(FileData { name: name.into_bytes().into(), path, loc: NO_LOC });
        module.items.insert(k, Item::File(file));
    }
}

fn place(sym: Sym, line: usize) -> Place {
    let file = SourceFile::new(sym.index() % FILES);
    Place { file, line: line as u32 + 1, column: line as u32 % 80 + 1 }
}

impl Lines {
    /// Numbers the instructions of a module anew. The offset in the text is the line, too, less 1: remarks refer to it.
    pub fn give(module: &mut Module) -> Lines {
        let mut at = Vec::new();
        for f in module.funcs.as_mut_slice() {
            f.origins.clear();
            let all: Vec<Inst> = f.layout().all_insts().collect();
            for i in all {
                let (line, inlined) = (at.len(), PackedOption::NONE);
                let loc = f.origins.add(Origin { offset: line as u32, place: Some(place(f.sym, line)), inlined });
                f.set_loc(i, loc);
                at.push((f.sym, i));
            }
        }
        Lines { at, functions: module.funcs.values().map(|f| (f.sym, f.clone())).collect() }
    }
    /// The instruction that an origin is the line of, with its function; none if there is no line.
    ///
    /// # Errors
    /// The parts of the origin are of several instructions.
    pub fn of(&self, origin: Origin) -> Result<Option<(Sym, Inst)>, &'static str> {
        let Some(found) = origin.place else {
            let is_none = origin.offset == NO_LOC;
            return if is_none { Ok(None) } else { Err("an offset in the text without a place") };
        };
        let line = found.line as usize - 1;
        let (sym, i) = self.at[line];
        if found != place(sym, line) || origin.offset as usize != line {
            return Err("the place and the offset in the text are of several instructions");
        }
        Ok(Some((sym, i)))
    }
}
