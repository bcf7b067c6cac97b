//! Writes a module as assembly text for GNU as, in Intel syntax, with the same sections, symbols and relocations as the
//! [object](crate::output::elf).
//!
//! The instructions are the encoder's: they come from its journal, not from the bytes, so that an assembler's encoding
//! is an independent check. The LIR instruction that they were made from precedes them as a comment.
//!
//! * `names`: which names can be written as they are, and how to write the others;
//! * `sections`: section directives;
//! * `data`: data objects and constants;
//! * `instructions`: functions;
//! * `lines`: files and lines, from which the assembler makes debug information.

mod data;
mod instructions;
mod lines;
mod sections;
mod symbol_names;

use crate::code::CompiledModule;
use crate::isa::x64::emit::{FunctionCode, RelocTarget};
use crate::output::debug_info::DebugSource;
use crate::output::defined_data;
use crate::output::placement::Placement;
use lines::Files;
use lir_syntax::ir::{Function, Linkage, Module, Sym, Visibility};
use lir_syntax::parallel::map_chunks;
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::{LineTable, Span};
use sections::Sections;
use symbol_names::Names;

/// The parts of a file.
struct AsmFile<'m> {
    module: &'m Module,
    compiled: &'m CompiledModule,
    lines: &'m LineTable,
    names: Names<'m>,
    sections: Sections<'m>,
    /// The files, if lines are wanted.
    files: Option<Files<'m>>,
}

/// A function of the file.
struct AsmFunction<'m> {
    index: usize,
    func: &'m Function,
    code: &'m FunctionCode,
    placement: Placement<'m>,
}

/// Returns the assembly text of a compiled module, by up to `threads` threads. The module was compiled with a
/// [journal](crate::watchers::locations::Locations). It has lines for debuggers if its text is given; then the module
/// was compiled with positions.
///
/// # Errors
/// The module has something that GNU as cannot express, such as some names or section flags; reported at its symbol.
pub fn write_module(
    module: &Module,
    compiled: &CompiledModule,
    lines: &LineTable,
    debug: Option<&DebugSource<'_>>,
    threads: usize,
) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let names = Names::new(&module.decls);
    let mut errors = Vec::new();
    let mut sections = Sections::new();
    let (mut functions, mut data) = (Vec::new(), Vec::new());
    for (index, (func, code)) in module.funcs.values().zip(&compiled.functions).enumerate() {
        match Placement::of_function(func.section.as_ref()) {
            Ok(placement) => functions.push(AsmFunction { index, func, code, placement }),
            Err(flag) => errors.push(refused(module, func.sym, flag)),
        }
    }
    for d in defined_data(module) {
        let object = &module.decls.data[d];
        match Placement::of_data(object) {
            Ok(placement) => data.push((object, placement)),
            Err(flag) => errors.push(refused(module, object.sym, flag)),
        }
    }
    functions.iter().map(|f| &f.placement).for_each(|p| sections.add(p));
    data.iter().for_each(|(_, p)| sections.add(p));
    [Placement::RODATA, Placement::EH_FRAME, Placement::NOTE_GNU_STACK].iter().for_each(|p| sections.add(p));
    errors.extend(impossible_names(module, compiled, &names, &sections));
    if !errors.is_empty() {
        return Err(errors);
    }
    let files = debug.map(|debug| Files::new(module, debug));
    let file = AsmFile { module, compiled, lines, names, sections, files };

    let mut out = b"\t.intel_syntax noprefix\n".to_vec();
    file.files.iter().for_each(|files| files.put(&mut out));
    let texts = map_chunks(&functions, threads, |chunk| {
        let mut out = Vec::new();
        chunk.iter().for_each(|f| instructions::put_function(&file, f, &mut out));
        out
    });
    texts.iter().for_each(|text| out.extend_from_slice(text));
    for (object, placement) in data {
        file.sections.put(&placement, &mut out);
        data::put_data(&file, object, placement.is_nobits(), &mut out);
    }
    if !compiled.code.consts.is_empty() {
        file.sections.put(&Placement::RODATA, &mut out);
        data::put_constants(&file, &mut out);
    }
    put_aliases(&file, &mut out);
    put_thread_externs(&file, &mut out);
    put_weak_externs(&file, &mut out);
    file.sections.put(&Placement::NOTE_GNU_STACK, &mut out);
    Ok(out)
}

