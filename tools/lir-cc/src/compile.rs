//! Compiles one source.

use crate::arguments::{CommandLine, Input, Language, Mode};
use crate::{TOOL, beside, run_program, status};
use lir_cli::{Console, Failure};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// The result of one source.
pub struct Compiled {
    pub status: u8,
    /// True if clang compiled the source because LIR could not.
    pub by_clang: bool,
}

/// Keeps the passes of clang's `-O1` from making vectors, which LIR would split into scalars.
const NO_VECTORS: [&str; 2] = ["-fno-vectorize", "-fno-slp-vectorize"];

/// Accepts options of later steps, even with `-Werror`.
const UNUSED: &str = "-Qunused-arguments";

/// Compiles a source into an object or assembly. After a failure there is no output.
///
/// # Errors
/// Clang cannot be run.
pub fn unit(
    clang: &Path,
    line: &CommandLine,
    input: &Input,
    output: &Path,
    console: &mut Console,
) -> Result<Compiled, Failure> {
    let compiled = match input.language.is_compiled() {
        true => by_lir(clang, line, input, output, console)?,
        false => Compiled { status: by_clang(clang, line, input, output)?, by_clang: false },
    };
    if compiled.status != 0 && output.symlink_metadata().is_ok_and(|m| m.is_file()) {
        std::fs::remove_file(output).map_err(|e| Failure::file(output.display(), &e))?;
    }
    Ok(compiled)
}

fn by_lir(
    clang: &Path,
    line: &CommandLine,
    input: &Input,
    output: &Path,
    console: &mut Console,
) -> Result<Compiled, Failure> {
    let (ir, parsed) = match input.language {
        Language::Ir => (console.read_bytes(Some(&input.path))?.1, 0),
        _ => parse(clang, line, input)?,
    };
    if parsed != 0 {
        return Ok(Compiled { status: parsed, by_clang: false });
    }
    let mut messages = Vec::new();
    let unspeculated = input.language == Language::Source && !line.llvm_passes;
    let status = generate(line, (&ir, unspeculated), output, console, &mut messages);
    let (name, messages) = (input.path.display(), String::from_utf8_lossy(&messages));
    if status == 0 || !line.fallback {
        let title = if status == 0 { String::new() } else { format!("{TOOL}: {name} is not compiled:\n") };
        console.say(title + &messages);
        return Ok(Compiled { status, by_clang: false });
    }
    let reason = messages.lines().find_map(|l| Some(l.split_once("error: ")?.1)).unwrap_or("no reason");
    console.say(format_args!("{TOOL}: clang compiles {name}, because {reason}\n"));
    Ok(Compiled { status: by_clang(clang, line, input, output)?, by_clang: true })
}

/// Compiles a source with clang alone.
fn by_clang(clang: &Path, line: &CommandLine, input: &Input, output: &Path) -> Result<u8, Failure> {
    let mut command = clang_on(clang, line, input);
    command.arg(if line.mode == Mode::Assembly { "-S" } else { "-c" }).arg("-o").arg(output);
    run_program(&mut command).map(status)
}

/// Returns the IR of a source, which is clang's IR before any pass, and clang's exit status.
fn parse(clang: &Path, line: &CommandLine, input: &Input) -> Result<(Vec<u8>, u8), Failure> {
    let mut command = clang_on(clang, line, input);
    if line.llvm_passes {
        command.args(["-O1"]).args(NO_VECTORS);
    } else {
        command.args(["-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-O0-optnone"]);
    }
    command.args(["-S", "-emit-llvm", "-o", "-"]).stdout(Stdio::piped());
    let result = command.spawn().and_then(|child| child.wait_with_output());
    let result = result.map_err(|e| Failure::file(clang.display(), &e))?;
    Ok((result.stdout, status(result.status)))
}

/// Returns the command of clang on a source, without the kind of output.
fn clang_on(clang: &Path, line: &CommandLine, input: &Input) -> Command {
    let mut command = Command::new(clang);
    command.args(line.compile_options()).arg(UNUSED).args(dependencies(line, input));
    if let Some(language) = &input.explicit {
        command.arg("-x").arg(language);
    }
    command.arg(&input.path);
    command
}

/// Returns options that name the file of dependencies, and the target in it, as clang does: after the argument of `-o`
/// or, without `-o`, after the source.
fn dependencies(line: &CommandLine, input: &Input) -> Vec<OsString> {
    let has = |names: &[&str]| {
        line.compile_options().any(|option| names.iter().any(|name| option.to_string_lossy().starts_with(name)))
    };
    let mut options: Vec<OsString> = Vec::new();
    if !has(&["-MD", "-MMD", "-Wp,-MD", "-Wp,-MMD", "--write-dependencies", "--write-user-dependencies"]) {
        return options;
    }
    let object = line.output.clone().unwrap_or_else(|| beside(&input.path, "o"));
    if !has(&["-MF", "-Wp,-MD,", "-Wp,-MMD,"]) {
        options.extend(["-MF".into(), object.with_extension("d").into_os_string()]);
    }
    if !has(&["-MT", "-MQ"]) {
        options.extend(["-MQ".into(), object.into_os_string()]);
    }
    options
}

/// Compiles IR, and returns the exit status. `unspeculated` is true if no pass has changed the IR.
fn generate(
    line: &CommandLine,
    (ir, unspeculated): (&[u8], bool),
    output: &Path,
    console: &mut Console,
    messages: &mut Vec<u8>,
) -> u8 {
    let mut arguments: Vec<OsString> = vec!["lir-llc".into(), format!("-O{}", line.level).into()];
    arguments.push(if line.mode == Mode::Assembly { "--emit=asm" } else { "--emit=obj" }.into());
    if line.level == 0 {
        arguments.push("--codegen=fast".into());
    }
    if line.pic {
        arguments.push("--reloc=pic".into());
    }
    if unspeculated {
        arguments.push("--unspeculated".into());
    }
    if line.debug {
        arguments.push("-g".into());
    }
    arguments.extend(line.llc_options.iter().cloned());
    arguments.extend(["-o".into(), output.into(), "-".into()]);
    let mut stdin = ir;
    let mut console = Console { stdin: &mut stdin, stdout: console.stdout, stderr: messages };
    lir_llc::cli::run(&arguments, &mut console)
}
