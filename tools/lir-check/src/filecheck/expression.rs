//! Numeric expressions: `N+1`, `mul(@LINE, 2)-(N-0x10)`, as a sequence of steps for a stack.
//!
//! Numbers have 127 bits and a sign; a number that does not fit is an error when the expression is evaluated.

/// The name of the line number of a directive.
pub(super) const LINE: &str = "@LINE";
/// Nesting limit of parentheses and calls.
const MAX_DEPTH: usize = 100;

/// An operation on two numbers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
}

const FUNCTIONS: [(&str, Operation); 6] = [
    ("add", Operation::Add),
    ("div", Operation::Div),
    ("max", Operation::Max),
    ("min", Operation::Min),
    ("mul", Operation::Mul),
    ("sub", Operation::Sub),
];

/// A step: pushes a number, or takes two and pushes the result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A literal.
    Number(i128),
    /// A variable, or [`LINE`], and the offset of its name in the text.
    Variable(String, usize),
    /// An operation.
    Apply(Operation),
}

/// The reason an expression has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NoValue {
    /// A variable has none.
    Undefined(String),
    /// A number needs more than 127 bits, or is divided by 0.
    Overflow,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Expression {
    /// Its steps; at least one.
    pub steps: Vec<Step>,
}

impl Expression {
    /// Reads an expression that takes all of a text. Operators have one precedence and group to the left.
    ///
    /// # Errors
    /// The offset of the error in the text, and a message.
    pub(super) fn parse(text: &str) -> Result<Expression, (usize, String)> {
        let mut parser = Parser { text, at: 0, steps: Vec::new(), depth: 0 };
        parser.sum()?;
        parser.blanks();
        match parser.rest().chars().next() {
            None => Ok(Expression { steps: parser.steps }),
            Some(c) => parser.fail(format!("`{c}` is no operator: there are `+` and `-`")),
        }
    }

    /// Returns the variables that are used, and where.
    pub(super) fn variables(&self) -> impl Iterator<Item = (&str, usize)> {
        self.steps.iter().filter_map(|s| match s {
            Step::Variable(name, at) => Some((name.as_str(), *at)),
            Step::Number(_) | Step::Apply(_) => None,
        })
    }

    /// Returns the value.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn evaluate(&self, value_of: impl Fn(&str) -> Option<i128>) -> Result<i128, NoValue> {
        self.fold(
            |step| match step {
                Step::Number(n) => Ok(*n),
                Step::Variable(name, _) => value_of(name).ok_or_else(|| NoValue::Undefined(name.clone())),
                Step::Apply(_) => unreachable!("an operation is no operand"),
            },
            |op, a, b| {
                let value = match op {
                    Operation::Add => a.checked_add(b),
                    Operation::Sub => a.checked_sub(b),
                    Operation::Mul => a.checked_mul(b),
                    Operation::Div => a.checked_div(b),
                    Operation::Min => Some(a.min(b)),
                    Operation::Max => Some(a.max(b)),
                };
                value.ok_or(NoValue::Overflow)
            },
        )
    }

    /// Runs the steps: `operand` gives the value that a number or variable pushes, `apply` the result of an operation
    /// on two.
    pub(super) fn fold<T, E>(
        &self,
        mut operand: impl FnMut(&Step) -> Result<T, E>,
        mut apply: impl FnMut(Operation, T, T) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut stack = Vec::new();
        for step in &self.steps {
            let value = match step {
                Step::Number(_) | Step::Variable(..) => operand(step)?,
                Step::Apply(op) => {
                    let (b, a) = (stack.pop(), stack.pop());
                    let (Some(a), Some(b)) = (a, b) else { unreachable!("an operation has two operands before it") };
                    apply(*op, a, b)?
                }
            };
            stack.push(value);
        }
        Ok(stack.pop().expect("an expression has a value"))
    }
}

/// Returns the length of the variable name that a text begins with: `[$]?[A-Za-z_][A-Za-z0-9_]*`, or `@` in place of
/// `$`.
pub(super) fn name_length(text: &str) -> Option<usize> {
    let bare = text.strip_prefix(['$', '@']).unwrap_or(text);
    let word = bare.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(bare.len());
    let starts = bare.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts.then_some(text.len() - bare.len() + word)
}

type Parsed = Result<(), (usize, String)>;