fn error(module: &Module, sym: Sym, message: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::new(Span::at(module.decls.syms[sym].loc), message.to_string())
}

/// Returns the error for a flag of the section that `sym` names.
fn refused(module: &Module, sym: Sym, flag: char) -> Diagnostic {
    error(module, sym, format_args!("unsupported section flag `{flag}`"))
}

/// Names that cannot be written. A declared name that is never used is an error, too, though it does no harm.
fn impossible_names(
    module: &Module,
    compiled: &CompiledModule,
    names: &Names<'_>,
    sections: &Sections<'_>,
) -> Vec<Diagnostic> {
    let mut runtime: Vec<&str> = Vec::new();
    for r in &compiled.code.relocs {
        if let RelocTarget::Runtime(name) = r.target
            && !runtime.contains(&name)
        {
            runtime.push(name);
        }
    }
    let is_section = |name: &[u8]| sections.has_name(name);
    let mut errors = Vec::new();
    for (sym, data) in module.decls.syms.iter() {
        let obstacle = match names.obstacle(sym, is_section) {
            None if data.is_local() && runtime.iter().any(|r| r.as_bytes() == &*data.name) => {
                Some("the name of a run-time function that the code calls")
            }
            other => other,
        };
        if let Some(obstacle) = obstacle {
            let message = format!("GNU as has no way to write a symbol with {obstacle}: make an object instead");
            errors.push(error(module, sym, message));
        }
    }
    errors
}

/// Declares symbols as thread data of other files if their references do not show it.
fn put_thread_externs(file: &AsmFile<'_>, out: &mut Vec<u8>) {
    for (sym, data) in file.module.decls.data.values().map(|d| (d.sym, d)) {
        if data.is_extern && data.thread && !file.names.is_plain(sym) {
            line(out, b"\t.type ", |out| {
                file.names.put(sym, out);
                out.extend_from_slice(b", @tls_object");
            });
        }
    }
}

/// Appends the aliases. GNU as gives the symbol of an alias without an offset the size and the visibility of its
/// target; a later directive replaces the visibility.
fn put_aliases(file: &AsmFile<'_>, out: &mut Vec<u8>) {
    let decls = &file.module.decls;
    for (_, alias) in decls.aliases.all() {
        line(out, b"\t.set ", |out| {
            file.names.put(alias.sym, out);
            out.extend_from_slice(b", ");
            file.names.put(alias.target, out);
            symbol_names::put_addend(alias.offset, out);
        });
        data::put_scope(file, alias.sym, out);
        line(out, b"\t.type ", |out| {
            file.names.put(alias.sym, out);
            let is_function = decls.signature(alias.sym).is_some();
            out.extend_from_slice(if is_function { b", @function" } else { b", @object" });
        });
        if let Some(data) = decls.data_of(alias.target) {
            let rest = data.size().saturating_sub(u64::try_from(alias.offset).unwrap_or(0));
            line(out, b"\t.size ", |out| {
                file.names.put(alias.sym, out);
                out.extend_from_slice(format!(", {rest}").as_bytes());
            });
        }
    }
}

/// Declares the linkage and visibility of symbols of other files, if they differ from the assembler's default.
fn put_weak_externs(file: &AsmFile<'_>, out: &mut Vec<u8>) {
    let decls = &file.module.decls;
    for (sym, data) in decls.syms.iter() {
        let differs = data.linkage == Linkage::Weak || data.visibility != Visibility::Default;
        if differs && !decls.is_defined(sym) {
            data::put_scope(file, sym, out);
        }
    }
}

/// Writes a line that begins with `start`.
fn line(out: &mut Vec<u8>, start: &[u8], rest: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(start);
    rest(out);
    out.push(b'\n');
}
