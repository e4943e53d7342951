//! Finds the ends of values and strings without building them.

use super::Reading;
use super::error::{ErrorKind, Result};
use super::lexer::{Lexer, Token, TokenKind};
use super::names::float_constant;
use crate::godot::notation::keywords;
use alloc::borrow::Cow;
use core::ops::Range;

impl Reading {
    /// Returns the range of the first value after the offset `start`. Only brackets and tokens are
    /// checked, so the value itself can be malformed. Offsets in errors count from the start of
    /// `text`.
    pub(crate) fn first_extent(self, text: &str, start: usize) -> Result<Range<usize>> {
        let mut lexer = Lexer::new_at(text, start, self);
        let first = lexer.next()?;
        match first.kind {
            TokenKind::End
            | TokenKind::Punct(b'}' | b']' | b'(' | b')' | b':' | b',' | b'.' | b'=') => {
                return first.expected("a value");
            }
            TokenKind::Punct(_) => skip_group(&mut lexer)?,
            TokenKind::Name(name) if !self.is_constant(name) => {
                self.skip_arguments(name, &mut lexer)?
            }
            _ => {}
        }
        Ok(first.offset..lexer.position())
    }

    /// Decodes the string whose opening quote is at the offset `start`. Returns its content and the
    /// offset of its end.
    pub(crate) fn string_at(self, text: &str, start: usize) -> Result<(Cow<'_, [u8]>, usize)> {
        let mut lexer = Lexer::new_at(text, start, self);
        let token = lexer.next()?;
        match token.kind {
            TokenKind::Text(content) => Ok((content, lexer.position())),
            _ => token.expected("a string"),
        }
    }

    fn is_constant(self, name: &str) -> bool {
        matches!(name, keywords::NULL | "nil" | "true" | "false")
            || float_constant(name, self).is_some()
    }

    /// Skips what follows the name of a type: the element types of a typed container in brackets,
    /// if there are any, and the arguments in parentheses.
    fn skip_arguments(self, name: &str, lexer: &mut Lexer<'_>) -> Result<()> {
        if self.is_godot4() && matches!(name, "Array" | "Dictionary") {
            skip_if_group(b'[', lexer)?;
        }
        skip_if_group(b'(', lexer)
    }
}

fn skip_if_group(opener: u8, lexer: &mut Lexer<'_>) -> Result<()> {
    let before = lexer.clone();
    if matches!(lexer.next(), Ok(token) if token.is(opener)) {
        return skip_group(lexer);
    }
    *lexer = before;
    Ok(())
}

/// Skips the tokens up to the bracket that closes the bracket before them. Brackets of different
/// kinds are not distinguished: a mismatch is found when the value is read.
fn skip_group(lexer: &mut Lexer<'_>) -> Result<()> {
    let mut open = 1_usize;
    while open > 0 {
        let token = lexer.next()?;
        match token {
            Token { kind: TokenKind::End, .. } => {
                return Err(token.fail(ErrorKind::Expected("a closing bracket")));
            }
            Token { kind: TokenKind::Punct(b'(' | b'[' | b'{'), .. } => {
                open = open.saturating_add(1)
            }
            Token { kind: TokenKind::Punct(b')' | b']' | b'}'), .. } => {
                open = open.saturating_sub(1)
            }
            _ => {}
        }
    }
    Ok(())
}
