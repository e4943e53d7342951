//! Text messages that are JSON.

/// Returns JSON without white space, or `None` if the text is not JSON or is nested too deeply.
/// Numbers, strings and the order of members stay as they are.
pub fn compact(text: &str) -> Option<String> {
    let mut parser = Parser { text: text.as_bytes(), pos: 0, out: Vec::new() };
    parser.space();
    parser.values()?;
    (parser.pos == text.len()).then(|| String::from_utf8(parser.out).ok())?
}

struct Parser<'t> {
    text: &'t [u8],
    pos: usize,
    out: Vec<u8>,
}

/// Maximum depth of containers.
const MAX_DEPTH: usize = 128;

impl Parser<'_> {
    fn peek(&self) -> u8 {
        self.text.get(self.pos).copied().unwrap_or(0)
    }

    fn space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\n' | b'\r') {
            self.pos += 1;
        }
    }

    /// Copies `len` bytes, and skips the white space after them.
    fn take(&mut self, len: usize) -> Option<()> {
        self.out.extend(self.text.get(self.pos..self.pos + len)?);
        self.pos += len;
        self.space();
        Some(())
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek() == byte).then(|| self.take(1))?
    }

    /// Copies a value.
    fn values(&mut self) -> Option<()> {
        // The closing brackets of the open containers.
        let mut open = Vec::new();
        loop {
            let close = match self.peek() {
                b'{' => b'}',
                b'[' => b']',
                _ => 0,
            };
            if close != 0 {
                self.take(1)?;
                open.push(close);
                if open.len() > MAX_DEPTH {
                    return None;
                }
                if self.peek() != close {
                    self.key(close)?;
                    continue;
                }
            } else {
                self.leaf()?;
            }
            loop {
                let Some(close) = open.last().copied() else { return Some(()) };
                if self.peek() == close {
                    self.take(1)?;
                    open.pop();
                    continue;
                }
                self.expect(b',')?;
                self.key(close)?;
                break;
            }
        }
    }

    /// Copies a key, if the container is an object.
    fn key(&mut self, close: u8) -> Option<()> {
        if close == b'}' {
            self.string()?;
            self.expect(b':')?;
        }
        Some(())
    }

    fn leaf(&mut self) -> Option<()> {
        let rest = self.text.get(self.pos..)?;
        for word in ["true", "false", "null"] {
            if rest.starts_with(word.as_bytes()) {
                return self.take(word.len());
            }
        }
        if self.peek() == b'"' { self.string() } else { self.number() }
    }

    fn string(&mut self) -> Option<()> {
        let rest = self.text.get(self.pos..).filter(|rest| rest.first() == Some(&b'"'))?;
        let mut len = 1;
        loop {
            match rest.get(len)? {
                b'"' => return self.take(len + 1),
                b'\\' => {
                    let digits = match rest.get(len + 1)? {
                        b'u' => rest.get(len + 2..len + 6)?,
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => &[],
                        _ => return None,
                    };
                    digits.iter().all(u8::is_ascii_hexdigit).then_some(())?;
                    len += 2 + digits.len();
                }
                0..0x20 => return None,
                _ => len += 1,
            }
        }
    }

    fn number(&mut self) -> Option<()> {
        let rest = self.text.get(self.pos..)?;
        let digits =
            |from: usize| rest.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
        let mut len = usize::from(rest.first() == Some(&b'-'));
        let whole = digits(len);
        let has_zero = rest.get(len) == Some(&b'0') && whole > 1;
        len += whole;
        if whole == 0 || has_zero {
            return None;
        }
        if rest.get(len) == Some(&b'.') {
            let places = digits(len + 1);
            (places > 0).then_some(())?;
            len += 1 + places;
        }
        if matches!(rest.get(len), Some(b'e' | b'E')) {
            len += 1 + usize::from(matches!(rest.get(len + 1), Some(b'+' | b'-')));
            let places = digits(len);
            (places > 0).then_some(())?;
            len += places;
        }
        self.take(len)
    }
}
