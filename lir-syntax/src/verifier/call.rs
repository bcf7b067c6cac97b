//! Calls against signatures: V6, V13, V21, V22, V26.

use super::declaration::{WHERE_ENV, may_extend};
use super::{Checker, Rule, span};
use crate::abi::misfit;
use crate::ir::{
    AbiParam, CallArg, CallResult, EntityRef, Ext, InstData, Opcode, OperandKind, Signature, Sym, TailMark, Type,
    TypeRule,
};
use crate::printer::name_after_sigil;
use crate::text::diagnostic::{Note, Remedy};

impl Checker<'_> {
    pub(super) fn call(&mut self, d: &InstData) {
        if usize::from(d.aux()) > TailMark::ALL.len() {
            self.report(Rule::Annotation, format_args!("a call has no such mark"));
        }
        let callee = match d.first().kind() {
            OperandKind::Reg(_) => {
                self.register(d.first(), Type::I64);
                None
            }
            OperandKind::Sym(s) if s.index() < self.decls.syms.len() => match self.decls.signature(s) {
                Some(sig) => Some((s, sig)),
                None => {
                    let name = self.symbol(s);
                    self.report(Rule::Call, format_args!("{name} is data, not a function"));
                    return;
                }
            },
            OperandKind::Sym(_)
            | OperandKind::Obj(_)
            | OperandKind::Small(_)
            | OperandKind::Pool(_)
            | OperandKind::WidePool(_)
            | OperandKind::None => {
                return self.report(Rule::OperandKind, format_args!("a callee is a function or an i64 register"));
            }
        };
        self.result(d, callee);
        if self.arity(callee) {
            self.arguments(callee);
        }
    }

    /// V26 for a call that is marked `musttail` and otherwise right.
    #[cold]
    pub(super) fn jump(&mut self) {
        let (f, layout) = (self.f, self.f.layout());
        let d = f.inst(self.at);
        let next = layout.next_inst(self.at).map(|i| (i, f.inst(i)));
        let returns = next.is_some_and(|(i, ret)| match ret.op {
            Opcode::Ret => ret.first().is_none() || ret.first().is_reg() && ret.first().as_reg() == d.result(),
            Opcode::RetAgg => match f.call_result(self.at) {
                CallResult::Agg(agg, mem) => agg == ret.agg() && mem == f.mem(i),
                CallResult::None | CallResult::Scalar(..) => false,
            },
            _ => false,
        });
        if !returns {
            self.report(Rule::MustTail, format_args!("a `musttail` call is followed by the `ret` of its result"));
        } else if let Some(why) = misfit(self.decls, f, self.at) {
            self.report(Rule::MustTail, format_args!("this call cannot be a jump: {why}"));
        }
    }

    fn result(&mut self, d: &InstData, callee: Option<(Sym, &Signature)>) {
        let result = self.f.call_result(self.at);
        let as_param = match result {
            CallResult::None => None,
            CallResult::Scalar(ty, ext) => {
                self.extension(ty, ext);
                if callee.is_none() && ext != Ext::None {
                    let message = format_args!("the result of a call by address takes no `{}`", ext.name());
                    self.report(Rule::Extension, message);
                }
                Some(AbiParam::Scalar(ty, ext))
            }
            CallResult::Agg(agg, mem) => {
                let size = self.agg_size(agg);
                self.mem(&mem, size);
                Some(AbiParam::Agg(agg))
            }
        };
        match result {
            CallResult::Scalar(ty, _) if d.result().is_some() => self.assigns(d.result(), ty),
            CallResult::None | CallResult::Agg(..) if d.result().is_some() => {
                self.report(Rule::Destination, format_args!("the call gives nothing to assign"));
            }
            CallResult::None | CallResult::Agg(..) | CallResult::Scalar(..) => {}
        }
        if let Some((s, sig)) = callee
            && sig.result != as_param
        {
            let (want, have) = (self.describe(sig.result), self.describe(as_param));
            let name = self.symbol(s);
            let remedy = match (sig.result, as_param) {
                (None, Some(AbiParam::Scalar(..))) if d.result().is_none() => Some(Remedy::CallResult(None)),
                (Some(AbiParam::Scalar(ty, _)), None | Some(AbiParam::Scalar(..))) => {
                    Some(Remedy::CallResult(Some(ty)))
                }
                _ => None,
            };
            self.disagrees(s, Some(&name), format_args!("{name} returns {want}, but {have} is asked for"), remedy);
        }
    }

    /// True if the number of arguments is right.
    fn arity(&mut self, callee: Option<(Sym, &Signature)>) -> bool {
        let (fixed, variadic) = self.f.call_fixed(self.at);
        let given = self.f.call_args(self.at).len();
        if let Some((s, sig)) = callee {
            let want = sig.params.len();
            if variadic != sig.variadic || fixed != want || given < want || (given > want && !variadic) {
                let name = self.symbol(s);
                let more = if sig.variadic { " and variable ones" } else { "" };
                let have = if variadic { fixed } else { given };
                let message = format_args!("{name} takes {want} arguments{more}, but {have} are given");
                self.disagrees(s, None, message, None);
                return false;
            }
        } else if fixed > given || (!variadic && fixed != given) {
            self.report(Rule::Call, format_args!("variable arguments in a call that is not variadic"));
            return false;
        }
        true
    }

    fn arguments(&mut self, callee: Option<(Sym, &Signature)>) {
        let f = self.f;
        let (fixed, variadic) = f.call_fixed(self.at);
        for (k, arg) in f.call_args(self.at).enumerate() {
            let given = match arg {
                CallArg::Reg(r, ext) => {
                    let Some(data) = f.regs.get(r) else {
                        self.report(Rule::OperandKind, format_args!("argument {k} is not a register"));
                        continue;
                    };
                    // A call by name has the extension of its signature.
                    if callee.is_none() {
                        self.extension(data.ty, ext);
                        if ext == Ext::Env && (k > 0 || variadic) {
                            self.report(Rule::Extension, format_args!("argument {}: {WHERE_ENV}", k + 1));
                        }
                    }
                    AbiParam::Scalar(data.ty, ext)
                }
                CallArg::Agg(agg, mem) => {
                    let size = self.agg_size(agg);
                    self.mem(&mem, size);
                    AbiParam::Agg(agg)
                }
            };
            if k >= fixed {
                self.variable_argument(arg, given);
            } else if let Some((s, sig)) = callee
                && sig.params[k] != given
            {
                let shown = match given {
                    AbiParam::Scalar(ty, _) => AbiParam::Scalar(ty, Ext::None),
                    AbiParam::Agg(_) => given,
                };
                let (want, have) = (self.describe(Some(sig.params[k])), self.describe(Some(shown)));
                let name = self.symbol(s);
                let reg = match arg {
                    CallArg::Reg(r, _) => Some(self.reg(r)),
                    CallArg::Agg(..) => None,
                };
                let (n, what) = (k + 1, reg.as_deref().unwrap_or("the argument"));
                let message = format_args!("argument {n} of {name} is {want}, but {what} is {have}");
                let remedy = match (given, sig.params[k]) {
                    (AbiParam::Scalar(from, _), AbiParam::Scalar(to, _)) if from != to => {
                        Some(Remedy::Convert { from, to })
                    }
                    (AbiParam::Scalar(Type::I64, _), AbiParam::Agg(agg)) => {
                        self.decls.types.get(agg).map(|ty| Remedy::PassAggregate(name_after_sigil(&ty.name).into()))
                    }
                    _ => None,
                };
                self.disagrees(s, reg.as_deref(), message, remedy);
            }
        }
    }

    /// V22.
    fn variable_argument(&mut self, arg: CallArg, given: AbiParam) {
        let allowed = match given {
            AbiParam::Scalar(ty, ext) => TypeRule::VarArg.allows(ty) && ext == Ext::None,
            AbiParam::Agg(_) => true,
        };
        if !allowed {
            let have = self.describe(Some(given));
            let reg = match arg {
                CallArg::Reg(r, _) => Some(self.reg(r)),
                CallArg::Agg(..) => None,
            };
            let message = format_args!("a variable argument is i32, i64, f64 or an aggregate, not {have}");
            let remedy = match given {
                AbiParam::Scalar(from @ (Type::I8 | Type::I16), _) => Some(Remedy::Convert { from, to: Type::I32 }),
                AbiParam::Scalar(from @ Type::F32, _) => Some(Remedy::Convert { from, to: Type::F64 }),
                AbiParam::Scalar(..) | AbiParam::Agg(_) => None,
            };
            if let Some(d) = self.report_about(Rule::VariableArgument, reg.as_deref(), message) {
                d.remedy = remedy.map(Box::new);
            }
        }
    }

    /// V6.
    fn extension(&mut self, ty: Type, ext: Ext) {
        if !may_extend(ty, ext) {
            self.report(Rule::Extension, format_args!("{ty} takes no `{}`", ext.name()));
        }
    }

    #[cold]
    #[inline(never)]
    fn disagrees(
        &mut self,
        callee: Sym,
        about: Option<&str>,
        message: std::fmt::Arguments<'_>,
        remedy: Option<Remedy>,
    ) {
        let at = self.decls.syms[callee].loc;
        let note = Note { span: span(at), message: format!("{} is declared here", self.symbol(callee)) };
        if let Some(d) = self.report_about(Rule::Call, about, message) {
            d.notes.push(note);
            d.remedy = remedy.map(Box::new);
        }
    }

    pub(super) fn describe(&self, p: Option<AbiParam>) -> String {
        match p {
            None => "nothing".to_owned(),
            Some(AbiParam::Scalar(ty, Ext::None)) => ty.name().to_owned(),
            Some(AbiParam::Scalar(ty, ext)) => format!("{ty} {}", ext.name()),
            Some(AbiParam::Agg(agg)) => match self.decls.types.get(agg) {
                Some(ty) => format!("`:{}`", ty.name.escape_ascii()),
                None => format!("{agg:?}"),
            },
        }
    }
}
