//! A slow second reader of configuration files. It follows the loop of the engine byte by byte, and
//! finds the ends of values with the crate's reader of the notation.

use gamewire::godot::Dialect;
use gamewire::godot::notation::Reading;

/// The section, the key and the text of the value of each entry.
pub type Entries = Vec<(String, String, String)>;

/// Returns the entries of a file, up to the first error. The bool is `false` after an error.
pub fn entries(text: &str, dialect: Dialect) -> (Entries, bool) {
    let (mut entries, mut section, mut rest) = (Vec::new(), String::new(), text);
    loop {
        match next(rest, dialect) {
            Ok(Part::End) => return (entries, true),
            Ok(Part::Section(name, after)) => {
                section = if name.is_empty() { section } else { name };
                rest = after;
            }
            Ok(Part::Entry(key, value, after)) => {
                entries.push((section.clone(), key, value.to_owned()));
                rest = after;
            }
            Err(Malformed) => return (entries, false),
        }
    }
}

struct Malformed;

enum Part<'t> {
    End,
    Section(String, &'t str),
    Entry(String, &'t str, &'t str),
}

fn next(text: &str, dialect: Dialect) -> Result<Part<'_>, Malformed> {
    let (mut what, mut at) = (String::new(), 0);
    while let Some(byte) = text.as_bytes().get(at).copied() {
        at += 1;
        match byte {
            b';' => match text[at..].find('\n') {
                Some(line) => at += line,
                None => return Ok(Part::End),
            },
            b'[' if what.is_empty() => return section(&text[at..], dialect),
            0..=32 => {}
            b'"' => {
                let (string, after) = first_value(&text[at - 1..], dialect).ok_or(Malformed)?;
                let string = format!("[{string}]").parse_as(dialect).ok_or(Malformed)?;
                (what, at) = (string, text.len() - after.len());
            }
            b'=' => {
                let (value, after) = first_value(&text[at..], dialect).ok_or(Malformed)?;
                return Ok(Part::Entry(what, value, after));
            }
            byte => what.push(char::from(byte)),
        }
    }
    Ok(Part::End)
}

fn section(text: &str, dialect: Dialect) -> Result<Part<'_>, Malformed> {
    let (mut name, mut is_escaping) = (String::new(), false);
    for (at, char) in text.char_indices() {
        match char {
            ']' if is_escaping && dialect == Dialect::Godot4 => {
                name.pop();
                name.push(']');
            }
            ']' => {
                let name = name.trim_matches(|char| char <= ' ').to_owned();
                return Ok(Part::Section(name, &text[at + 1..]));
            }
            char => name.push(char),
        }
        is_escaping = char == '\\';
    }
    Err(Malformed)
}

/// Returns the text of the first value, and the text after it.
fn first_value(text: &str, dialect: Dialect) -> Option<(&str, &str)> {
    let options = Reading::of(dialect).as_the_engine();
    let (_, mut rest) = options.read_first(text).ok()??;
    let text = skip_space(text);
    // `read_first` accepts these values without their closing parenthesis, as `str_to_var` does. In
    // a file, the parenthesis is required.
    if ["Callable", "Signal"].iter().any(|name| text.starts_with(name))
        && dialect == Dialect::Godot4
    {
        rest = skip_space(rest).strip_prefix(')')?;
    }
    let value = &text[..text.len() - rest.len()];
    let is_open = ["NodePath", "RID"].iter().any(|name| value.starts_with(name));
    (!is_open || value.ends_with(')')).then_some((value, rest))
}

/// Returns the text without the white space and the comments at its start.
fn skip_space(mut text: &str) -> &str {
    loop {
        text = text.trim_start_matches(|char| char <= ' ');
        match text.strip_prefix(';') {
            Some(comment) => text = comment.split_once('\n').map_or("", |(_, rest)| rest),
            None => return text,
        }
    }
}

trait ParseAs {
    /// Parses the text as an array of one String, and returns the content of this String.
    fn parse_as(&self, dialect: Dialect) -> Option<String>;
}

impl ParseAs for String {
    fn parse_as(&self, dialect: Dialect) -> Option<String> {
        let list = Reading::of(dialect).as_the_engine().read(self).ok()?;
        let [text] = &*list.as_array()?.items else { return None };
        Some(String::from_utf8_lossy(text.as_str()?.as_bytes()).into_owned())
    }
}
