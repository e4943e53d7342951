//! A small reader of Godot's JSON, which deviates from the standard: strings contain raw control
//! characters, `\v` is an escape, infinity is `1e99999`, and lists may be nested more than a
//! thousand deep.

/// A JSON value. A number includes its text, because an f64 cannot represent every i64.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64, String),
    String(String),
    Array(Vec<Json>),
    /// The members in the order of the text, including repeated names.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Returns the value of the first member with this name, if this is an object that has one.
    pub fn get(&self, name: &str) -> Option<&Json> {
        let Json::Object(members) = self else {
            return None;
        };
        let mut found = members.iter().filter(|member| member.0 == name);
        found.next().map(|member| &member.1)
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&[Json]> {
        match self {
            Json::Array(items) => Some(items),
            _ => None,
        }
    }
}

/// Reads one value. Only white space may follow it. An error states the expected token and its
/// offset.
pub fn parse(text: &str) -> Result<Json, String> {
    let mut reader = Reader { text, at: 0 };
    let json = reader.value()?;
    reader.space();
    if reader.at < text.len() {
        return reader.expected("the end");
    }
    Ok(json)
}

/// A list or an object that is not closed yet. The reader keeps these in a list, because deep
/// nesting would overflow the call stack.
enum Open {
    Array(Vec<Json>),
    /// The complete members, and the name of the member that is being read.
    Object(Vec<(String, Json)>, String),
}

impl Open {
    fn push(&mut self, value: Json) {
        match self {
            Open::Array(items) => items.push(value),
            Open::Object(members, name) => members.push((std::mem::take(name), value)),
        }
    }

    fn close(self) -> Json {
        match self {
            Open::Array(items) => Json::Array(items),
            Open::Object(members, _) => Json::Object(members),
        }
    }

    fn bracket(&self) -> char {
        match self {
            Open::Array(_) => ']',
            Open::Object(..) => '}',
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

/// Methods for containers.
impl Reader<'_> {
    fn value(&mut self) -> Result<Json, String> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let Some(whole) = self.begin(&mut open)? else {
                continue;
            };
            if let Some(root) = self.settle(&mut open, whole)? {
                return Ok(root);
            }
        }
    }

    /// Reads a leaf or an empty container. Opens any other container, moves to its first child, and
    /// returns `None`.
    fn begin(&mut self, open: &mut Vec<Open>) -> Result<Option<Json>, String> {
        let mut container = if self.eat('[') {
            Open::Array(Vec::new())
        } else if self.eat('{') {
            Open::Object(Vec::new(), String::new())
        } else {
            return self.leaf().map(Some);
        };
        if self.eat(container.bracket()) {
            return Ok(Some(container.close()));
        }
        self.name(&mut container)?;
        open.push(container);
        Ok(None)
    }

    /// Adds a value to the innermost open container. Closes a container that is now complete, and
    /// adds it to its parent in the same way. Stops before the next child of a container.
    fn settle(&mut self, open: &mut Vec<Open>, mut value: Json) -> Result<Option<Json>, String> {
        while let Some(mut parent) = open.pop() {
            parent.push(value);
            if self.eat(',') {
                self.name(&mut parent)?;
                open.push(parent);
                return Ok(None);
            }
            self.need(parent.bracket())?;
            value = parent.close();
        }
        Ok(Some(value))
    }

    /// If the container is an object, reads the name of its next member and the colon.
    fn name(&mut self, container: &mut Open) -> Result<(), String> {
        if let Open::Object(_, name) = container {
            self.need('"')?;
            *name = self.string()?;
            self.need(':')?;
        }
        Ok(())
    }
}

/// Methods for leaves.
impl Reader<'_> {
    fn leaf(&mut self) -> Result<Json, String> {
        if self.eat('"') {
            return Ok(Json::String(self.string()?));
        }
        for (word, json) in
            [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))]
        {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(json);
            }
        }
        self.number()
    }

    fn number(&mut self) -> Result<Json, String> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit() && !"+-.eE".contains(c));
        let raw = &rest[..end.unwrap_or(rest.len())];
        let Ok(number) = raw.parse() else {
            return self.expected("a value");
        };
        let json = Json::Number(number, raw.to_owned());
        self.at += raw.len();
        Ok(json)
    }

    /// Reads a string after its opening quote. Any character but the quote and the backslash stands
    /// for itself.
    fn string(&mut self) -> Result<String, String> {
        let mut string = String::new();
        loop {
            match self.character()? {
                '"' => return Ok(string),
                '\\' => string.push(self.escape()?),
                other => string.push(other),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        Ok(match self.character()? {
            'b' => '\u{8}',
            'f' => '\u{C}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{B}',
            'u' => self.unicode()?,
            other => other,
        })
    }

    /// Reads the digits of a `\u` escape, and the second escape of a surrogate pair. Half a pair
    /// becomes U+FFFD.
    fn unicode(&mut self) -> Result<char, String> {
        let unit = self.four_digits()?;
        let pair = (0xD800..0xDC00).contains(&unit) && self.rest().starts_with("\\u");
        if !pair {
            return Ok(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.at += 2;
        let low = self.four_digits()?.wrapping_sub(0xDC00);
        let point = 0x10000 + ((unit - 0xD800) << 10 | (low & 0x3FF));
        Ok(char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn four_digits(&mut self) -> Result<u32, String> {
        let digits = self.rest().get(..4).unwrap_or_default();
        let Ok(unit) = u32::from_str_radix(digits, 16) else {
            return self.expected("four hexadecimal digits");
        };
        self.at += 4;
        Ok(unit)
    }
}

/// Methods for characters.
impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn character(&mut self) -> Result<char, String> {
        let Some(character) = self.rest().chars().next() else {
            return self.expected("a closing quote");
        };
        self.at += character.len_utf8();
        Ok(character)
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Skips white space, and then this character if it is next. Returns `true` if it was.
    fn eat(&mut self, character: char) -> bool {
        self.space();
        let next = self.rest().starts_with(character);
        if next {
            self.at += character.len_utf8();
        }
        next
    }

    fn need(&mut self, character: char) -> Result<(), String> {
        if self.eat(character) {
            return Ok(());
        }
        self.expected(&format!("{character:?}"))
    }

    fn expected<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("expected {what} at byte {}", self.at))
    }
}
