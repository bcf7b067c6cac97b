//! gdb steps through code at `-O0` just as the interpreter executes it: the same lines in the same order, with the same
//! values of variables at each of them.

use crate::tool::{self, Tool};
use lir_testing::files::{module_of, testdata};
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Steps so often, and writes a line at each stop: function, line, and the variables that are integers.
const SCRIPT: &str = "
import gdb
gdb.execute('break in.lir:' + FIRST)
gdb.execute('run')
gdb.execute('delete')
with open(OUT, 'w') as out:
    for _ in range(STEPS):
        frame = gdb.selected_frame()
        place = frame.find_sal()
        if not place.symtab or not place.symtab.filename.endswith('in.lir'):
            break
        words = [frame.name(), str(place.line)]
        for symbol in frame.block():
            value = symbol.value(frame)
            if not value.is_optimized_out and value.type.code == gdb.TYPE_CODE_INT:
                words.append(symbol.name + '=' + str(int(value)))
        print(' '.join(words), file=out)
        gdb.execute('step', to_string=True)
gdb.execute('kill')
";

const STEPS: usize = 400;

/// A place of control, with the known values of variables: gdb's, or the interpreter's before the line.
#[derive(Debug)]
struct Stop {
    function: String,
    line: u32,
    values: HashMap<String, i64>,
}

/// The stops of the interpreter, from the beginning of its trace.
fn interpreted(tool: &Tool, options: &[&str]) -> Vec<Stop> {
    let mut run = Command::new(env!("CARGO_BIN_EXE_lir-run"));
    run.current_dir(tool.folder()).args(["--interp", "-O0", "--trace", "in.lir"]).args(options);
    let mut child = run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut trace = BufReader::new(child.stderr.take().unwrap());
    let (mut text, mut line) = (String::new(), Vec::new());
    for _ in 0..20 * STEPS {
        line.clear();
        if trace.read_until(b'\n', &mut line).unwrap() == 0 {
            break;
        }
        text += &String::from_utf8_lossy(&line);
    }
    // It may have continued for long.
    child.kill().unwrap();
    child.wait().unwrap();
    stops_of(&text)
}

fn stops_of(trace: &str) -> Vec<Stop> {
    let mut stops: Vec<Stop> = Vec::new();
    let mut frames: Vec<(String, HashMap<String, i64>)> = Vec::new();
    for l in trace.lines() {
        let depth = (l.len() - l.trim_start().len()) / 2;
        if let Some((function, _)) = l.trim_start().strip_prefix('@').and_then(|l| l.split_once(", block ")) {
            frames.truncate(depth + 1);
            if frames.len() == depth {
                frames.push((function.into(), HashMap::new()));
            }
            continue;
        }
        let (text, values) = l.split_once(" ;").unwrap_or((l, ""));
        let Some((line, text)) = text.trim().split_once(' ') else { continue };
        let Ok(line) = line.parse() else { continue };
        let (function, variables) = frames.last_mut().expect("control is in a function");
        let (reads, result) = values.split_once("=>").unwrap_or((values, ""));
        for read in reads.split(", ") {
            if let Some((name, value)) = read.trim().strip_prefix('%').and_then(|r| r.split_once(" = "))
                && let Ok(value) = value.trim().parse()
            {
                variables.entry(name.into()).or_insert(value);
            }
        }
        stops.push(Stop { function: function.clone(), line, values: variables.clone() });
        if let Some((name, _)) = text.strip_prefix('%').and_then(|t| t.split_once(" = ")) {
            match result.trim().parse() {
                Ok(value) => drop(variables.insert(name.into(), value)),
                Err(_) => drop(variables.remove(name)),
            }
        }
    }
    stops
}

