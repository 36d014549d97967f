//! The library functions that generated programs call, written from what the engine's reference pages say
//! of each.

use bp_compiler::ir::{Call, FunctionIr};
use bp_reflect::PropertyType;

use super::{Evaluator, Found, Halt, Said, Step, Val, same, zero};

/// Arguments of a call in order.
enum Argument {
    Value(Val),
    /// Of an out, reference or wildcard parameter.
    Found(Found),
}

impl<'a> Evaluator<'a> {
    /// Calls a library function; gives its result.
    pub(super) fn native(&mut self, ir: &'a FunctionIr, call: &Call) -> Step<Option<Val>> {
        let class = call.target.class.clone();
        let name = call.target.name.clone();
        let declared = self
            .registry
            .find_function(&class, &name)
            .map(|(_, function)| function);
        let Some(declared) = declared else {
            return Err(Halt::Unknown(format!("{class}:{name}")));
        };
        let mut arguments = Vec::new();
        for (param, term) in declared.arguments().zip(&call.arguments) {
            let by_place = param.is_out() || param.ty == PropertyType::Wildcard;
            arguments.push(if by_place {
                // Without a place the function has its own, which holds zero.
                let found = self.find(ir, *term)?;
                let ty = &ir.terms[*term].ty;
                Argument::Found(found.unwrap_or_else(|| Found::Temporary(zero(ty, self.registry))))
            } else {
                let value = self.value(ir, *term)?;
                Argument::Value(value.unwrap_or_else(|| zero(&param.ty, self.registry)))
            });
        }
        let full = format!("{}.{name}", class.name());
        let mut call = Arguments {
            evaluator: self,
            list: arguments,
            name: &full,
        };
        if full.starts_with("KismetArrayLibrary.") {
            return call.array();
        }
        call.plain().map(Some)
    }
}

struct Arguments<'e, 'a> {
    evaluator: &'e mut Evaluator<'a>,
    list: Vec<Argument>,
    name: &'e str,
}

impl Arguments<'_, '_> {
    fn unknown(&self) -> Halt {
        Halt::Unknown(self.name.to_owned())
    }

    fn value(&self, index: usize) -> Step<Val> {
        match self.list.get(index) {
            Some(Argument::Value(value)) => Ok(value.clone()),
            Some(Argument::Found(found)) => Ok(self.evaluator.load(found.clone())),
            None => Err(self.unknown()),
        }
    }

    fn int(&self, index: usize) -> Step<i32> {
        if let Val::Int(value) = self.value(index)? {
            Ok(value as i32)
        } else {
            Err(self.unknown())
        }
    }

    fn real(&self, index: usize) -> Step<f64> {
        if let Val::Real(value) = self.value(index)? {
            Ok(value)
        } else {
            Err(self.unknown())
        }
    }

    fn truth(&self, index: usize) -> Step<bool> {
        if let Val::Bool(value) = self.value(index)? {
            Ok(value)
        } else {
            Err(self.unknown())
        }
    }

    fn text(&self, index: usize) -> Step<String> {
        if let Val::Str(value) = self.value(index)? {
            Ok(value)
        } else {
            Err(self.unknown())
        }
    }

    fn report(&mut self, kind: &'static str) {
        self.evaluator.said.push(Said::Report(kind));
    }