struct Parser<'t> {
    text: &'t str,
    at: usize,
    steps: Vec<Step>,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }
    fn fail<T>(&self, message: impl Into<String>) -> Result<T, (usize, String)> {
        Err((self.at, message.into()))
    }
    fn blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches([' ', '\t']).len();
    }
    /// Takes a token after blanks, if it is next.
    fn take(&mut self, token: char) -> bool {
        self.blanks();
        let there = self.rest().starts_with(token);
        self.at += usize::from(there);
        there
    }

    /// Operands joined by `+` and `-`. Parentheses nest to a bounded depth.
    fn sum(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail(format!("parentheses nest deeper than {MAX_DEPTH}"));
        }
        self.operand()?;
        loop {
            let op = match () {
                () if self.take('+') => Operation::Add,
                () if self.take('-') => Operation::Sub,
                () => break,
            };
            self.operand()?;
            self.steps.push(Step::Apply(op));
        }
        self.depth -= 1;
        Ok(())
    }

    fn operand(&mut self) -> Parsed {
        if self.take('(') {
            self.sum()?;
            return if self.take(')') { Ok(()) } else { self.fail("a `(` without its `)`") };
        }
        let Some(length) = name_length(self.rest()) else { return self.number() };
        let (at, name) = (self.at, &self.rest()[..length]);
        self.at += length;
        if self.take('(') {
            return self.call(at, name);
        }
        if name.starts_with('@') && name != LINE {
            return Err((at, format!("there is no `{name}`, only {LINE}")));
        }
        self.steps.push(Step::Variable(name.to_string(), at));
        Ok(())
    }

    fn call(&mut self, at: usize, name: &str) -> Parsed {
        let Some((_, op)) = FUNCTIONS.iter().find(|(f, _)| *f == name) else {
            let known = FUNCTIONS.map(|(f, _)| f).join(", ");
            return Err((at, format!("there is no function `{name}`; there are {known}")));
        };
        self.sum()?;
        if !self.take(',') {
            return self.fail(format!("`{name}` takes two arguments"));
        }
        self.sum()?;
        if !self.take(')') {
            return self.fail(format!("a `)` is expected after the two arguments of `{name}`"));
        }
        self.steps.push(Step::Apply(*op));
        Ok(())
    }

    fn number(&mut self) -> Parsed {
        let negative = self.rest().starts_with('-');
        let body = &self.rest()[usize::from(negative)..];
        let end = body.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(body.len());
        let digits = &body[..end];
        if digits.is_empty() {
            return self.fail("an operand is expected: a number, a variable, a function or `(`");
        }
        let (radix, bare) = match digits.get(..2) {
            Some("0x") => (16, &digits[2..]),
            Some("0b") => (2, &digits[2..]),
            Some("0o") => (8, &digits[2..]),
            Some(zero) if zero.starts_with('0') => {
                return self.fail(format!("`{digits}` looks octal: write 0o, or no leading zero"));
            }
            _ => (10, digits),
        };
        let Ok(value) = i128::from_str_radix(bare, radix) else {
            return self.fail(format!("`{digits}` is not a number of at most 127 bits"));
        };
        self.steps.push(Step::Number(if negative { -value } else { value }));
        self.at += usize::from(negative) + end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_values() {
        let value_of = |name: &str| [("N", 7), ("$M", 3), (LINE, 40)].iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
        let value = |text: &str| Expression::parse(text).unwrap().evaluate(value_of);
        let cases = [("N+1", 8), (" N - $M - 2 ", 2), ("N-($M-2)", 6), ("0x10+0b11", 19), ("-4", -4), ("@LINE+1", 41)];
        for (text, v) in cases {
            assert_eq!(value(text), Ok(v), "{text}");
        }
        assert_eq!(value("mul(N, add($M,1))-min(1,2)+max(1,2)+div(9,2)+sub(1,1)"), Ok(33));
        assert_eq!(value("X"), Err(NoValue::Undefined("X".into())));
        assert_eq!(value("div(1,0)"), Err(NoValue::Overflow));
        let large = i128::MAX.to_string();
        assert_eq!(value(&format!("{large}+1")), Err(NoValue::Overflow));
    }

    #[test]
    fn mistakes_are_located() {
        let cases =
            [("N+", 2), ("N*2", 1), ("(N", 2), ("f(1,2)", 0), ("add(1)", 5), ("add(1,2,3)", 7), ("@X", 0), ("010", 0)];
        for (text, at) in cases {
            assert_eq!(Expression::parse(text).unwrap_err().0, at, "{text}");
        }
        assert!(Expression::parse(&"(".repeat(1_000_000)).unwrap_err().1.contains("deeper"));
    }
}
