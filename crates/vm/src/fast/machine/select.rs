//! Which handler an operation on given bases has.

use super::super::code::Base;
use super::Handler;
use super::numbers as n;
use super::numbers::{L, O, T};

/// The second operand of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SecondKind {
    Base(Base),
    Literal,
    /// A double in a branch, where a float holds it.
    LiteralReal,
}

macro_rules! operations {
    (often: $($often:ident),*; rarely: $($rarely:ident),* $(,)?) => {
        /// An operation of two words that gives a word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Arithmetic { $($often,)* $($rarely,)* }

        impl Arithmetic {
            /// Whether its instruction has packed operands; else its handler knows their bases.
            pub(crate) fn is_packed(self) -> bool {
                match self {
                    $(Arithmetic::$often => false,)*
                    $(Arithmetic::$rarely => true,)*
                }
            }
        }

        /// The handler of an operation.
        pub(crate) fn arithmetic(op: Arithmetic, to: Base, a: Base, b: SecondKind) -> Handler {
            match op {
                $(Arithmetic::$often => operate::<n::$often>(to, a, b),)*
                $(Arithmetic::$rarely => operate_packed::<n::$rarely>(b),)*
            }
        }
    };
}

operations! {
    often: AddInt, SubtractInt, MultiplyInt, PercentInt, AddInt64, SubtractInt64, MultiplyInt64,
        PercentInt64, AddReal, SubtractReal, MultiplyReal, DivideReal;
    rarely: DivideInt, AndBits, OrBits, XorBits, DivideInt64, AddFloat, SubtractFloat, MultiplyFloat,
        DivideFloat,
}

macro_rules! comparisons {
    ($($name:ident),* $(,)?) => {
        /// A comparison of two words.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Compare { $($name,)* }

        /// The handler that gives a comparison's result; its operands are packed.
        pub(crate) fn comparison(op: Compare, b: SecondKind) -> Handler {
            match op { $(Compare::$name => operate_packed::<n::$name>(b),)* }
        }

        /// The handler that branches on a comparison.
        pub(crate) fn branch(op: Compare, a: Base, b: SecondKind) -> Handler {
            match op { $(Compare::$name => branch_of::<n::$name>(a, b),)* }
        }

        /// The same if a word is true as well; operands are packed.
        pub(crate) fn branch_both(op: Compare, b: SecondKind) -> Handler {
            match op { $(Compare::$name => branch_both_of::<n::$name>(b),)* }
        }
    };
}

comparisons! {
    LessInt, LessEqualInt, GreaterInt, GreaterEqualInt, EqualInt, NotEqualInt,
    LessReal, LessEqualReal, GreaterReal, GreaterEqualReal, EqualReal, NotEqualReal,
}

fn operate_packed<P: n::Operation>(b: SecondKind) -> Handler {
    match b {
        SecondKind::Base(_) => n::operate_anywhere::<P>,
        SecondKind::Literal | SecondKind::LiteralReal => n::operate_literal::<P>,
    }
}

fn operate<P: n::Operation>(to: Base, a: Base, b: SecondKind) -> Handler {
    match to {
        Base::Locals => operate_to::<P, L>(a, b),
        Base::Temps => operate_to::<P, T>(a, b),
        Base::Object => operate_to::<P, O>(a, b),
    }
}

fn operate_to<P: n::Operation, D: n::Where>(a: Base, b: SecondKind) -> Handler {
    match a {
        Base::Locals => operate_on::<P, D, L>(b),
        Base::Temps => operate_on::<P, D, T>(b),
        Base::Object => operate_on::<P, D, O>(b),
    }
}

fn operate_on<P: n::Operation, D: n::Where, A: n::Where>(b: SecondKind) -> Handler {
    match b {
        SecondKind::Base(Base::Locals) => n::operate::<P, D, A, L>,
        SecondKind::Base(Base::Temps) => n::operate::<P, D, A, T>,
        SecondKind::Base(Base::Object) => n::operate::<P, D, A, O>,
        SecondKind::Literal | SecondKind::LiteralReal => n::operate::<P, D, A, n::Imm>,
    }
}

fn branch_both_of<C: n::Comparison>(b: SecondKind) -> Handler {
    match b {
        SecondKind::Base(_) => n::branch_both::<C, n::Packed>,
        SecondKind::Literal => n::branch_both::<C, n::Imm>,
        SecondKind::LiteralReal => n::branch_both::<C, n::ImmReal>,
    }
}

fn branch_of<C: n::Comparison>(a: Base, b: SecondKind) -> Handler {
    match a {
        Base::Locals => branch_on::<C, L>(b),
        Base::Temps => branch_on::<C, T>(b),
        Base::Object => branch_on::<C, O>(b),
    }
}

fn branch_on<C: n::Comparison, A: n::Where>(b: SecondKind) -> Handler {
    match b {
        SecondKind::Base(Base::Locals) => n::branch::<C, A, L>,
        SecondKind::Base(Base::Temps) => n::branch::<C, A, T>,
        SecondKind::Base(Base::Object) => n::branch::<C, A, O>,
        SecondKind::Literal => n::branch::<C, A, n::Imm>,
        SecondKind::LiteralReal => n::branch::<C, A, n::ImmReal>,
    }
}

/// The handler that copies a word.
pub(crate) fn copy(to: Base, from: Base) -> Handler {
    match to {
        Base::Locals => copy_to::<L>(from),
        Base::Temps => copy_to::<T>(from),
        Base::Object => copy_to::<O>(from),
    }
}

fn copy_to<D: n::Where>(from: Base) -> Handler {
    match from {
        Base::Locals => n::copy::<D, L>,
        Base::Temps => n::copy::<D, T>,
        Base::Object => n::copy::<D, O>,
    }
}

/// The handler that writes a literal word.
pub(crate) fn literal(to: Base) -> Handler {
    match to {
        Base::Locals => n::literal::<L>,
        Base::Temps => n::literal::<T>,
        Base::Object => n::literal::<O>,
    }
}
