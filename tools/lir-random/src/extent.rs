//! The share of their cases that tests take: a developer who runs `cargo test` waits for it, and CI has the time.

/// True if tests are to take all of their cases and not a sample of them: with `LIR_THOROUGH` in the environment.
pub fn is_thorough() -> bool {
    std::env::var_os("LIR_THOROUGH").is_some()
}

/// A number of cases: `all` if [`is_thorough`], else `few`, since a developer waits for them.
pub fn few_or_all<T>(few: T, all: T) -> T {
    if is_thorough() { all } else { few }
}
