//! Values on one line, as `show` and `diff` print them.

use super::atom::{Atom, Atoms, char_of};
use crate::ui::style::{DIM, Styled, TEXT, TYPE};
use crate::ui::text::{Count, Name, Quoted};
use anstream::adapter::strip_str;
use gamewire::rems::{Error, Item, Kind, Str, Type, Value};
use std::fmt::{self, Display, Formatter, Write};

/// About how many columns of an array are shown, unless all are asked for.
const SHORT: usize = 64;
/// How many elements of which nothing is written are shown even then: it may be any number.
const UNWRITTEN: usize = 256;

/// A value without its type: `5`, `"text"`, `(1.0, 2.0)`, `[1, 2, 3]`.
///
/// # Errors
/// If it is malformed.
pub fn value(value: &Value<'_>, full: bool) -> Result<String, Error> {
    if value.dim() > 0 {
        return array(value, full);
    }
    let atoms = Atoms::of(value)?;
    Ok(Inline { kind: value.kind(), atoms, full }.to_string())
}

fn array(value: &Value<'_>, full: bool) -> Result<String, Error> {
    let array = value.array()?;
    let mut text = String::from("[");
    let (mut unwritten, mut columns) = (0_usize, 0_usize);
    for (index, element) in array.iter().enumerate() {
        let element = element?;
        unwritten = unwritten.saturating_add(element.is_initial().into());
        let more = self::value(&element, full)?;
        let separator = if index == 0 { "" } else { ", " };
        let plain = strip_str(&more).to_string().chars().count();
        columns = columns.saturating_add(separator.len()).saturating_add(plain);
        if index > 0 && !full && columns > SHORT || unwritten > UNWRITTEN {
            let count = Count(array.len().into(), "element");
            let _ = write!(text, "{separator}{}", Styled(DIM, format_args!("… {count}")));
            break;
        }
        text.push_str(separator);
        text.push_str(&more);
    }
    text.push(']');
    Ok(text)
}

struct Inline<'a> {
    kind: Kind,
    atoms: Atoms<'a>,
    full: bool,
}

impl Display for Inline<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(atom) = self.atoms.single() {
            return self.atom(f, atom);
        }
        let Some(columns) = self.atoms.columns() else {
            return self.tuple(f, self.atoms.parts());
        };
        let is_box = matches!(self.kind, Kind::Aabb | Kind::Aabbd);
        let names = if is_box { ["min ", "max "].iter() } else { [].iter() };
        let mut names = names.copied();
        for (index, column) in columns.enumerate() {
            write!(f, "{}{}", if index == 0 { "" } else { " " }, names.next().unwrap_or_default())?;
            self.tuple(f, column)?;
        }
        Ok(())
    }
}

impl Inline<'_> {
    fn tuple(&self, f: &mut Formatter<'_>, parts: &[Atom<'_>]) -> fmt::Result {
        f.write_char('(')?;
        for (index, part) in parts.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            self.atom(f, part)?;
        }
        f.write_char(')')
    }

    fn atom(&self, f: &mut Formatter<'_>, atom: &Atom<'_>) -> fmt::Result {
        match atom {
            Atom::Text(text) => quoted(*text, self.full).fmt(f),
            Atom::Bool(value) => value.fmt(f),
            Atom::Int(value) => value.fmt(f),
            Atom::Single(real) => write!(f, "{real:?}"),
            Atom::Double(real) => write!(f, "{real:?}"),
            Atom::Color(color) => write!(f, "#{color:08x}"),
            Atom::Char(unit) => match char_of(*unit) {
                Some(char) => Styled(TEXT, format_args!("{char:?}")).fmt(f),
                None => write!(f, "{unit:#06x}"), // half a pair
            },
        }
    }
}

/// A text in quotes, cut off if it is long and not all is asked for.
pub fn quoted(text: Str<'_>, full: bool) -> String {
    Styled(TEXT, Quoted { bytes: &text.to_bytes(), full }).to_string()
}

/// A class or name, in quotes only if it is an unusual one.
pub fn name(text: Str<'_>) -> String {
    Name(&text.to_bytes()).to_string()
}

/// The name of a type.
pub fn type_name(ty: Type<'_>) -> Styled<String> {
    let bare = match ty {
        Type::Class(class, _) => name(class),
        ty => return Styled(TYPE, ty.to_string()),
    };
    Styled(TYPE, format!("{bare}{}", "[]".repeat(ty.dim().into())))
}

/// The type of a value.
pub fn kind_name(value: &Value<'_>) -> String {
    Type::Kind(value.kind(), value.dim()).to_string()
}

/// About how many bytes of what is in an object or list are printed, unless all are asked for.
const LONG: usize = 400;

/// A value, object or list on one line, without colours.
pub fn items(items: &[Item<'_>], full: bool) -> String {
    let mut text = String::new();
    let mut open = Vec::new();
    let mut is_first = true;
    for item in items {
        if !full && text.len() > LONG {
            text.push('…');
            break;
        }
        let ends = matches!(item, Item::End);
        // Behind the name of a property there is none.
        let separator = if is_first || ends { "" } else { ", " };
        text.push_str(separator);
        is_first = matches!(item, Item::Property(_) | Item::Object(_) | Item::List(_));
        match item {
            Item::Object(object) => {
                text.push_str(&format!("{} {{", name(object.class)));
                open.push("}");
            }
            Item::List(_) => {
                text.push('[');
                open.push("]");
            }
            Item::End => text.push_str(open.pop().unwrap_or_default()),
            Item::Property(property) => text.push_str(&format!("{}: ", name(property.name))),
            Item::Pointer(number) => text.push_str(&format!("*{number}")),
            Item::Value(value) => match self::value(value, full) {
                Ok(value) => text.push_str(&strip_str(&value).to_string()),
                Err(error) => text.push_str(&format!("({})", error.kind())),
            },
            _ => text.push_str("null"),
        }
    }
    text
}
