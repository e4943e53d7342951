//! Values on one line, for `show` and `diff`.

use crate::ui::style::{DIM, Styled, TEXT, TYPE};
use crate::ui::text::{Count, Name, Quoted};
use anstream::adapter::strip_str;
use gamewire::rems::{Component, Components, Error, Item, Kind, StrRef, Type, Value};
use std::fmt::{self, Display, Formatter, Write};

/// Approximate number of columns after which an array is truncated, unless `full` is `true`.
const MAX_COLUMNS: usize = 64;
/// Maximum number of omitted elements that are shown. It applies even if `full` is `true`, since a
/// small array can declare any number of them.
const MAX_OMITTED: usize = 256;

/// Formats a value without its type: `5`, `"text"`, `(1.0, 2.0)`, `[1, 2, 3]`.
///
/// # Errors
/// If the value is malformed.
pub fn value(value: &Value<'_>, full: bool) -> Result<String, Error> {
    if value.dim() > 0 {
        return array(value, full);
    }
    let components = Components::of(value)?;
    Ok(Inline { kind: value.kind(), components, full }.to_string())
}

fn array(value: &Value<'_>, full: bool) -> Result<String, Error> {
    let array = value.array()?;
    let mut text = String::from("[");
    let (mut omitted, mut columns) = (0_usize, 0_usize);
    for (index, element) in array.iter().enumerate() {
        let element = element?;
        omitted = omitted.saturating_add(element.is_omitted().into());
        let more = self::value(&element, full)?;
        let separator = if index == 0 { "" } else { ", " };
        let plain = strip_str(&more).to_string().chars().count();
        columns = columns.saturating_add(separator.len()).saturating_add(plain);
        if index > 0 && !full && columns > MAX_COLUMNS || omitted > MAX_OMITTED {
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
    components: Components<'a>,
    full: bool,
}

impl Display for Inline<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(single) = self.components.single() {
            return self.component(f, single);
        }
        let Some(columns) = self.components.columns() else {
            return self.tuple(f, self.components.as_slice());
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
    fn tuple(&self, f: &mut Formatter<'_>, parts: &[Component<'_>]) -> fmt::Result {
        f.write_char('(')?;
        for (index, part) in parts.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            self.component(f, part)?;
        }
        f.write_char(')')
    }

    fn component(&self, f: &mut Formatter<'_>, component: &Component<'_>) -> fmt::Result {
        match component {
            Component::Text(text) => quoted(*text, self.full).fmt(f),
            Component::Bool(value) => value.fmt(f),
            Component::Int(value) => value.fmt(f),
            Component::F32(real) => write!(f, "{real:?}"),
            Component::F64(real) => write!(f, "{real:?}"),
            Component::Color(color) => write!(f, "#{color:08x}"),
            Component::Char(unit) => match char::from_u32(u32::from(*unit)) {
                Some(char) => Styled(TEXT, format_args!("{char:?}")).fmt(f),
                None => write!(f, "{unit:#06x}"), // an unpaired surrogate
            },
        }
    }
}

/// Formats a string in quotes. Truncates a long string, unless `full` is `true`.
pub fn quoted(text: StrRef<'_>, full: bool) -> String {
    Styled(TEXT, Quoted { bytes: &text.to_bytes(), full }).to_string()
}

/// Formats a class or name. Adds quotes only if it is empty, long or has unusual characters.
pub fn name(text: StrRef<'_>) -> String {
    Name(&text.to_bytes()).to_string()
}

/// Formats the name of a type.
pub fn type_name(ty: Type<'_>) -> Styled<String> {
    let bare = match ty {
        Type::Class(class, _) => name(class),
        ty => return Styled(TYPE, ty.to_string()),
    };
    Styled(TYPE, format!("{bare}{}", "[]".repeat(ty.dim().into())))
}

/// Formats the type of a value.
pub fn kind_name(value: &Value<'_>) -> String {
    Type::Kind(value.kind(), value.dim()).to_string()
}

/// Approximate number of bytes after which an object or list is truncated, unless `full` is `true`.
const MAX_BYTES: usize = 400;

/// Formats a value, object or list without colours.
pub fn items(items: &[Item<'_>], full: bool) -> String {
    let mut text = String::new();
    let mut open = Vec::new();
    let mut is_first = true;
    for item in items {
        if !full && text.len() > MAX_BYTES {
            text.push('…');
            break;
        }
        let ends = matches!(item, Item::End);
        // No separator follows the name of a property.
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
