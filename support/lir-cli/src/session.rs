//! Work on one LIR text: the source, the limits of the work, and the times of its steps.

use super::{Console, ErrorLimit, Failure, Jobs, import_by, source_of_bytes};
use lir_syntax::check::check_parsed;
use lir_syntax::importer::{self, ImportOptions, Importer, Importers};
use lir_syntax::internal_error::in_stage;
use lir_syntax::ir::Module;
use lir_syntax::parser::{ParseOptions, PartialModule, parse_partially};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::foreign;
use lir_syntax::text::source::Source;
use lir_syntax::verifier::verify_module;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Work on a source, from its text to the last step.
pub struct Session {
    /// The text.
    pub source: Arc<Source>,
    /// The most threads that a step may use.
    pub threads: usize,
    /// The most errors that a failure shows, at least one.
    pub error_limit: usize,
    /// The times of the steps so far.
    pub clock: Clock,
    /// The importer of a text in another language, with the bytes that it reads.
    imported: Option<(&'static dyn Importer, Vec<u8>)>,
    import_options: ImportOptions,
}

impl Session {
    /// Reads a source, as [`Console::read_source`] does, for a tool with these options, that takes other languages,
    /// too.
    ///
    /// # Errors
    /// The file cannot be read, or is LIR and not UTF-8.
    pub fn open(
        console: &mut Console,
        path: Option<&Path>,
        importers: Importers,
        (jobs, limit): (Jobs, ErrorLimit),
    ) -> Result<Session, Failure> {
        let (name, bytes) = console.read_bytes(path)?;
        let session = Session::of_bytes(name, bytes, importers)?;
        let threads = jobs.threads_for(session.source.text.len());
        Ok(Session { threads, error_limit: limit.get(), ..session })
    }
    /// Returns the session of a source that was read, with one thread and the usual error limit.
    ///
    /// # Errors
    /// The source is LIR and not UTF-8.
    pub fn of_bytes(name: String, bytes: Vec<u8>, importers: Importers) -> Result<Session, Failure> {
        Ok(match importer::pick(importers, &name, &bytes) {
            Some(importer) => {
                import_by(importer);
                let source = Source { name, text: shown(bytes.clone()) };
                Session { imported: Some((importer, bytes)), ..Session::new(source) }
            }
            None => Session::new(source_of_bytes(name, bytes)?),
        })
    }
    /// The same with the source as LIR: translated, if it is in another language. Its name then ends in `.lir`.
    ///
    /// # Errors
    /// The text of the other language is wrong.
    pub fn into_lir(self) -> Result<Session, Failure> {
        if self.imported.is_none() {
            return Ok(self);
        }
        let text = self.check()?.to_string();
        let name = Path::new(&self.source.name).with_extension("lir").display().to_string();
        Ok(Session { source: Arc::new(Source { name, text }), imported: None, ..self })
    }
    /// Returns a session with one thread and the usual error limit.
    pub fn new(source: Source) -> Session {
        let ParseOptions { threads, error_limit } = ParseOptions::default();
        let import_options = ImportOptions::default();
        Session {
            source: Arc::new(source),
            threads,
            error_limit,
            clock: Clock::default(),
            imported: None,
            import_options,
        }
    }
    /// The same session with other options for translating other languages.
    #[must_use]
    pub fn with_import_options(mut self, options: ImportOptions) -> Session {
        self.import_options = options;
        self
    }
    /// The same with another error limit.
    #[must_use]
    pub fn with_error_limit(mut self, error_limit: usize) -> Session {
        self.error_limit = error_limit;
        self
    }
    /// Parses the source; the clock measures it. The errors are one more than the limit if there are more.
    pub fn parse(&self) -> PartialModule {
        let parse = || in_stage(format_args!("the parser"), || parse_partially(&self.source, &self.parse_options()));
        self.clock.measure("parse", parse)
    }
    fn parse_options(&self) -> ParseOptions {
        // One more than is reported shows whether there are more.
        ParseOptions { threads: self.threads, error_limit: self.error_limit.saturating_add(1) }
    }
    /// Parses and verifies the source; the clock measures both.
    ///
    /// # Errors
    /// All errors, up to the error limit, rendered.
    pub fn check(&self) -> Result<Module, Failure> {
        if let Some((importer, bytes)) = &self.imported {
            return self.import(*importer, bytes);
        }
        let (source, options, parsed) = (&*self.source, self.parse_options(), self.parse());
        let verify = || in_stage(format_args!("the verifier"), || check_parsed(source, parsed, &options));
        self.clock.measure("verify", verify).map_err(|errors| self.refusal(&errors))
    }
    /// Translates and verifies the text of another language.
    fn import(&self, importer: &dyn Importer, bytes: &[u8]) -> Result<Module, Failure> {
        let import = || {
            let module = importer.import(bytes, self.import_options)?;
            let errors = verify_module(&module, self.error_limit.saturating_add(1));
            if errors.is_empty() { Ok(module) } else { Err(errors) }
        };
        self.step("import", || in_stage(format_args!("the importer"), import))
    }
    /// Returns the failure for a source with these errors, up to the error limit. For one in another language, it names
    /// the language.
    pub fn refusal(&self, errors: &[Diagnostic]) -> Failure {
        match foreign::of_text(&self.source) {
            Some(foreign) => Failure::diagnostics(&self.source, &[foreign]),
            None => self.failure(errors),
        }
    }
    /// Does something that may find errors in the source; the clock measures it.
    ///
    /// # Errors
    /// The errors that it found, up to the error limit, rendered.
    pub fn step<T>(&self, name: &'static str, work: impl FnOnce() -> Result<T, Vec<Diagnostic>>) -> Result<T, Failure> {
        self.clock.measure(name, work).map_err(|errors| self.failure(&errors))
    }
    /// Returns the first diagnostics of the source, up to the error limit. A line follows if there are more.
    pub fn failure(&self, diagnostics: &[Diagnostic]) -> Failure {
        let shown = diagnostics.len().min(self.error_limit);
        let mut failure = Failure::diagnostics(&self.source, &diagnostics[..shown]);
        if shown < diagnostics.len() {
            let name = &self.source.name;
            failure.text.push_str(&format!("{name}: note: there are more errors; --error-limit shows them\n"));
        }
        failure
    }
}

/// Bytes as text in which offsets hold: those that are not UTF-8 are shown as `?`.
fn shown(bytes: Vec<u8>) -> String {
    let as_ascii = |b: u8| if b.is_ascii() { b as char } else { '?' };
    String::from_utf8(bytes).unwrap_or_else(|e| e.into_bytes().into_iter().map(as_ascii).collect())
}

/// The times of the stages of a run.
#[derive(Clone, Default, Debug)]
pub struct Clock {
    stages: RefCell<Vec<(&'static str, Duration)>>,
}

impl Clock {
    /// Does something, and adds its time as a stage.
    pub fn measure<T>(&self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.add(stage, start.elapsed());
        result
    }
    /// Adds a stage that was measured elsewhere.
    pub fn add(&self, stage: &'static str, time: Duration) {
        self.stages.borrow_mut().push((stage, time));
    }
    /// Lines with milliseconds, part of the total, and name: the stages in order, then their total.
    pub fn table(&self) -> String {
        let stages = self.stages.borrow();
        let total: Duration = stages.iter().map(|s| s.1).sum();
        let mut text = String::new();
        for (stage, time) in stages.iter().copied().chain([("total", total)]) {
            let share = 100.0 * time.as_secs_f64() / total.as_secs_f64().max(1e-9);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{:10.3} ms {share:5.1} %  {stage}", time.as_secs_f64() * 1e3);
        }
        text
    }
}
