//! Values on one line, as `show` and `diff` print them.

use super::atom::{Atom, Atoms, char_of};
use crate::style::{DIM, Styled, TEXT, TYPE};
use crate::text::{Count, Name, Quoted};
use gamewire::rems::{Error, Kind, Str, Type, Value};
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
    let mut unwritten = 0_usize;
    for (index, element) in array.iter().enumerate() {
        let element = element?;
        unwritten = unwritten.saturating_add(element.is_initial().into());
        let more = self::value(&element, full)?;
        let separator = if index == 0 { "" } else { ", " };
        let columns = text.len().saturating_add(separator.len()).saturating_add(more.len());
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