    fn plain(&mut self) -> Step<Val> {
        let int = |value: i32| Ok(Val::Int(i64::from(value)));
        let truth = |value: bool| Ok(Val::Bool(value));
        let real = |value: f64| Ok(Val::Real(value));
        let text = |value: String| Ok(Val::Str(value));
        match self.name {
            "KismetMathLibrary.Add_IntInt" => int(self.int(0)?.wrapping_add(self.int(1)?)),
            "KismetMathLibrary.Subtract_IntInt" => int(self.int(0)?.wrapping_sub(self.int(1)?)),
            "KismetMathLibrary.Multiply_IntInt" => int(self.int(0)?.wrapping_mul(self.int(1)?)),
            "KismetMathLibrary.Divide_IntInt" => {
                if self.int(1)? == 0 {
                    self.report("DivideByZero");
                    return int(0);
                }
                int(self.int(0)?.wrapping_div(self.int(1)?))
            }
            "KismetMathLibrary.Percent_IntInt" => {
                if self.int(1)? == 0 {
                    self.report("DivideByZero");
                    return int(0);
                }
                int(self.int(0)?.wrapping_rem(self.int(1)?))
            }
            "KismetMathLibrary.Max" => int(self.int(0)?.max(self.int(1)?)),
            "KismetMathLibrary.Min" => int(self.int(0)?.min(self.int(1)?)),
            "KismetMathLibrary.And_IntInt" => int(self.int(0)? & self.int(1)?),
            "KismetMathLibrary.Or_IntInt" => int(self.int(0)? | self.int(1)?),
            "KismetMathLibrary.Xor_IntInt" => int(self.int(0)? ^ self.int(1)?),
            "KismetMathLibrary.Not_Int" => int(!self.int(0)?),
            "KismetMathLibrary.Less_IntInt" => truth(self.int(0)? < self.int(1)?),
            "KismetMathLibrary.LessEqual_IntInt" => truth(self.int(0)? <= self.int(1)?),
            "KismetMathLibrary.Greater_IntInt" => truth(self.int(0)? > self.int(1)?),
            "KismetMathLibrary.GreaterEqual_IntInt" => truth(self.int(0)? >= self.int(1)?),
            "KismetMathLibrary.EqualEqual_IntInt" => truth(self.int(0)? == self.int(1)?),
            "KismetMathLibrary.NotEqual_IntInt" => truth(self.int(0)? != self.int(1)?),
            "KismetMathLibrary.BooleanAND" => truth(self.truth(0)? & self.truth(1)?),
            "KismetMathLibrary.BooleanOR" => truth(self.truth(0)? | self.truth(1)?),
            "KismetMathLibrary.BooleanXOR" => truth(self.truth(0)? ^ self.truth(1)?),
            "KismetMathLibrary.Not_PreBool" => truth(!self.truth(0)?),
            "KismetMathLibrary.EqualEqual_BoolBool" => truth(self.truth(0)? == self.truth(1)?),
            "KismetMathLibrary.SelectInt" => {
                let chosen = usize::from(!self.truth(2)?);
                int(self.int(chosen)?)
            }
            "KismetMathLibrary.SelectString" => {
                let chosen = usize::from(!self.truth(2)?);
                text(self.text(chosen)?)
            }
            "KismetMathLibrary.Add_DoubleDouble" => real(self.real(0)? + self.real(1)?),
            "KismetMathLibrary.Subtract_DoubleDouble" => real(self.real(0)? - self.real(1)?),
            "KismetMathLibrary.Multiply_DoubleDouble" => real(self.real(0)? * self.real(1)?),
            "KismetMathLibrary.Divide_DoubleDouble" => {
                if self.real(1)? == 0.0 {
                    self.report("DivideByZero");
                    return real(0.0);
                }
                real(self.real(0)? / self.real(1)?)
            }
            "KismetMathLibrary.Less_DoubleDouble" => truth(self.real(0)? < self.real(1)?),
            "KismetMathLibrary.GreaterEqual_DoubleDouble" => truth(self.real(0)? >= self.real(1)?),
            "KismetMathLibrary.Conv_IntToDouble" => real(f64::from(self.int(0)?)),
            "KismetStringLibrary.Concat_StrStr" => text(self.text(0)? + &self.text(1)?),
            "KismetStringLibrary.Len" => int(self.text(0)?.encode_utf16().count() as i32),
            "KismetStringLibrary.IsEmpty" => truth(self.text(0)?.is_empty()),
            "KismetStringLibrary.EqualEqual_StrStr" => truth(self.text(0)? == self.text(1)?),
            "KismetStringLibrary.NotEqual_StriStri" => {
                truth(self.text(0)?.to_lowercase() != self.text(1)?.to_lowercase())
            }
            "KismetStringLibrary.ToUpper" => text(self.text(0)?.to_uppercase()),
            "KismetStringLibrary.Reverse" => text(self.text(0)?.chars().rev().collect()),
            "KismetStringLibrary.Conv_IntToString" => text(self.int(0)?.to_string()),
            "KismetStringLibrary.Conv_BoolToString" => text(self.truth(0)?.to_string()),
            "KismetStringLibrary.Conv_DoubleToString" => text(shown(self.real(0)?)),
            "KismetStringLibrary.Conv_StringToInt" => int(number_of(&self.text(0)?)),
            "KismetSystemLibrary.PrintString" => {
                let line = self.text(1)?;
                self.evaluator.said.push(Said::Print(line));
                Ok(Val::Opaque)
            }
            _ => Err(self.unknown()),
        }
    }

    fn list(&self, index: usize) -> Step<Vec<Val>> {
        if let Val::List(list) = self.value(index)? {
            Ok(list)
        } else {
            Err(self.unknown())
        }
    }

    fn put(&mut self, index: usize, value: Val) {
        if let Some(Argument::Found(Found::Place(place))) = self.list.get(index) {
            let place = place.clone();
            self.evaluator.store(&place, value);
        }
    }

    /// The index of argument `at`, if the list has such an element.
    fn index(&mut self, at: usize, len: usize) -> Step<Option<usize>> {
        let index = usize::try_from(self.int(at)?).ok();
        Ok(index.filter(|index| *index < len))
    }

