//! Prints the JSON of text messages, either without white space or indented. Numbers, strings and
//! the order of members stay as they are in the message.

use crate::ui::text::Escaped;
use serde::de::IgnoredAny;
use std::fmt::{self, Display, Write};

/// Text that is valid JSON.
#[derive(Clone, Copy)]
pub struct Json<'a>(&'a str);

impl<'a> Json<'a> {
    /// Wraps a text that is JSON. Returns `None` for other text. The depth is not limited.
    pub fn new(text: &'a str) -> Option<Self> {
        serde_json::from_str::<IgnoredAny>(text).ok().map(|IgnoredAny| Self(text))
    }

    /// Formats the text with a line for each value, as Godot's `JSON.stringify` does for an
    /// indentation of two spaces. Each line begins with `margin` more spaces. Escapes unprintable
    /// characters.
    pub fn indented(self, margin: usize) -> impl Display + use<'a> {
        Indented { text: self.0, margin }
    }

    /// Splits JSON into its tokens: strings, numbers, words, and single punctuation characters.
    fn tokens(text: &str) -> impl Iterator<Item = &str> {
        let mut rest = text;
        std::iter::from_fn(move || {
            rest = rest.trim_start();
            let len = match rest.chars().next()? {
                '"' => string_len(rest),
                '{' | '}' | '[' | ']' | ',' | ':' => 1,
                _ => rest.find([',', '}', ']', ' ', '\t', '\r', '\n']).unwrap_or(rest.len()),
            };
            let (token, after) = rest.split_at_checked(len)?;
            rest = after;
            Some(token)
        })
    }
}

/// Returns the length of the string at the start of the text, including the quotes.
fn string_len(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end.saturating_add(2))
}

impl Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::tokens(self.0).try_for_each(|token| f.write_str(token))
    }
}

struct Indented<'a> {
    text: &'a str,
    margin: usize,
}

impl Display for Indented<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut depth = 0_usize;
        let line = |f: &mut fmt::Formatter<'_>, depth: usize| {
            let width = self.margin.saturating_add(depth.saturating_mul(2));
            write!(f, "\n{:width$}", "")
        };
        write!(f, "{:width$}", "", width = self.margin)?;
        let mut tokens = Json::tokens(self.text).peekable();
        while let Some(token) = tokens.next() {
            let next = tokens.peek().copied();
            match token {
                "{" | "[" => {
                    f.write_str(token)?;
                    if !matches!(next, Some("}" | "]")) {
                        depth = depth.saturating_add(1);
                        line(f, depth)?;
                    } else if let Some(close) = tokens.next() {
                        f.write_str(close)?;
                        self.end(f, &mut depth, &mut tokens, line)?;
                    }
                }
                ":" => f.write_str(": ")?,
                "," => {
                    f.write_char(',')?;
                    line(f, depth)?;
                }
                _ => {
                    Escaped(token.as_bytes()).fmt(f)?;
                    self.end(f, &mut depth, &mut tokens, line)?;
                }
            }
        }
        Ok(())
    }
}

impl<'a> Indented<'a> {
    /// Writes the closing brackets that follow a value, each on a line of its own.
    fn end(
        &self,
        f: &mut fmt::Formatter<'_>,
        depth: &mut usize,
        tokens: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
        line: impl Fn(&mut fmt::Formatter<'_>, usize) -> fmt::Result,
    ) -> fmt::Result {
        while let Some(close) = tokens.next_if(|token| matches!(*token, "}" | "]")) {
            *depth = depth.saturating_sub(1);
            line(f, *depth)?;
            f.write_str(close)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_keeps_its_numbers_and_its_order() {
        for (text, compact, indented) in [
            ("5", "5", "5"),
            (" {\"a\" :\t4} ", r#"{"a":4}"#, "{\n  \"a\": 4\n}"),
            ("[ ]", "[]", "[]"),
            (
                r#"{"b": [1.50, {}, "x, \"]\\"], "a": null}"#,
                r#"{"b":[1.50,{},"x, \"]\\"],"a":null}"#,
                "{\n  \"b\": [\n    1.50,\n    {},\n    \"x, \\\"]\\\\\"\n  ],\n  \"a\": null\n}",
            ),
            ("[[1]]", "[[1]]", "[\n  [\n    1\n  ]\n]"),
            ("[[], []]", "[[],[]]", "[\n  [],\n  []\n]"),
        ] {
            let json = Json::new(text).unwrap();
            assert_eq!(json.to_string(), compact);
            assert_eq!(json.indented(0).to_string(), indented);
            let margin = json.indented(3).to_string();
            assert!(margin.lines().all(|line| line.starts_with("   ")), "{margin}");
        }
    }

    #[test]
    fn other_text_is_no_json() {
        for text in ["", "echo", "{\"a\": 4", "{a: 4}", "1 2", "\"x"] {
            assert!(Json::new(text).is_none(), "{text}");
        }
    }
}
