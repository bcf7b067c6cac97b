//! Corrects pipelines with a mistake, or in the names of LLVM's `opt`, to our names, as suggestions in error messages.

use super::{Pipeline, PipelineError, registry};

/// LLVM's names of the pass managers for parts of a module. Our pipelines have none.
const MANAGERS: [&str; 5] = ["module", "cgscc", "function", "loop", "loop-mssa"];

/// Returns the pipeline that is meant by an invalid text. None if that is not clear.
pub(crate) fn mended(text: &str, error: &PipelineError) -> Option<String> {
    with_our_names(text, error).or_else(|| without_managers(text))
}

/// Returns the pipeline with each unknown pass replaced by the one that is meant.
fn with_our_names(text: &str, error: &PipelineError) -> Option<String> {
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let (mut text, mut error) = (text.to_string(), error.clone());
    loop {
        let PipelineError::UnknownPass { name, nearest } = &error else { return None };
        let [meant] = nearest[..] else { return None };
        let words = text.split_inclusive(is_end).map(|word| match word.strip_prefix(name.as_str()) {
            Some(end) if end.chars().all(is_end) => format!("{meant}{end}"),
            _ => word.to_string(),
        });
        let mended: String = words.collect();
        match Pipeline::parse(&mended) {
            Ok(_) => return Some(mended),
            Err(_) if mended == text => return None,
            Err(e) => (text, error) = (mended, e),
        }
    }
}

/// LLVM's pipeline in our names, without its managers and the options of its passes.
fn without_managers(text: &str) -> Option<String> {
    let is_end = |c| matches!(c, '(' | ')' | ',' | '<' | '>');
    let mut ours: Vec<&str> = Vec::new();
    let mut in_options = 0_u32;
    for word in text.split_inclusive(is_end) {
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
    use super::{Pipeline, mended};

    #[test]
    fn pipelines_of_llvm() {
        let ours = |text| Pipeline::parse(text).err().and_then(|e| mended(text, &e)).unwrap_or_default();
        assert_eq!(ours("function(sroa,early-cse<memssa>,loop-mssa(licm<allowspeculation>))"), "sroa,lvn,licm");
        assert_eq!(ours("function<eager-inv>(sroa<modify-cfg>),globaldce"), "sroa,global-dce");
        assert_eq!(ours("loop_unroll,LICM"), "loop-unroll,licm");
        assert_eq!(ours("fixpoint(instcombine,dce)"), "fixpoint(simplify,dce)");
        assert_eq!(ours("simplfy{expand=off}"), "simplify{expand=off}");
        for unknown in ["sroa,nothing", "memcpyopt", "", "sroa>", "function(repeat(gvn))"] {
            assert_eq!(ours(unknown), "", "{unknown}");
        }
    }
}
