//! Pipelines as LLVM's `opt` reads them, in our names: for the help of who writes one out of habit.

use super::{Pipeline, registry};

/// LLVM's names of what runs passes on parts of a module. Ours need none.
const MANAGERS: [&str; 5] = ["module", "cgscc", "function", "loop", "loop-mssa"];

/// Returns a pipeline of LLVM's in our names. Its managers and the options of its passes are left out. None where a
/// name is unknown, or could mean several passes.
pub(crate) fn translated(pipeline: &str) -> Option<String> {
    let is_end = |c| matches!(c, '(' | ')' | ',' | '<' | '>');
    let mut ours: Vec<&str> = Vec::new();
    let mut in_options = 0_u32;
    for word in pipeline.split_inclusive(is_end) {
        let name = word.trim_end_matches(is_end);
        let is_manager = word.ends_with(['(', '<']) && MANAGERS.contains(&name);
        if in_options == 0 && !name.is_empty() && !is_manager {
            ours.push(match registry::find(name) {
                Ok(pass) => pass.name,
                Err(nearest) => match nearest[..] {
                    [meant] => meant,
                    _ => return None,
                },
            });
        }
        match word.as_bytes().last() {
            Some(b'<') => in_options += 1,
            Some(b'>') => in_options = in_options.checked_sub(1)?,
            _ => {}
        }
    }
    let ours = ours.join(",");
    Pipeline::parse(&ours).is_ok_and(|p| !p.is_empty()).then_some(ours)
}

#[cfg(test)]
mod tests {
    use super::translated;

    #[test]
    fn pipelines_of_llvm() {
        let ours = |text| translated(text).unwrap_or_default();
        assert_eq!(ours("function(sroa,early-cse<memssa>,loop-mssa(licm<allowspeculation>))"), "sroa,lvn,licm");
        assert_eq!(ours("function<eager-inv>(sroa<modify-cfg>),globaldce"), "sroa,global-dce");
        assert_eq!(ours("loop_unroll,LICM"), "loop-unroll,licm");
        for unknown in ["sroa,nothing", "memcpyopt", "", "sroa>", "function(repeat(gvn))"] {
            assert_eq!(ours(unknown), "", "{unknown}");
        }
    }
}
