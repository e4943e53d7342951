//! What stands between the parentheses of a type.

use super::Reading;
use super::error::{Error, ErrorKind, Result};
use super::lexer::{Token, What};
use super::names::float_word;
use super::number::{cut, engine_float, engine_int, is_float};
use crate::godot::types::parts::PartSource;
use alloc::borrow::Cow;
use alloc::vec::IntoIter;
use core::str::FromStr;

/// The parts of a value, as pieces of a text: numbers, words for numbers, strings.
pub(super) struct Args<'t> {
    /// Where the value's text starts.
    pub offset: usize,
    pub tokens: IntoIter<Token<'t>>,
    pub how: Reading,
}

/// Whether this is a number, or a word for one.
pub(super) fn is_number(what: &What<'_>, how: Reading) -> bool {
    match what {
        What::Number(_) => true,
        What::Name(name) => float_word(name, how).is_some(),
        _ => false,
    }
}

/// A number, rounded correctly or as the engine rounds it.
pub(super) fn float<T: FromStr + From<f32>>(
    token: &Token<'_>,
    how: Reading,
    narrow: impl Fn(f64) -> T,
) -> Result<T> {
    let word = match token.what {
        What::Number(number) if how.as_the_engine && is_float(number) => Some(engine_float(number)),
        What::Number(number) if how.as_the_engine => Some(engine_int(number) as f64),
        What::Number(number) => {
            return number.parse().map_err(|_| token.fail(ErrorKind::BadNumber));
        }
        What::Name(name) => float_word(name, how),
        _ => None,
    };
    word.map(narrow).ok_or_else(|| token.fail(ErrorKind::Expected("a number")))
}

/// An int; `smallest` is what its place has room for.
pub(super) fn int(token: &Token<'_>, how: Reading, smallest: i64) -> Result<i64> {
    match token.what {
        What::Number(number) if how.as_the_engine && !is_float(number) => Ok(engine_int(number)),
        _ if how.as_the_engine => Ok(cut(float(token, how, |float| float)?, smallest)),
        What::Number(number) if is_float(number) => {
            // Floats that are whole.
            let value = float(token, how, |float| float)?;
            let int = cut(value, smallest);
            let is_whole = int as f64 == value;
            if is_whole { Ok(int) } else { Err(token.fail(ErrorKind::BadNumber)) }
        }
        What::Number(number) => number.parse().map_err(|_| token.fail(ErrorKind::OutOfRange)),
        _ => token.expected("an integer"),
    }
}

/// An int where there is room for it. Engines take the low 32 bits, or for a byte 8.
pub(super) fn narrow<T: TryFrom<i64>>(int: i64, how: Reading) -> Option<T> {
    let fits = |int: i64| T::try_from(int).ok();
    let low = || fits(i64::from(int as i32)).or_else(|| fits(i64::from(int as u8)));
    fits(int).or_else(|| if how.as_the_engine { low() } else { None })
}

impl<'t> Args<'t> {
    fn next(&mut self) -> Result<Token<'t>> {
        self.tokens.next().ok_or_else(|| self.wrong_count(1))
    }

    /// That all parts were taken.
    pub(super) fn finish(self) -> Result<()> {
        match self.left() {
            0 => Ok(()),
            left => Err(self.wrong_count(left)),
        }
    }
}

impl<'t> PartSource<'t> for Args<'t> {
    type Error = Error;

    fn left(&self) -> usize {
        self.tokens.len()
    }

    fn is_double(&self) -> bool {
        self.how.is_double()
    }

    fn is_by_rows(&self) -> bool {
        true
    }

    fn bool(&mut self) -> Result<bool> {
        let token = self.next()?;
        token.expected("a number")
    }

    fn int<T: TryFrom<i64>>(&mut self) -> Result<T> {
        let token = self.next()?;
        let is_wide = T::try_from(i64::MAX).is_ok();
        let smallest = if is_wide { i64::MIN } else { i32::MIN.into() };
        let int = int(&token, self.how, smallest)?;
        narrow(int, self.how).ok_or_else(|| token.fail(ErrorKind::OutOfRange))
    }

    fn id(&mut self) -> Result<u64> {
        let token = self.next()?;
        int(&token, self.how, i64::MIN).map(i64::cast_unsigned)
    }

    fn real(&mut self) -> Result<f64> {
        let token = self.next()?;
        float(&token, self.how, |float| float)
    }

    fn single(&mut self) -> Result<f64> {
        let token = self.next()?;
        float(&token, self.how, |float| float as f32).map(f64::from)
    }

    fn text(&mut self) -> Result<Cow<'t, [u8]>> {
        let token = self.next()?;
        match token.what {
            What::Text(text) => Ok(text),
            _ => token.expected("a string"),
        }
    }

    #[cold]
    fn wrong_count(&self, count: usize) -> Error {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        Error::new(ErrorKind::PartCount(count), self.offset as u64)
    }
}
