//! The numbers of registers, blocks and instructions, and the names of registers, do not matter: every pass, and every
//! level, gives for a function with other numbers and names the same text, except for the names.
//!
//! The passes are taken from the registry, so that new ones are included. Over the functions in `testdata`, random
//! modules of both generators, and the kernels.

use crate::random_functions::{PLAIN_ORDER, random_module};
use lir_opt::pass::{OptionValues, Pass};
use lir_opt::passes::PASSES;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_random::extent::few_or_all;
use lir_random::{Config, Rng, generate};
use lir_syntax::ir::{Block, Function, Inst, Module, Operand, Param, Reg, SecondaryMap, ValuePromises};
use lir_syntax::text::diagnostic::render;
use lir_syntax::text::source::Source;
use lir_syntax::verifier::verify_module;
use lir_testing::files::{files_below, kernels, module_of, testdata};
use lir_testing::trials::{self, Failed, Trial};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

#[test]
fn permutation() {
    let mut trials = Vec::new();
    let inputs = Inputs::of_this_run();
    for (k, pass) in PASSES.iter().enumerate() {
        // Passes that need SSA form get it; the others see both forms.
        let ssa = matches!((pass.build)(&OptionValues::defaults(pass.options)), Pass::Ssa(_));
        let before = if ssa { vec!["ssa,", "ssa,mem2reg,"] } else { vec!["", "ssa,mem2reg,"] };
        let pipelines: Vec<String> = before.iter().map(|b| format!("{b}{}", pass.name)).collect();
        trials.push(Trial::test(pass.name, move || compare_all(&pipelines, inputs.of_pass(k))));
    }
    for level in [Level::O1, Level::O2] {
        let text = Pipeline::of_level(level).to_string();
        trials.push(Trial::test(level.to_string(), move || compare_all(&[text], inputs.of_level())));
    }
    trials::run(trials);
}

/// The inputs of one comparison.
#[derive(Copy, Clone)]
struct Inputs {
    /// One in this many files and kernels is taken, counted from this one.
    stride: (usize, usize),
    /// The number of random functions.
    functions: u64,
    /// The number of random modules.
    modules: u64,
}

impl Inputs {
    /// All with `LIR_THOROUGH`, else a sample.
    fn of_this_run() -> Inputs {
        let few = Inputs { stride: (12, 0), functions: 10, modules: 3 };
        few_or_all(few, Inputs { stride: (1, 0), functions: 120, modules: 25 })
    }
    /// The inputs of a pass by its number: a sample is another one for each, so that together they see all files.
    fn of_pass(self, number: usize) -> Inputs {
        Inputs { stride: (self.stride.0, number % self.stride.0), ..self }
    }
    /// The inputs of a level: more random ones.
    fn of_level(self) -> Inputs {
        Inputs { functions: 4 * self.functions, modules: 4 * self.modules, ..self }
    }
    /// Picks the files that are taken.
    fn pick(self, files: Vec<PathBuf>) -> impl Iterator<Item = PathBuf> {
        files.into_iter().skip(self.stride.1).step_by(self.stride.0)
    }
}

/// Compares the results of the pipelines for the inputs.
fn compare_all(pipelines: &[String], chosen: Inputs) -> Result<(), Failed> {
    let inputs = ["opt", "run", "golden"].iter().flat_map(|folder| files_below(&testdata(folder), &["lir"])).collect();
    let files = chosen.pick(inputs).filter_map(|path| Some((path.display().to_string(), module_of(&path).ok()?)));
    let random = (0..chosen.functions).map(|seed| (format!("function {seed}"), random_module(seed, &PLAIN_ORDER).0));
    let generated = (0..chosen.modules).map(|seed| (format!("module {seed}"), generate(seed, &Config::default())));
    let mut compared = 0;
    for (name, module) in files.chain(random).chain(generated) {
        for pipeline in pipelines {
            compare(&name, &module, pipeline)?;
            compared += 1;
        }
    }
    // The last pipeline is enough for the larger ones.
    let mut kernels_compared = 0;
    for path in chosen.pick(kernels()) {
        compare(&path.display().to_string(), &module_of(&path)?, &pipelines[pipelines.len() - 1])?;
        kernels_compared += 1;
    }
    assert!(compared > 100 && kernels_compared > 0);
    Ok(())
}

/// The result of passes for a module, or their errors.
fn result(mut module: Module, pipeline: &str) -> String {
    let pipeline = Pipeline::parse(pipeline).expect("the passes exist");
    match optimize(&mut module, &pipeline, &RunOptions::default()) {
        Ok(_) => canonical(&module.to_string()),
        Err(errors) => {
            let source = Source { name: String::new(), text: String::new() };
            canonical(&render(&source, &errors).lines().take(1).collect::<String>())
        }
    }
}

