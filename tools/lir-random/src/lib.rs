//! Random modules for differential testing, and the random numbers that they are made from.
//!
//! [`generate`] makes a module that verifies, ends, and gives one result on every correct implementation: the
//! interpreter and native code at any level must agree on the result of `@test(i64, i64, f64) -> i64`, or on the trap
//! it ends in. It uses every opcode, type and shape of control flow of the language, and functions of C that access no
//! more than they are passed.
//!
//! # Why the result is one
//!
//! * *It ends*: the call graph has no cycle except functions that call themselves a few times, loops have fewer than 8
//!   iterations, and a bound of the steps that every function takes is kept while it is made; a call that would pass
//!   [`Config::max_steps`] is not made.
//! * *Code without one result is not executed*: it is guarded by a test that never holds, which no compiler can know
//!   (`statements::unexecuted`); there every opcode meets every operand and use.
//! * *No address is seen*: registers that hold addresses are kept apart from those that hold values, and data with
//!   addresses in it is read only as addresses.
//! * *No NaN is seen*: NaN results of arithmetic have no specified sign and payload, so a NaN becomes one constant
//!   wherever its bits could be read: in stores, `bitcast`, results, and as the second operand of `fcopysign`.
//! * *All memory is initialised*: stack objects and allocas are filled when they are made, and so are the bytes of
//!   aggregates that calls do not carry (padding).
//! * *Accesses stay inside*: indices are masked, and pointers come with the number of bytes that they may access.
//! * *Attributes are true*: `readnone` and `readonly` functions make no other accesses, `willreturn` ones no division
//!   that may trap, and they call only functions of their kind.
//!
//! Divisions that may trap are few ([`Config::traps`]): a trap ends a test before it has shown much.
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | `generator` | the module: types, data, signatures, and one body after the other |
//! | `function` | a whole function: its start, statements, and its end |
//! | `statements` | statements, which each add something to a function: one is chosen at random after the other |
//! | `body` | the state of a function in the making, which all statements share |
//! | `surroundings` | the symbols that a function may refer to |
//! | [`misbuild`] | mistakes in an existing module, for tests of code that reads modules |
//! | [`extent`] | the number of cases that tests take |
//! | `constants`, [`Rng`] | types, constants and numbers at random |

mod body;
mod constants;
pub mod extent;
mod function;
mod generator;
mod misbuilt;
mod rng;
mod statements;
mod surroundings;

pub use misbuilt::misbuild;
pub use rng::Rng;
pub use surroundings::ENTRY;

use lir_syntax::ir::Module;

/// The configuration of [`generate`]. Equal seeds and configurations give equal modules.
#[derive(Clone, Debug)]
pub struct Config {
    /// Functions other than `@test`.
    pub functions: usize,
    /// Statements at the top level of each function. A loop or branch is one statement, and has some inside.
    pub statements: usize,
    /// A bound of the instructions that a call of `@test` executes.
    pub max_steps: u64,
    /// f32, f64 and their operations.
    pub floats: bool,
    /// Loads, stores, block operations, stack objects and data.
    pub memory: bool,
    /// Aggregates by value. They need `memory`.
    pub aggregates: bool,
    /// Functions with variable arguments. They need `memory`.
    pub variadic: bool,
    /// Calls through registers. They need `memory`.
    pub indirect_calls: bool,
    /// Registers with several assignments, in about half of the functions.
    pub reassignment: bool,
    /// Dynamic stack memory. It needs `memory`.
    pub allocas: bool,
    /// Loops with two entries.
    pub irreducible: bool,
    /// Volatile loads and stores.
    pub volatile: bool,
    /// Thread-local data. It needs `memory`.
    pub thread_data: bool,
    /// Divisions that may trap.
    pub traps: bool,
    /// A function that calls itself, in about half of the modules.
    pub recursion: bool,
    /// Functions and data of C.
    pub externals: bool,
}

impl Default for Config {
    /// Returns all features, some hundred instructions.
    fn default() -> Config {
        Config {
            functions: 4,
            statements: 12,
            max_steps: 200_000,
            floats: true,
            memory: true,
            aggregates: true,
            variadic: true,
            indirect_calls: true,
            reassignment: true,
            allocas: true,
            irreducible: true,
            volatile: true,
            thread_data: true,
            traps: true,
            recursion: true,
            externals: true,
        }
    }
}

/// Returns the module of a seed: see the [module documentation](self).
pub fn generate(seed: u64, config: &Config) -> Module {
    generator::Generator::new(seed, config).build()
}
