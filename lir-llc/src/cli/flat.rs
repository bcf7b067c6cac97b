//! The options of `--emit=bin`.

use super::{Emit, Options, Reloc};
use crate::code::CompiledModule;
use crate::output::flat::{self, FlatOptions, MapLines};
use clap::Args;
use lir_cli::heading::FILES;
use lir_cli::{Console, Failure, Session, not_both_to_one, not_over_input};
use lir_syntax::ir::{Module, Sym};
use std::path::{Path, PathBuf};

/// Options of flat images.
#[derive(Args)]
pub(super) struct FlatArgs {
    /// Begin a flat image with this function [default: @main, else the first one]
    #[arg(long, value_name = "@NAME", help_heading = FILES)]
    entry: Option<String>,
    /// The address of a flat image, decimal or 0x..; needed if its data contains addresses
    #[arg(long, value_name = "ADDR", value_parser = parse_address, help_heading = FILES)]
    base: Option<u64>,
    /// Write a map of a flat image
    ///
    /// Each line has an offset, a size, `part` or the name of the part, and a name. With -g, each function is followed
    /// by its line table: offset and size of a piece of code, `line`, and `"FILE":LINE:COLUMN`.
    #[arg(long, value_name = "FILE", help_heading = FILES)]
    emit_map: Option<PathBuf>,
}

impl FlatArgs {
    /// True if an option is for images.
    pub(super) fn is_meant(&self) -> bool {
        self.entry.is_some() || self.base.is_some() || self.emit_map.is_some()
    }
    /// True if a map is wanted.
    pub(super) fn has_map(&self) -> bool {
        self.emit_map.is_some()
    }
    /// Returns the function that was named, if any; passes keep it. Errors in the name are reported later.
    pub(super) fn entry_point(&self, module: &Module) -> Option<Sym> {
        let entry = flat::find_entry(module, Some(self.entry.as_deref()?)).ok()?;
        Some(module.funcs[entry].sym)
    }
}

fn parse_address(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    // `from_str_radix` takes a sign.
    parsed.ok().filter(|_| !text.contains('+')).ok_or_else(|| "expected a number below 2^64, decimal or 0x..".into())
}

impl Options {
    /// Checks that the options for flat images fit the rest.
    pub(super) fn check_flat(&self, emit: Emit) -> Result<(), Failure> {
        let args = &self.flat;
        if emit == Emit::Bin {
            return match (&args.emit_map, self.reloc) {
                (_, Reloc::Pic | Reloc::Static) => Err(Failure::usage(
                    "a flat image is position independent and refers to nothing outside: --reloc is for objects",
                )),
                (Some(map), _) => {
                    not_over_input("the map", map, self.input.as_deref())?;
                    not_both_to_one("the image and its map", self.output(), map)
                }
                (None, _) => Ok(()),
            };
        }
        let given = [
            ("--entry", args.entry.is_some()),
            ("--base", args.base.is_some()),
            ("--emit-map", args.emit_map.is_some()),
        ];
        match given.into_iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(Failure::usage(format_args!("{option} is for flat images: --emit=bin"))),
            None => Ok(()),
        }
    }

    /// Returns the image; its map is written, if wanted.
    pub(super) fn flat_image(
        &self,
        session: &Session,
        module: &Module,
        code: &CompiledModule,
        console: &mut Console,
    ) -> Result<Vec<u8>, Failure> {
        let entry = flat::find_entry(module, self.flat.entry.as_deref()).map_err(Failure::input)?;
        let image = flat::link(module, code, &FlatOptions { entry, base: self.flat.base })
            .map_err(|errors| session.failure(&errors))?;
        if let Some(path) = &self.flat.emit_map {
            let lines = self.debug_info.then(|| MapLines::new(code, &session.source));
            console.write_output(Some(path), image.map(module, lines.as_ref()).as_bytes())?;
        }
        Ok(image.bytes)
    }
}

pub(super) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}
