//! Shows code in memory to gdb, and to perf by a map or a dump.

pub(crate) use super::debugger::Registered;
use super::jitdump::Dump;
use super::link::Linked;
use super::perf_map::PerfMap;
use lir_llc::code::CompiledModule;
use lir_llc::output::debug_info::DebugSource;
use lir_syntax::ir::Module;
use lir_syntax::text::source::Source;
use std::sync::Arc;

/// The debuggers and profilers that an engine shows its code to, while the program runs, too.
#[derive(Debug)]
pub struct Viewers {
    /// The text of the module.
    pub source: Arc<Source>,
    /// True to show names, lines and unwinding to gdb, until the code is dropped.
    pub gdb: bool,
    /// The map that names are added to, for perf.
    pub map: Option<PerfMap>,
    /// The dump that code is added to, for perf.
    pub dump: Option<Arc<Dump>>,
}

impl Viewers {
    /// Viewers that show nothing yet.
    pub fn none(source: Arc<Source>) -> Viewers {
        Viewers { source, gdb: false, map: None, dump: None }
    }
    /// Shows the functions of a module, as this module describes them. gdb forgets them when the result is dropped.
    ///
    /// # Errors
    /// The code cannot be described or written; the text has the reason.
    pub(super) fn show(
        &self,
        described: &Module,
        compiled: &CompiledModule,
        linked: &Linked,
    ) -> Result<Option<Registered>, String> {
        with_source(&self.source, |debug| self.show_with(debug, described, compiled, linked))
    }
    fn show_with(
        &self,
        debug: &DebugSource<'_>,
        described: &Module,
        compiled: &CompiledModule,
        linked: &Linked,
    ) -> Result<Option<Registered>, String> {
        if let Some(map) = &self.map {
            map.add(described, compiled, linked).map_err(|e| format!("cannot write the map of code for perf: {e}"))?;
        }
        if let Some(dump) = &self.dump {
            dump.add(described, compiled, linked, debug).map_err(|e| format!("cannot dump the code for perf: {e}"))?;
        }
        let registered = self.gdb.then(|| Registered::new(described, compiled, linked, debug));
        registered.transpose().map_err(|e| format!("cannot show the code to gdb: {e}"))
    }
}

/// Calls a function with the source of debug information: this text, in the current folder.
pub(super) fn with_source<T>(text: &Source, act: impl FnOnce(&DebugSource<'_>) -> T) -> T {
    let folder = std::env::current_dir().map_or_else(|_| ".".into(), |d| d.display().to_string());
    act(&DebugSource { source: text, folder: &folder, embeds: false })
}
