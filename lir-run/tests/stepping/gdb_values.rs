//! gdb shows only values of registers at `-O1` and `-O2`, wherever it stops, that the interpreter assigns to the
//! register of that name in that function before any pass, in inlined bodies, too.

use super::gdb::{kernel, scripted};
use crate::steady_registers::{Name, are_alike, assigned, written};
use crate::tool::Tool;
use lir_run::value::Value;
use lir_syntax::check::check;
use lir_syntax::ir::Type;
use lir_syntax::parser::ParseOptions;
use lir_syntax::text::source::Source;

/// Steps by instructions and writes a line for each value of a variable that was not seen before: function, name, bits.
const SCRIPT: &str = "
import gdb
gdb.execute('break in.lir:' + FIRST)
gdb.execute('run')
gdb.execute('delete')
seen = set()
for _ in range(STEPS):
    frame = gdb.selected_frame()
    place = frame.find_sal()
    if not place.symtab or not place.symtab.filename.endswith('in.lir'):
        gdb.execute('finish', to_string=True)
        continue
    # Those of an inlined body, and of the one around it.
    while frame and frame.function():
        block = frame.block()
        while block:
            for symbol in block:
                value = symbol.value(frame) if symbol.is_variable else None
                if value is not None and not value.is_optimized_out and value.type.code == gdb.TYPE_CODE_INT:
                    bits = int(value) & ((1 << 8 * value.type.sizeof) - 1)
                    seen.add(frame.name() + ' ' + symbol.name + ' ' + str(bits))
            if block.function:
                break
            block = block.superblock
        frame = frame.older() if frame.type() == gdb.INLINE_FRAME else None
    gdb.execute('stepi', to_string=True)
with open(OUT, 'w') as out:
    print('\\n'.join(sorted(seen)), file=out)
gdb.execute('kill')
";

/// Operations of the interpreter: it gets further than gdb.
const FUEL: u64 = 3_000_000;

/// Compares a program. Returns the number of variables that gdb knew; none if it is not installed.
fn compare(name: &str, level: &str, steps: usize) -> Option<usize> {
    let text = kernel(name);
    let tool = Tool::new(&text);
    let source = Source { name: "in.lir".into(), text: text.clone() };
    let m = check(&source, &ParseOptions::default()).expect("the kernel is right");
    let all = written(&m);
    let argc_argv = [Value::new(Type::I32, 1), Value::new(Type::I64, 0)];
    let values = assigned(&m, &all, ("main", &argc_argv), FUEL);

    let main = text.lines().position(|l| l.contains("func @main(")).expect("the kernel has it");
    let label = text.lines().skip(main).position(|l| l.ends_with(':')).expect("it has a block");
    let shown = scripted(&tool, SCRIPT, (main + label + 2, steps), &[level, "in.lir"])?;

    let names: std::collections::HashSet<&Name> = all.values().collect();
    let mut known = std::collections::HashSet::new();
    for line in shown.lines() {
        let [function, register, bits] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let key = (function.as_bytes().to_vec(), register.as_bytes().to_vec());
        if names.contains(&key) {
            let bits: u64 = bits.parse().unwrap();
            let meant = values.get(&key).map_or(&[][..], |v| v);
            assert!(meant.iter().any(|v| are_alike(*v, bits)), "{name} {level}: %{register} of @{function} is {bits}");
            known.insert(key);
        }
    }
    Some(known.len())
}

#[test]
fn values_that_gdb_shows_after_passes_were_assigned() {
    for (name, level, steps, least) in
        [("structs", "-O1", 500, 40), ("structs", "-O2", 500, 25), ("hashmap", "-O2", 500, 15), ("edit", "-O2", 500, 8)]
    {
        let Some(known) = compare(name, level, steps) else { return };
        assert!(known >= least, "{name} {level}: {known} variables");
    }
}
