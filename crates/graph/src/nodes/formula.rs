//! The formulas of `K2Node_MathExpression`, as trees.
//!
//! Source: the editor's help on the node. Operators from weak to strong: `||`, `&&`, `==` `!=`,
//! `<` `>` `<=` `>=`, `+` `-`, `*` `/` `%`, then `!` and `-` in front of an operand; calls are `Name(a, b)`.

/// How deep a formula may nest.
const MAX_DEPTH: usize = 200;

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A number as written.
    Number(String),
    /// `true` or `false`.
    Bool(bool),
    /// An input of the node.
    Variable(String),
    /// An operator in front of an operand: `!` or `-`.
    Prefix(&'static str, Box<Formula>),
    /// An operator between two operands.
    Infix(&'static str, Box<Formula>, Box<Formula>),
    /// A function by its short name, and its operands.
    Call(String, Vec<Formula>),
}

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormulaError {
    /// Something cannot stand where it does.
    #[error("`{found}` at character {at} cannot stand there")]
    Unexpected {
        /// What was found.
        found: String,
        /// Where, from 1.
        at: usize,
    },
    /// The text ends too early.
    #[error("the formula ends where an operand or `)` is missing")]
    Ends,
    /// It nests deeper than 200 levels.
    #[error("the formula nests deeper than {MAX_DEPTH} levels")]
    TooDeep,
}

/// Operators by strength, weakest first; of one level from left to right. Longer ones stand before
/// those they begin with.
const LEVELS: [&[&str]; 6] = [
    &["||"],
    &["&&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    /// The text is no formula.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        let chars: Vec<char> = text.chars().collect();
        let mut reader = Reader {
            chars: &chars,
            at: 0,
            depth: 0,
        };
        let formula = reader.level(0)?;
        match reader.peek() {
            None => Ok(formula),
            Some(_) => Err(reader.unexpected()),
        }
    }

    /// The variables in order of appearance, each once; names compare with case.
    pub fn variables(&self) -> Vec<&str> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect<'f>(&'f self, found: &mut Vec<&'f str>) {
        match self {
            Self::Number(_) | Self::Bool(_) => {}
            Self::Variable(name) => {
                if !found.contains(&name.as_str()) {
                    found.push(name);
                }
            }
            Self::Prefix(_, operand) => operand.collect(found),
            Self::Infix(_, left, right) => {
                left.collect(found);
                right.collect(found);
            }
            Self::Call(_, operands) => {
                for operand in operands {
                    operand.collect(found);
                }
            }
        }
    }

    /// Whether it gives a bool, as far as its outermost operator tells.
    pub fn is_condition(&self) -> bool {
        match self {
            Self::Bool(_) => true,
            Self::Prefix(operator, _) => *operator == "!",
            Self::Infix(operator, ..) => LEVELS[..4].iter().any(|level| level.contains(operator)),
            Self::Number(_) | Self::Variable(_) | Self::Call(..) => false,
        }
    }
}

