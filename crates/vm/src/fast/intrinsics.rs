//! Native functions that are instructions.
//!
//! Only rows of the standard table count; one that an embedder put in its place is called.

use super::machine::{Arithmetic, Compare, FlatOp};

/// What a native function is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intrinsic {
    Arithmetic(Arithmetic),
    /// On reals; rounded where the result is a float.
    Real(Arithmetic, Arithmetic),
    Compare(Compare),
    /// The operation, words of each argument, and of the result.
    Flat(FlatOp, &'static [u32], u32),
    /// The result is the argument.
    Same,
    /// Objects compared, those collected taken for none; whether equal ones are asked for.
    Objects(bool),
    BreakVector,
    /// What is added to the length.
    ArrayLength(i32),
    ArrayGet,
    ArraySet,
    ArrayAdd,
}

/// What the function `Class.Name` is, if it is an instruction.
pub(crate) fn find(name: &str) -> Option<Intrinsic> {
    use Arithmetic as A;
    use Compare as C;
    use FlatOp as F;
    use Intrinsic as I;
    if let Some(name) = name.strip_prefix("KismetArrayLibrary.") {
        return Some(match name {
            "Array_Length" => I::ArrayLength(0),
            "Array_LastIndex" => I::ArrayLength(-1),
            "Array_Get" => I::ArrayGet,
            "Array_Set" => I::ArraySet,
            "Array_Add" => I::ArrayAdd,
            _ => return None,
        });
    }
    let name = name.strip_prefix("KismetMathLibrary.")?;
    Some(match name {
        "Add_IntInt" => I::Arithmetic(A::AddInt),
        "Subtract_IntInt" => I::Arithmetic(A::SubtractInt),
        "Multiply_IntInt" => I::Arithmetic(A::MultiplyInt),
        "Divide_IntInt" => I::Arithmetic(A::DivideInt),
        "Percent_IntInt" => I::Arithmetic(A::PercentInt),
        "And_IntInt" | "And_Int64Int64" | "BooleanAND" => I::Arithmetic(A::AndBits),
        "Or_IntInt" | "Or_Int64Int64" | "BooleanOR" => I::Arithmetic(A::OrBits),
        "Xor_IntInt" | "Xor_Int64Int64" | "BooleanXOR" => I::Arithmetic(A::XorBits),
        "Add_Int64Int64" => I::Arithmetic(A::AddInt64),
        "Subtract_Int64Int64" => I::Arithmetic(A::SubtractInt64),
        "Multiply_Int64Int64" => I::Arithmetic(A::MultiplyInt64),
        "Divide_Int64Int64" => I::Arithmetic(A::DivideInt64),
        "Percent_Int64Int64" => I::Arithmetic(A::PercentInt64),
        "Add_DoubleDouble" | "Add_FloatFloat" => I::Real(A::AddReal, A::AddFloat),
        "Subtract_DoubleDouble" | "Subtract_FloatFloat" => {
            I::Real(A::SubtractReal, A::SubtractFloat)
        }
        "Multiply_DoubleDouble" | "Multiply_FloatFloat" => {
            I::Real(A::MultiplyReal, A::MultiplyFloat)
        }
        "Divide_DoubleDouble" | "Divide_FloatFloat" => I::Real(A::DivideReal, A::DivideFloat),
        "Less_IntInt" | "Less_Int64Int64" | "Less_ByteByte" => I::Compare(C::LessInt),
        "LessEqual_IntInt" | "LessEqual_Int64Int64" | "LessEqual_ByteByte" => {
            I::Compare(C::LessEqualInt)
        }
        "Greater_IntInt" | "Greater_Int64Int64" | "Greater_ByteByte" => I::Compare(C::GreaterInt),
        "GreaterEqual_IntInt" | "GreaterEqual_Int64Int64" | "GreaterEqual_ByteByte" => {
            I::Compare(C::GreaterEqualInt)
        }
        "EqualEqual_IntInt"
        | "EqualEqual_Int64Int64"
        | "EqualEqual_ByteByte"
        | "EqualEqual_BoolBool" => I::Compare(C::EqualInt),
        "NotEqual_IntInt" | "NotEqual_Int64Int64" | "NotEqual_ByteByte" | "NotEqual_BoolBool" => {
            I::Compare(C::NotEqualInt)
        }
        "Less_DoubleDouble" | "Less_FloatFloat" => I::Compare(C::LessReal),
        "LessEqual_DoubleDouble" | "LessEqual_FloatFloat" => I::Compare(C::LessEqualReal),
        "Greater_DoubleDouble" | "Greater_FloatFloat" => I::Compare(C::GreaterReal),
        "GreaterEqual_DoubleDouble" | "GreaterEqual_FloatFloat" => I::Compare(C::GreaterEqualReal),
        "EqualEqual_DoubleDouble" | "EqualEqual_FloatFloat" => I::Compare(C::EqualReal),
        "NotEqual_DoubleDouble" | "NotEqual_FloatFloat" => I::Compare(C::NotEqualReal),
        "EqualEqual_ObjectObject" | "EqualEqual_ClassClass" => I::Objects(true),
        "NotEqual_ObjectObject" | "NotEqual_ClassClass" => I::Objects(false),
        "Not_PreBool" => I::Flat(F::NotBool, &[1], 1),
        "Not_Int" | "Not_Int64" => I::Flat(F::NotBits, &[1], 1),
        "Abs_Int" => I::Flat(F::AbsInt, &[1], 1),
        "Min" => I::Flat(F::MinInt, &[1, 1], 1),
        "Max" => I::Flat(F::MaxInt, &[1, 1], 1),
        "Clamp" => I::Flat(F::ClampInt, &[1, 1, 1], 1),
        "FMin" => I::Flat(F::MinReal, &[1, 1], 1),
        "FMax" => I::Flat(F::MaxReal, &[1, 1], 1),
        "FClamp" => I::Flat(F::ClampReal, &[1, 1, 1], 1),
        "Lerp" => I::Flat(F::LerpReal, &[1, 1, 1], 1),
        "Abs" => I::Flat(F::AbsReal, &[1], 1),
        "Sqrt" => I::Flat(F::Sqrt, &[1], 1),
        "Sin" => I::Flat(F::Sin, &[1], 1),
        "Cos" => I::Flat(F::Cos, &[1], 1),
        "Square" => I::Flat(F::Square, &[1], 1),
        "SelectInt" | "SelectFloat" => I::Flat(F::SelectWord, &[1, 1, 1], 1),
        "Conv_IntToDouble" | "Conv_IntToFloat" => I::Flat(F::IntToReal, &[1], 1),
        "Conv_Int64ToDouble" => I::Flat(F::Int64ToReal, &[1], 1),
        "Conv_DoubleToInt64" => I::Flat(F::RealToInt64, &[1], 1),
        "Conv_DoubleToFloat" | "Conv_FloatToDouble" | "Conv_BoolToInt" | "Conv_ByteToInt"
        | "Conv_ByteToInt64" | "Conv_IntToInt64" => I::Same,
        "Conv_Int64ToInt" => I::Flat(F::ToInt, &[1], 1),
        "Conv_IntToByte" => I::Flat(F::ToByte, &[1], 1),
        "Conv_IntToBool" => I::Flat(F::ToBool, &[1], 1),
        "FTrunc" => I::Flat(F::Truncate, &[1], 1),
        "FFloor" => I::Flat(F::Floor, &[1], 1),
        "FCeil" => I::Flat(F::Ceil, &[1], 1),
        "Round" => I::Flat(F::Round, &[1], 1),
        "Add_VectorVector" => I::Flat(F::AddVector, &[3, 3], 3),
        "Subtract_VectorVector" => I::Flat(F::SubtractVector, &[3, 3], 3),
        "Multiply_VectorVector" => I::Flat(F::MultiplyVector, &[3, 3], 3),
        "Multiply_VectorFloat" => I::Flat(F::ScaleVector, &[3, 1], 3),
        "Multiply_VectorInt" => I::Flat(F::ScaleVectorInt, &[3, 1], 3),
        "Add_VectorFloat" => I::Flat(F::OffsetVector, &[3, 1], 3),
        "NegateVector" => I::Flat(F::NegateVector, &[3], 3),
        "Dot_VectorVector" => I::Flat(F::DotVector, &[3, 3], 1),
        "Cross_VectorVector" => I::Flat(F::CrossVector, &[3, 3], 3),
        "VSize" => I::Flat(F::LengthVector, &[3], 1),
        "VSizeSquared" => I::Flat(F::LengthSquaredVector, &[3], 1),
        "MakeVector" => I::Flat(F::MakeVector, &[1, 1, 1], 3),
        "BreakVector" => I::BreakVector,
        _ => return None,
    })
}