/// Runs a program under gdb with a script that takes so many steps from line `first`. Returns the text that the script
/// writes, or none if gdb is not installed.
pub fn scripted(tool: &Tool, script: &str, (first, steps): (usize, usize), arguments: &[&str]) -> Option<String> {
    let mut gdb = tool::gdb(tool.folder(), true)?;
    let (file, out) = (tool.folder().join("script.py"), tool.folder().join("out"));
    std::fs::write(&file, format!("FIRST, OUT, STEPS = '{first}', {out:?}, {steps}\n{script}")).unwrap();
    gdb.arg("-x").arg(&file).args(["--args", env!("CARGO_BIN_EXE_lir-run"), "--gdb"]).args(arguments);
    let said = gdb.output().unwrap();
    Some(std::fs::read_to_string(&out).unwrap_or_else(|e| panic!("{e}: {said:?}")))
}

/// The stops of gdb; none if it is not installed.
fn stepped(tool: &Tool, options: &[&str], after: &[&str], first: u32) -> Option<Vec<Stop>> {
    let lines = scripted(tool, SCRIPT, (first as usize, STEPS), &[options, &["in.lir"], after].concat())?;
    let stop = |l: &str| {
        let mut words = l.split(' ');
        let (function, line) = (words.next().unwrap().into(), words.next().unwrap().parse().unwrap());
        let value = |w: &str| w.split_once('=').map(|(name, value)| (name.into(), value.parse().unwrap()));
        Stop { function, line, values: words.filter_map(value).collect() }
    };
    Some(lines.lines().map(stop).collect())
}

/// Addresses differ from run to run.
fn is_address(n: i64) -> bool {
    n.unsigned_abs() > 1 << 40
}

/// Compares both, over all of gdb's stops: each is the next one of the interpreter at that line. Returns the number of
/// values that were the same.
fn compare(text: &str, stops: &[Stop], executed: &[Stop]) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let (mut at, mut same) = (0, 0);
    for stop in stops.iter().filter(|s| !lines[s.line as usize - 1].contains("func @")) {
        // Instructions without code of their own are skipped: the distance between two stops is short.
        let ahead = &executed[at..executed.len().min(at + 30)];
        let found = ahead.iter().position(|e| (&e.function, e.line) == (&stop.function, stop.line));
        let found = found.unwrap_or_else(|| panic!("{stop:?} does not follow {:?}", executed[..at].last()));
        for (name, value) in &stop.values {
            match ahead[found].values.get(name) {
                Some(meant) if is_address(*meant) && is_address(*value) => {}
                Some(meant) => {
                    assert_eq!(value, meant, "%{name} at {}, line {}", stop.function, stop.line);
                    same += 1;
                }
                None => {}
            }
        }
        at += found + 1;
    }
    same
}

/// A kernel of `testdata/programs`, with names of registers and stack objects that a debugger can spell.
pub fn kernel(name: &str) -> String {
    let text = module_of(&testdata("programs").join(name).with_extension("ssa")).unwrap().to_string();
    text.replace("%.", "%v").replace("$.", "$v")
}

#[test]
fn kernels_are_stepped_through_as_they_are_executed() {
    for (name, options) in [
        ("fannkuch", &["-O0"][..]),
        ("structs", &["-O0", "--regalloc-stress=spill", "--frame-pointer"]),
        ("queens", &["-O0", "--codegen=fast"]),
        ("mandel", &["-O0", "--regalloc=bottom-up"]),
    ] {
        let text = kernel(name);
        let tool = Tool::new(&text);
        let executed = interpreted(&tool, &["--", "6"]);
        assert!(executed.len() > STEPS, "{name}: {}", executed.len());
        let Some(stops) = stepped(&tool, options, &["--", "6"], executed[0].line) else { return };
        assert_eq!(stops.len(), STEPS, "{name}");
        let same = compare(&text, &stops, &executed);
        assert!(same >= 60, "{name}: {same} values");
    }
}

