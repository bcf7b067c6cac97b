//! The share of the cases that tests run: a sample in `cargo test`, since a developer waits for it, and all in CI.

/// True if tests are to take all of their cases and not a sample of them: with `LIR_THOROUGH` in the environment.
pub fn is_thorough() -> bool {
    std::env::var_os("LIR_THOROUGH").is_some()
}

/// Returns a number of cases: `all` if [`is_thorough`], else `few`, since a developer waits for them.
pub fn few_or_all<T>(few: T, all: T) -> T {
    if is_thorough() { all } else { few }
}