    fn array(&mut self) -> Step<Option<Val>> {
        let mut list = self.list(0)?;
        let int = |value: usize| Ok(Some(Val::Int(value as i64)));
        let truth = |value: bool| Ok(Some(Val::Bool(value)));
        let position = |list: &[Val], item: &Val| list.iter().position(|found| same(found, item));
        match self.name.trim_start_matches("KismetArrayLibrary.") {
            "Array_Length" => return int(list.len()),
            "Array_LastIndex" => return Ok(Some(Val::Int(list.len() as i64 - 1))),
            "Array_IsValidIndex" => {
                let index = self.index(1, list.len())?;
                return truth(index.is_some());
            }
            "Array_Contains" => return truth(position(&list, &self.value(1)?).is_some()),
            "Array_Find" => {
                let found = position(&list, &self.value(1)?);
                return Ok(Some(Val::Int(found.map_or(-1, |at| at as i64))));
            }
            "Array_Get" => {
                if let Some(at) = self.index(1, list.len())? {
                    self.put(2, list[at].clone());
                } else {
                    self.report("OutOfBounds");
                    let blank = blank(&self.value(2)?);
                    self.put(2, blank);
                }
                return Ok(None);
            }
            "Array_Add" => {
                list.push(self.value(1)?);
                let at = list.len() - 1;
                self.put(0, Val::List(list));
                return int(at);
            }
            "Array_AddUnique" => {
                let item = self.value(1)?;
                if position(&list, &item).is_some() {
                    return Ok(Some(Val::Int(-1)));
                }
                list.push(item);
                let at = list.len() - 1;
                self.put(0, Val::List(list));
                return int(at);
            }
            "Array_RemoveItem" => {
                let item = self.value(1)?;
                let before = list.len();
                list.retain(|found| !same(found, &item));
                let removed = list.len() < before;
                self.put(0, Val::List(list));
                return truth(removed);
            }
            "Array_Append" => {
                let more = self.list(1)?;
                list.extend(more);
            }
            "Array_Insert" => {
                let at = usize::try_from(self.int(2)?).ok();
                match at.filter(|at| *at <= list.len()) {
                    Some(at) => list.insert(at, self.value(1)?),
                    None => self.report("OutOfBounds"),
                }
            }
            "Array_Remove" => match self.index(1, list.len())? {
                Some(at) => drop(list.remove(at)),
                None => self.report("OutOfBounds"),
            },
            "Array_Set" => {
                let item = self.value(2)?;
                let at = usize::try_from(self.int(1)?).ok();
                match at {
                    Some(at) if at < list.len() => list[at] = item,
                    Some(at) if self.truth(3)? => {
                        list.resize(at + 1, blank(&item));
                        list[at] = item;
                    }
                    _ => self.report("OutOfBounds"),
                }
            }
            "Array_Clear" => list.clear(),
            "Array_Reverse" => list.reverse(),
            "Array_Swap" => match (self.index(1, list.len())?, self.index(2, list.len())?) {
                (Some(a), Some(b)) => list.swap(a, b),
                _ => self.report("OutOfBounds"),
            },
            _ => return Err(self.unknown()),
        }
        self.put(0, Val::List(list));
        Ok(None)
    }
}

/// The zero of the type that a value is of.
fn blank(value: &Val) -> Val {
    match value {
        Val::Bool(_) => Val::Bool(false),
        Val::Int(_) => Val::Int(0),
        Val::Real(_) => Val::Real(0.0),
        Val::Str(_) => Val::Str(String::new()),
        Val::List(_) => Val::List(Vec::new()),
        Val::Fields(fields) => Val::Fields(
            fields
                .iter()
                .map(|(name, value)| (name.clone(), blank(value)))
                .collect(),
        ),
        Val::Object(_) => Val::Object(false),
        Val::Bound(_) => Val::Bound(None),
        Val::Bindings(_) => Val::Bindings(Vec::new()),
        Val::Opaque => Val::Opaque,
    }
}

/// A real as the engine shows it: up to six digits of a fraction, at least one; what is no number in small letters.
fn shown(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    let text = format!("{value:.6}");
    let trimmed = text.trim_end_matches('0');
    if trimmed.ends_with('.') {
        format!("{trimmed}0")
    } else {
        trimmed.to_owned()
    }
}

/// The digits at the start of a text as a number, kept within an int.
fn number_of(text: &str) -> i32 {
    let text = text.trim_start();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut value: i128 = 0;
    for digit in digits.bytes().take_while(u8::is_ascii_digit) {
        value = (value * 10 + i128::from(digit - b'0')).min(1 << 64);
    }
    let value = if negative { -value } else { value };
    value.clamp(i128::from(i32::MIN), i128::from(i32::MAX)) as i32
}