fn compare(name: &str, module: &Module, pipeline: &str) -> Result<(), Failed> {
    // By way of a text, since labels of blocks that a generator derived from others are numbered when printed.
    let mut module: Module = module.to_string().parse()?;
    module.funcs.as_mut_slice().iter_mut().for_each(rename);
    let expected = result(module.clone(), pipeline);
    for seed in [1, 2] {
        let mut other = module.clone();
        other.funcs.as_mut_slice().iter_mut().for_each(|f| permute(f, &mut Rng::new(seed)));
        assert_eq!(
            canonical(&other.to_string()),
            canonical(&module.to_string()),
            "{name}: the permutation changes more"
        );
        let errors = verify_module(&other, 3);
        assert!(errors.is_empty(), "{name}: the permutation is wrong: {errors:?}");
        let found = result(other, pipeline);
        if found != expected {
            let differs = expected.lines().zip(found.lines()).find(|(a, b)| a != b);
            return Err(format!("{name}, {pipeline}, permutation {seed}: {differs:?}\n{expected}\nbut\n{found}").into());
        }
    }
    Ok(())
}

/// Text with registers called by the order in which they appear in their function.
fn canonical(text: &str) -> String {
    let mut out = String::new();
    let mut numbers = HashMap::new();
    for line in text.lines() {
        if line.contains("func @") && line.ends_with('{') {
            numbers.clear();
        } else if !line.starts_with("  ") {
            // A percent sign in data is not a register.
            out.push_str(line);
            out.push('\n');
            continue;
        }
        let mut parts = line.split('%');
        out.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let end = part.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '_')).unwrap_or(part.len());
            let next = numbers.len();
            let number = *numbers.entry(part[..end].to_string()).or_insert(next);
            out.push_str(&format!("%{number}{}", &part[end..]));
        }
        out.push('\n');
    }
    out
}

fn shuffle<T>(list: &mut [T], rng: &mut Rng) {
    for k in (1..list.len()).rev() {
        list.swap(k, rng.below(k + 1));
    }
}

/// Gives the registers, blocks and instructions of a function other numbers, in another order, and the registers other
/// names. Their positions are unchanged.
fn permute(f: &mut Function, rng: &mut Rng) {
    permute_regs(f, rng);
    permute_blocks(f, rng);
    permute_insts(f, rng);
}

fn insts(f: &Function) -> Vec<Inst> {
    f.layout().blocks().flat_map(|b| f.layout().insts(b)).collect()
}

fn permute_regs(f: &mut Function, rng: &mut Rng) {
    let mut order: Vec<Reg> = f.regs.keys().collect();
    shuffle(&mut order, rng);
    let mut new_of: SecondaryMap<Reg, Reg> = SecondaryMap::with_len(Reg::from_u32(0), order.len());
    let old = f.regs.clone();
    for (new, &r) in f.regs.keys().collect::<Vec<_>>().into_iter().zip(&order) {
        new_of[r] = new;
        f.regs[new] = old[r];
    }
    rename(f);
    let noalias: Vec<Reg> = f.noalias().collect();
    noalias.iter().for_each(|r| f.set_noalias(*r, false));
    noalias.iter().for_each(|r| f.set_noalias(new_of[*r], true));
    let promised: Vec<_> = f.promised_params().collect();
    promised.iter().for_each(|(r, _)| f.set_param_promises(*r, ValuePromises::NONE));
    promised.iter().for_each(|(r, promises)| f.set_param_promises(new_of[*r], *promises));
    for p in &mut f.params {
        if let Param::Reg(r) = p {
            *r = new_of[*r];
        }
    }
    for i in insts(f) {
        let defined = f.def(i);
        f.rewrite_uses(i, |u| Operand::reg(new_of[u.reg]));
        if let Some(r) = defined {
            let data = *f.inst(i);
            f.replace_inst(i, data.with_result(new_of[r]));
        }
    }
}

/// Names registers by their numbers; the meaning of `arg.N` is kept.
fn rename(f: &mut Function) {
    for r in f.regs.keys() {
        if !f.names.get(f.regs[r].name).starts_with(b"arg.") {
            f.regs[r].name = f.names.add(format!("r{}", r.as_u32()).as_bytes());
        }
    }
}

/// New blocks in a random order; each takes the place of an old one.
fn permute_blocks(f: &mut Function, rng: &mut Rng) {
    let mut order: Vec<Block> = f.layout().blocks().collect();
    shuffle(&mut order, rng);
    let mut new_of = BTreeMap::new();
    for &b in &order {
        let name = f.block(b).name;
        new_of.insert(b, f.make_block(name));
    }
    for &b in &order {
        let new = new_of[&b];
        let succs: Vec<Block> = f.succs(b).iter().map(|s| new_of[s]).collect();
        f.insert_block_after(new, b);
        f.append_all_insts(new, b);
        f.set_succs(new, &succs);
        f.remove_block(b);
    }
    for &b in new_of.values() {
        f.map_phi_preds(b, |p| new_of[&p]);
    }
}

/// New instructions in a random order; each takes the place of an old one.
fn permute_insts(f: &mut Function, rng: &mut Rng) {
    let mut order = insts(f);
    shuffle(&mut order, rng);
    for i in order {
        let data = *f.inst(i);
        let new = f.insert_before(i, data);
        f.copy_inst_notes(i, new);
        f.remove_inst(i);
    }
}