struct Reader<'c> {
    chars: &'c [char],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    /// The next character that is no blank; the reader stands on it.
    fn peek(&mut self) -> Option<char> {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.chars.get(self.at).copied()
    }

    fn unexpected(&mut self) -> FormulaError {
        match self.peek() {
            None => FormulaError::Ends,
            Some(c) => FormulaError::Unexpected {
                found: c.to_string(),
                at: self.at + 1,
            },
        }
    }

    fn takes(&mut self, text: &str) -> bool {
        self.peek();
        let n_chars = text.chars().count();
        let is_next = self
            .chars
            .get(self.at..self.at + n_chars)
            .is_some_and(|next| next.iter().copied().eq(text.chars()));
        if is_next {
            self.at += n_chars;
        }
        is_next
    }

    fn level(&mut self, level: usize) -> Result<Formula, FormulaError> {
        let Some(operators) = LEVELS.get(level) else {
            return self.operand();
        };
        let mut left = self.level(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.takes(operator)) {
            let right = self.level(level + 1)?;
            left = Formula::Infix(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Formula, FormulaError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(FormulaError::TooDeep);
        }
        let operand = self.operand_inside();
        self.depth -= 1;
        operand
    }

    fn operand_inside(&mut self) -> Result<Formula, FormulaError> {
        for operator in ["!", "-"] {
            if self.takes(operator) {
                return Ok(Formula::Prefix(operator, Box::new(self.operand()?)));
            }
        }
        if self.takes("(") {
            let inside = self.level(0)?;
            return if self.takes(")") {
                Ok(inside)
            } else {
                Err(self.unexpected())
            };
        }
        match self.peek() {
            Some(c) if c.is_ascii_digit() || c == '.' => Ok(Formula::Number(self.word(true))),
            Some(c) if c.is_alphabetic() || c == '_' => {
                let name = self.word(false);
                if self.takes("(") {
                    return self.call(name);
                }
                Ok(if name.eq_ignore_ascii_case("true") {
                    Formula::Bool(true)
                } else if name.eq_ignore_ascii_case("false") {
                    Formula::Bool(false)
                } else {
                    Formula::Variable(name)
                })
            }
            _ => Err(self.unexpected()),
        }
    }

    fn call(&mut self, name: String) -> Result<Formula, FormulaError> {
        let mut operands = Vec::new();
        if self.takes(")") {
            return Ok(Formula::Call(name, operands));
        }
        loop {
            operands.push(self.level(0)?);
            if self.takes(")") {
                return Ok(Formula::Call(name, operands));
            }
            if !self.takes(",") {
                return Err(self.unexpected());
            }
        }
    }

    fn word(&mut self, is_number: bool) -> String {
        let start = self.at;
        while self.chars.get(self.at).is_some_and(|c| {
            if is_number {
                c.is_ascii_digit() || *c == '.'
            } else {
                c.is_alphanumeric() || *c == '_'
            }
        }) {
            self.at += 1;
        }
        // `2.5f` is a number too.
        let word = self.chars[start..self.at].iter().collect();
        if is_number
            && self
                .chars
                .get(self.at)
                .is_some_and(|c| c.eq_ignore_ascii_case(&'f'))
        {
            self.at += 1;
        }
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        fn of(formula: &Formula) -> String {
            match formula {
                Formula::Number(text) | Formula::Variable(text) => text.clone(),
                Formula::Bool(value) => value.to_string(),
                Formula::Prefix(operator, operand) => format!("({operator}{})", of(operand)),
                Formula::Infix(operator, left, right) => {
                    format!("({} {operator} {})", of(left), of(right))
                }
                Formula::Call(name, operands) => {
                    let operands: Vec<String> = operands.iter().map(of).collect();
                    format!("{name}[{}]", operands.join(" "))
                }
            }
        }
        match Formula::parse(text) {
            Ok(formula) => of(&formula),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn operators_bind_by_strength_and_from_left_to_right() {
        assert_eq!(shown("a + b * c - d"), "((a + (b * c)) - d)");
        assert_eq!(shown("a - b - c"), "((a - b) - c)");
        assert_eq!(
            shown("a<=1.5 && !b || c != -2"),
            "(((a <= 1.5) && (!b)) || (c != (-2)))"
        );
        assert_eq!(shown("Max(a, sin(b)) % 2f"), "(Max[a sin[b]] % 2)");
        assert_eq!(shown("((a))"), "a");
        assert_eq!(shown("true == f()"), "(true == f[])");
    }

    #[test]
    fn what_is_no_formula_says_where() {
        assert_eq!(
            shown("a + "),
            "the formula ends where an operand or `)` is missing"
        );
        assert_eq!(shown("a b"), "`b` at character 3 cannot stand there");
        assert_eq!(
            shown("(a"),
            "the formula ends where an operand or `)` is missing"
        );
        assert_eq!(shown("a ^ b"), "`^` at character 3 cannot stand there");
        assert_eq!(shown("f(a;b)"), "`;` at character 4 cannot stand there");
        let deep = "(".repeat(10_000);
        assert_eq!(shown(&deep), "the formula nests deeper than 200 levels");
        let signs = "-".repeat(10_000);
        assert_eq!(shown(&signs), "the formula nests deeper than 200 levels");
    }

    #[test]
    fn variables_are_in_order_of_appearance() {
        let formula = Formula::parse("b * a + f(c, b) - true").expect("a formula");
        assert_eq!(formula.variables(), ["b", "a", "c"]);
        assert!(!formula.is_condition());
        assert!(Formula::parse("a < b").is_ok_and(|formula| formula.is_condition()));
    }
}
