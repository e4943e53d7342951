//! Checks that a text is JSON according to RFC 8259. The checker stores only the open brackets.

/// Returns the offset of the first error, if the text is not JSON.
pub fn check(text: &str) -> Result<(), usize> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    match reader.value() {
        Some(()) if reader.at == text.len() => Ok(()),
        _ => Err(reader.at),
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

/// Methods for containers and leaves. They return `None` if the text is not JSON.
impl Reader<'_> {
    /// Skips a value with the white space around it.
    fn value(&mut self) -> Option<()> {
        let mut open = Vec::new();
        loop {
            self.space();
            if let Some(close) = self.opens() {
                self.space();
                if !self.eats(close) {
                    self.name(close)?;
                    open.push(close);
                    continue;
                }
            } else {
                self.leaf()?;
            }
            self.space();
            while let Some(&close) = open.last() {
                if self.eats(b',') {
                    self.space();
                    self.name(close)?;
                    break;
                }
                self.need(close)?;
                self.space();
                open.pop();
            }
            if open.is_empty() {
                return Some(());
            }
        }
    }

    /// If a container opens here, moves past its bracket and returns the closing bracket.
    fn opens(&mut self) -> Option<u8> {
        let close = match self.text.get(self.at)? {
            b'[' => b']',
            b'{' => b'}',
            _ => return None,
        };
        self.at += 1;
        Some(close)
    }

    fn name(&mut self, close: u8) -> Option<()> {
        if close == b'}' {
            self.string()?;
            self.space();
            self.need(b':')?;
        }
        Some(())
    }

    fn leaf(&mut self) -> Option<()> {
        for word in ["null", "true", "false"] {
            if self.text[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Some(());
            }
        }
        if self.text.get(self.at) == Some(&b'"') { self.string() } else { self.number() }
    }

    fn number(&mut self) -> Option<()> {
        self.eats(b'-');
        if !self.eats(b'0') {
            self.digits()?;
        }
        if self.eats(b'.') {
            self.digits()?;
        }
        if self.eats(b'e') || self.eats(b'E') {
            let _ = self.eats(b'+') || self.eats(b'-');
            self.digits()?;
        }
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        self.need(b'"')?;
        loop {
            let byte = *self.text.get(self.at)?;
            self.at += 1;
            match byte {
                b'"' => return Some(()),
                b'\\' => self.escape()?,
                0x20.. => {}
                _ => return None,
            }
        }
    }

    fn escape(&mut self) -> Option<()> {
        let byte = *self.text.get(self.at)?;
        self.at += 1;
        match byte {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(()),
            b'u' => {
                let digits = self.text.get(self.at..self.at + 4)?;
                self.at += 4;
                digits.iter().all(u8::is_ascii_hexdigit).then_some(())
            }
            _ => None,
        }
    }
}

/// Methods for single bytes.
impl Reader<'_> {
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn space(&mut self) {
        while self.text.get(self.at).is_some_and(|byte| b" \t\n\r".contains(byte)) {
            self.at += 1;
        }
    }

    fn eats(&mut self, byte: u8) -> bool {
        let eats = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(eats);
        eats
    }

    fn need(&mut self, byte: u8) -> Option<()> {
        self.eats(byte).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn accepts_exactly_json() {
        let json =
            ["0", "-0.5e+3", " [ 1 , {\"a\" : [ ] , \"b\":{}} ] ", r#""\u00e9\/""#, "1e99999"];
        json.iter().for_each(|text| assert_eq!(check(text), Ok(()), "{text}"));
        let none = [
            "",
            "01",
            "+1",
            "1.",
            ".5",
            "1e",
            "-",
            "nan",
            "[1,]",
            "[,1]",
            "{1:2}",
            "{\"a\"}",
            "[}",
            "\"\t\"",
            r#""\v""#,
            r#""\u12g4""#,
            "\"",
            "1 2",
            "[1",
            "{\"a\":1,}",
            "\u{A0}1",
        ];
        none.iter().for_each(|text| assert!(check(text).is_err(), "{text}"));
    }
}
