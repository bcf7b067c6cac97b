//! Debug types and scopes of variables: V29.

use super::{Rule, Sink};
use crate::ir::{DebugForm, Decls, Function};

/// Checks the debug types of a module.
pub(super) fn check_debug_types(decls: &Decls, sink: &mut Sink) {
    let types = &decls.debug_types;
    let mut all_exist = true;
    for (_, data) in types.all() {
        let name = data.name.escape_ascii();
        let mut missing = false;
        data.form.for_each_type(|t| missing |= types.get(t).is_none());
        all_exist &= !missing;
        let complaint = match &data.form {
            _ if missing => Some("names a debug type that does not exist"),
            DebugForm::Base { size, .. } if !(1..=16).contains(size) => Some("does not have 1 to 16 bytes"),
            form if !has_possible_names(form) => Some("has a name that is empty or has a NUL"),
            _ => None,
        };
        if let Some(complaint) = complaint {
            sink.report(Rule::DebugType, data.loc, format_args!("debug type `:{name}` {complaint}"));
        }
    }
    if all_exist && let Some(t) = types.endless().next() {
        let data = types.get(t).expect("it exists");
        let name = data.name.escape_ascii();
        sink.report(Rule::DebugType, data.loc, format_args!("debug type `:{name}` contains itself"));
    }
}

/// Returns the complaint about the debug types of a function's stack objects, if there is one.
pub(super) fn wrong_debug_type(decls: &Decls, f: &Function) -> Option<String> {
    f.stack_objects().find_map(|(o, data)| {
        let t = data.debug_type.expand()?;
        let is_missing = decls.debug_types.get(t).is_none();
        is_missing.then(|| format!("stack object {o:?} has a debug type that does not exist"))
    })
}

/// Returns the complaint about the scopes of a function's stack objects, if there is one.
pub(super) fn wrong_scope(decls: &Decls, f: &Function) -> Option<String> {
    f.stack_objects().find_map(|(o, data)| {
        let scope = f.scopes.get(data.scope.expand()?);
        let complaint = match scope {
            None => "has a scope that does not exist",
            Some(_) if data.is_param => "is a parameter, and has a scope",
            Some(scope) if decls.files.get(scope.begin.file).is_none() => "has a scope in a file that does not exist",
            Some(scope) if scope.begin.line == 0 || scope.end() < scope.begin => {
                "has a scope that is no stretch of lines"
            }
            Some(_) => return None,
        };
        Some(format!("stack object {o:?} {complaint}"))
    })
}

fn has_possible_names(form: &DebugForm) -> bool {
    let may_be_empty = |name: &[u8]| !name.contains(&0);
    let is_name = |name: &[u8]| !name.is_empty() && may_be_empty(name);
    match form {
        DebugForm::Base { name, .. } | DebugForm::Alias { name, .. } => is_name(name),
        DebugForm::Pointer(_) | DebugForm::Array { .. } => true,
        DebugForm::Aggregate { name, members, .. } => {
            may_be_empty(name) && members.iter().all(|m| may_be_empty(&m.name))
        }
        DebugForm::Enum { name, values, .. } => may_be_empty(name) && values.iter().all(|v| is_name(&v.0)),
    }
}