/// Variables of several values, in loops and across calls, in the frames of a recursion.
#[test]
fn variables_have_the_values_that_were_assigned_last() {
    let text = "\
func @fib(%n: i64) -> i64 {
  stack $kept: 8
entry:
  store i64 [$kept], %n
  br slt i64 %n, 2, few, more
few:
  ret %n
more:
  %n = sub i64 %n, 1
  %a = call i64 @fib(%n)
  %n = sub i64 %n, 1
  %b = call i64 @fib(%n)
  %a = add i64 %a, %b
  ret %a
}
func @main() -> i32 {
entry:
  %sum = const i64 0
  %i = const i64 0
  %half = const f64 0.5
  jmp loop
loop:
  %f = call i64 @fib(%i)
  %sum = add i64 %sum, %f
  %small = trunc i64 %sum to i8
  %wide = sext i8 %small to i32
  %i = add i64 %i, 1
  br slt i64 %i, 6, loop, done
done:
  %wide = mul i32 %wide, -3
  ret %wide
}
";
    for options in [&["-O0"][..], &["-O0", "--regalloc=one-pass"], &["-O0", "--codegen=fast", "--frame-pointer"]] {
        let tool = Tool::new(text);
        let executed = interpreted(&tool, &[]);
        let Some(stops) = stepped(&tool, options, &[], executed[0].line) else { return };
        assert!(stops.len() > 100, "{options:?}: {}", stops.len());
        let same = compare(text, &stops, &executed);
        assert!(same >= 200, "{options:?}: {same} values");
    }
}

/// Steps through a call with each of these options; returns how many values were the same. None without gdb.
fn step_through(text: &str, call: &str, ways: &[&[&str]]) -> Option<usize> {
    let tool = Tool::new(text);
    let executed = interpreted(&tool, &["--call", call]);
    let mut same = 0;
    for way in ways {
        let options = [way, &["--call", call][..]].concat();
        same += compare(text, &stepped(&tool, &options, &[], executed[0].line)?, &executed);
    }
    Some(same)
}

/// A register of several constants; two adds that become one instruction, which never has the value between them; an
/// instruction that is replaced by a shorter one; an assignment that a pass removes.
#[test]
fn values_that_are_nowhere_are_not_shown() {
    let several = "\
func @f(%n: i32) -> i32 {
entry:
  %x = mul i32 %n, 3
  %y = add i32 %n, 1
  br sgt i32 %n, 100, a, b
a:
  %x = const i32 5
  %y = add i32 %y, 10
  jmp b
b:
  %y = add i32 %y, %n
  ret %y
}
";
    let merged = "\
func @f(%n: i32) -> i32 {
entry:
  %a = mul i32 %n, 3
  %b = mul i32 %n, 5
  %i = const i32 0
  jmp b0
b0:
  %b = sub i32 %a, %b
  %a = add i32 %b, 1
  %a = add i32 %a, 1
  %i = add i32 %i, 1
  br slt i32 %i, 4, b0, done
done:
  %r = add i32 %a, %b
  ret %r
}
";
    let shorter = "\
func @f(%a: i32) -> i32 {
entry:
  %d = trunc i32 %a to i16
  %x = add i32 %a, 3
  %c = add i16 %d, 1
  %c = sub i16 %c, 1
  br ne i16 %c, -5, p, q
p:
  %w = sext i16 %c to i32
  ret %w
q:
  ret %x
}
";
    let removed = "\
extern func @abs(i32) -> i32
func @f(%n: i32) -> i32 {
entry:
  %x = call i32 @abs(%n)
  %y = add i32 %x, 1
  %x = add i32 %n, 50
  %z = add i32 %y, 2
  %u = call i32 @abs(%z)
  %v = add i32 %u, %y
  ret %v
}
";
    for text in [several, merged, shorter, removed] {
        let ways: [&[&str]; 5] = [
            &["-O0"],
            &["-O0", "--regalloc=fast"],
            &["-O0", "--regalloc-stress=spill"],
            &["-O0", "--regs=4"],
            &["-O1"],
        ];
        let Some(same) = step_through(text, "@f(8)", &ways) else { return };
        assert!(same > 10, "{same}: {text}");
    }
}
