use super::error::{Error, ErrorKind, Result};
use super::tape::{Node, NodeKind, Tape};
use crate::godot::types::parts::ReadParts;
use alloc::borrow::Cow;
use core::num::IntErrorKind;
use core::ops::RangeInclusive;
use core::str::FromStr;

/// The parts of a value as nodes of a tape.
pub(super) struct Args<'d, 't, I> {
    pub tape: &'d Tape<'t>,
    /// The value itself. A wrong number of parts is reported at its offset.
    pub value: Node,
    pub nodes: I,
    pub left: usize,
    /// The prefix with which each string begins, such as `i:`. It is empty for types whose strings
    /// have no prefix.
    pub prefix: &'static str,
    pub double: bool,
}

impl<'t, I: Iterator<Item = Node>> Args<'_, 't, I> {
    fn next(&mut self) -> Result<Node> {
        let next = self.nodes.next().ok_or_else(|| self.wrong_count(1))?;
        self.left = self.left.saturating_sub(1);
        Ok(next)
    }

    /// Returns the text of a number, or of a string without its prefix.
    fn number(&self, node: Node) -> Result<Cow<'t, str>> {
        match node.kind() {
            NodeKind::Number => Ok(Cow::Borrowed(self.tape.raw(node))),
            NodeKind::Text | NodeKind::Escaped => self.string(node),
            _ => node.expected("a number"),
        }
    }

    /// Parses the next part as a float. The engine writes NaN as `null`, this crate as `"nan"`.
    fn parsed<T: FromStr + From<f32>>(&mut self) -> Result<T> {
        let node = self.next()?;
        if node.kind() == NodeKind::Null {
            return Ok(f32::NAN.into());
        }
        self.number(node)?.parse().map_err(|_| node.fail(ErrorKind::BadNumber))
    }

    fn string(&self, node: Node) -> Result<Cow<'t, str>> {
        let missing = || node.fail(ErrorKind::NoPrefix);
        match self.tape.text(node)? {
            Cow::Borrowed(text) => text.strip_prefix(self.prefix).map(Cow::Borrowed),
            Cow::Owned(text) => text.strip_prefix(self.prefix).map(|text| Cow::Owned(text.into())),
        }
        .ok_or_else(missing)
    }

    /// Returns an error if some parts have not been used.
    pub(super) fn finish(&self) -> Result<()> {
        if self.left == 0 { Ok(()) } else { Err(self.wrong_count(self.left)) }
    }
}

impl<'t, I: Iterator<Item = Node>> ReadParts<'t> for Args<'_, 't, I> {
    type Error = Error;

    fn left(&self) -> usize {
        self.left
    }

    fn is_double(&self) -> bool {
        self.double
    }

    fn bool(&mut self) -> Result<bool> {
        let node = self.next()?;
        match node.kind() {
            NodeKind::True => Ok(true),
            NodeKind::False => Ok(false),
            _ => node.expected("true or false"),
        }
    }

    fn int_in(&mut self, range: RangeInclusive<i64>) -> Result<i64> {
        let node = self.next()?;
        let number = self.number(node)?;
        let int = match number.parse::<i64>() {
            Ok(int) => int,
            Err(error) if is_overflow(error.kind()) => {
                return Err(node.fail(ErrorKind::OutOfRange));
            }
            // Some JSON writers print integers as floats: 1.0, 1e3.
            Err(_) => parse_whole_float(&number).map_err(|kind| node.fail(kind))?,
        };
        if range.contains(&int) { Ok(int) } else { Err(node.fail(ErrorKind::OutOfRange)) }
    }

    fn id(&mut self) -> Result<u64> {
        let node = self.next()?;
        match node.kind() {
            NodeKind::Number => {
                let number = self.tape.raw(node);
                let whole =
                    || u64::try_from(parse_whole_float(number)?).map_err(|_| ErrorKind::OutOfRange);
                number.parse().or_else(|_| whole()).map_err(|kind| node.fail(kind))
            }
            _ => node.expected("a number"),
        }
    }

    fn real(&mut self) -> Result<f64> {
        self.parsed()
    }

    fn single(&mut self) -> Result<f64> {
        self.parsed::<f32>().map(f64::from)
    }

    fn text(&mut self) -> Result<Cow<'t, [u8]>> {
        let node = self.next()?;
        Ok(match self.string(node)? {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        })
    }

    #[cold]
    fn wrong_count(&self, count: usize) -> Error {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        self.value.fail(ErrorKind::PartCount(count))
    }
}

/// Returns `true` if the error means that an integer does not fit in 64 bits. Such an integer must
/// not be parsed as a float: −2⁶³ − 1, which does not fit, would be rounded to −2⁶³, which does.
fn is_overflow(error: &IntErrorKind) -> bool {
    matches!(error, IntErrorKind::PosOverflow | IntErrorKind::NegOverflow)
}

/// Parses an integer that is written as a float.
fn parse_whole_float(number: &str) -> core::result::Result<i64, ErrorKind> {
    let Ok(float) = number.parse::<f64>() else { return Err(ErrorKind::BadNumber) };
    // 2⁶³ is the smallest integer that does not fit.
    let fits = float >= i64::MIN as f64 && float < -(i64::MIN as f64);
    match float as i64 {
        _ if !fits => Err(ErrorKind::OutOfRange),
        int if int as f64 == float => Ok(int),
        _ => Err(ErrorKind::BadNumber),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_floats_parse_as_integers() {
        for (number, int) in [
            ("1e3", Ok(1000)),
            ("-0.0", Ok(0)),
            ("9223372036854774784.0", Ok(9_223_372_036_854_774_784)),
            ("9223372036854775808.0", Err(ErrorKind::OutOfRange)),
            ("-9223372036854775808.0", Ok(i64::MIN)),
            ("-9223372036854777856.0", Err(ErrorKind::OutOfRange)),
            ("1e400", Err(ErrorKind::OutOfRange)),
            ("0.5", Err(ErrorKind::BadNumber)),
        ] {
            assert_eq!(parse_whole_float(number), int, "{number}");
        }
    }
}
