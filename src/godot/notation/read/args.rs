//! The arguments of a constructor: the numbers and strings between its parentheses. Numbers outside
//! of constructors are converted by the same functions.

use super::Reading;
use super::error::{Error, ErrorKind, Result};
use super::lexer::{Token, TokenKind};
use super::names::float_constant;
use super::number::{engine_float, engine_int, is_float, truncate};
use crate::godot::types::parts::ReadParts;
use alloc::borrow::Cow;
use alloc::vec::IntoIter;
use core::ops::RangeInclusive;
use core::str::FromStr;

/// The arguments of a constructor as tokens: numbers, names of numbers such as `inf`, and strings.
pub(super) struct Args<'t> {
    /// The offset of the constructor in the text.
    pub offset: usize,
    pub tokens: IntoIter<Token<'t>>,
    pub options: Reading,
}

/// Returns `true` for a number, and for a name of a number such as `inf`.
pub(super) fn is_number(kind: &TokenKind<'_>, options: Reading) -> bool {
    match kind {
        TokenKind::Number(_) => true,
        TokenKind::Name(name) => float_constant(name, options).is_some(),
        _ => false,
    }
}

/// Returns the value of a number, rounded correctly or as the engine rounds it.
pub(super) fn float<T: FromStr + From<f32>>(
    token: &Token<'_>,
    options: Reading,
    narrow: impl Fn(f64) -> T,
) -> Result<T> {
    let value = match token.kind {
        TokenKind::Number(number) if options.as_the_engine && is_float(number) => {
            Some(engine_float(number))
        }
        TokenKind::Number(number) if options.as_the_engine => Some(engine_int(number) as f64),
        TokenKind::Number(number) => {
            return number.parse().map_err(|_| token.fail(ErrorKind::BadNumber));
        }
        TokenKind::Name(name) => float_constant(name, options),
        _ => None,
    };
    value.map(narrow).ok_or_else(|| token.fail(ErrorKind::Expected("a number")))
}

/// Returns the value of an int. `smallest` is the minimum of the integer type that will store the
/// value: `i32::MIN` or `i64::MIN`.
pub(super) fn int(token: &Token<'_>, options: Reading, smallest: i64) -> Result<i64> {
    match token.kind {
        TokenKind::Number(number) if options.as_the_engine && !is_float(number) => {
            Ok(engine_int(number))
        }
        _ if options.as_the_engine => Ok(truncate(float(token, options, |float| float)?, smallest)),
        TokenKind::Number(number) if is_float(number) => {
            // A float is accepted if it is a whole number.
            let value = float(token, options, |float| float)?;
            let int = truncate(value, smallest);
            let is_whole = int as f64 == value;
            if is_whole { Ok(int) } else { Err(token.fail(ErrorKind::BadNumber)) }
        }
        TokenKind::Number(number) => number.parse().map_err(|_| token.fail(ErrorKind::OutOfRange)),
        _ => token.expected("an integer"),
    }
}

/// Converts an int to a narrower type. If the int does not fit, returns `None` or, with
/// [`Reading::as_the_engine`], truncates it as the engines do: to its low 8 bits for a byte, and to
/// its low 32 bits otherwise.
pub(super) fn narrow(int: i64, range: &RangeInclusive<i64>, options: Reading) -> Option<i64> {
    let fits = |int: i64| range.contains(&int).then_some(int);
    let low = || fits(i64::from(int as i32)).or_else(|| fits(i64::from(int as u8)));
    fits(int).or_else(|| if options.as_the_engine { low() } else { None })
}

impl<'t> Args<'t> {
    fn next(&mut self) -> Result<Token<'t>> {
        self.tokens.next().ok_or_else(|| self.wrong_count(1))
    }

    /// Returns an error if some arguments have not been used.
    pub(super) fn finish(self) -> Result<()> {
        match self.left() {
            0 => Ok(()),
            left => Err(self.wrong_count(left)),
        }
    }
}

impl<'t> ReadParts<'t> for Args<'t> {
    type Error = Error;

    fn left(&self) -> usize {
        self.tokens.len()
    }

    fn is_double(&self) -> bool {
        self.options.is_double()
    }

    fn is_by_rows(&self) -> bool {
        true
    }

    fn bool(&mut self) -> Result<bool> {
        let token = self.next()?;
        token.expected("a number")
    }

    fn int_in(&mut self, range: RangeInclusive<i64>) -> Result<i64> {
        let token = self.next()?;
        let smallest = if *range.end() == i64::MAX { i64::MIN } else { i32::MIN.into() };
        let int = int(&token, self.options, smallest)?;
        narrow(int, &range, self.options).ok_or_else(|| token.fail(ErrorKind::OutOfRange))
    }

    fn id(&mut self) -> Result<u64> {
        let token = self.next()?;
        int(&token, self.options, i64::MIN).map(i64::cast_unsigned)
    }

    fn real(&mut self) -> Result<f64> {
        let token = self.next()?;
        float(&token, self.options, |float| float)
    }

    fn single(&mut self) -> Result<f64> {
        let token = self.next()?;
        float(&token, self.options, |float| float as f32).map(f64::from)
    }

    fn text(&mut self) -> Result<Cow<'t, [u8]>> {
        let token = self.next()?;
        match token.kind {
            TokenKind::Text(text) => Ok(text),
            _ => token.expected("a string"),
        }
    }

    #[cold]
    fn wrong_count(&self, count: usize) -> Error {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        Error::new(ErrorKind::PartCount(count), self.offset as u64)
    }
}
