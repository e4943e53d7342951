//! Prints values without items, and the declared types of containers. Allocates nothing.

use super::Style;
use super::keywords::{self, full_escape, short_escape};
use crate::godot::table::dialect::Rules;
use crate::godot::types::object::{ENCODED_OBJECT_AS_ID, OBJECT_ID};
use crate::godot::types::parts::Part;
use crate::godot::{Dialect, Kind, NodePathRef, ObjectRef, StrRef, TypeRef, VariantRef};
use core::fmt::{self, Write};

/// Prints a value without items as the dialect's engine does. Prints a container as empty and a
/// full object as null, as the engine does below its deepest level.
pub(crate) fn leaf(out: &mut impl Write, value: &VariantRef<'_>, dialect: Dialect) -> fmt::Result {
    let rules = dialect.rules();
    match *value {
        VariantRef::Nil => out.write_str(keywords::NULL),
        VariantRef::Bool(_) | VariantRef::Int(_) => {
            value.parts(&mut |part| bare_part(out, part, rules))
        }
        VariantRef::Float(value) => Style::of(rules.dialect).numbers.float(out, value),
        VariantRef::String(text) => quote(out, [text], short_escape, rules),
        VariantRef::StringName(text) => {
            out.write_char('&')?;
            quote(out, [text], escape(rules), rules)
        }
        VariantRef::NodePath(path) => {
            write!(out, "{}(", name(value.kind(), dialect))?;
            let loses_root = loses_root(path, rules);
            let pieces = path.pieces().filter(|_| !loses_root);
            quote(out, pieces, escape(rules), rules)?;
            out.write_char(')')
        }
        VariantRef::Object(ObjectRef::Id(id)) if id != 0 => object_id(out, id),
        VariantRef::Object(_) => out.write_str(keywords::NULL),
        VariantRef::Array(_) => out.write_str("[]"),
        VariantRef::Dictionary(_) => out.write_str("{}"),
        VariantRef::Rid(_) if !Style::of(rules.dialect).rids => Ok(()),
        _ => named(out, value, rules),
    }
}

/// Returns `true` for the path `/` in a dialect whose engine turns it into an empty path.
pub(super) fn loses_root(path: NodePathRef<'_>, rules: &Rules) -> bool {
    let mut parts = path.names().chain(path.subnames()).chain(path.property());
    path.is_absolute() && !Style::of(rules.dialect).root_path && parts.next().is_none()
}

/// Prints the name of the value's type, and its parts in parentheses.
fn named(out: &mut impl Write, value: &VariantRef<'_>, rules: &Rules) -> fmt::Result {
    let pad = Style::of(rules.dialect).pad;
    write!(out, "{}({pad}", name(value.kind(), rules.dialect))?;
    let mut comma = false;
    parts(value, &mut |part| {
        if core::mem::replace(&mut comma, true) {
            out.write_str(", ")?;
        }
        bare_part(out, part, rules)
    })?;
    write!(out, "{pad})")
}

/// Calls `to` with each part that is printed between the parentheses.
fn parts<'a>(value: &VariantRef<'a>, to: &mut impl FnMut(Part<'a>) -> fmt::Result) -> fmt::Result {
    match value {
        // The engine prints `Signal()` for every signal. It prints `RID()` if the id is 0.
        VariantRef::Signal(_) | VariantRef::Rid(Some(0)) => Ok(()),
        _ => value.wire_parts(to),
    }
}

fn bare_part(out: &mut impl Write, part: Part<'_>, rules: &Rules) -> fmt::Result {
    match part {
        Part::Bool(value) => write!(out, "{value}"),
        Part::Int(value) => write!(out, "{value}"),
        Part::Id(value) => write!(out, "{}", value.cast_signed()),
        Part::Real(value) => Style::of(rules.dialect).numbers.part(out, value),
        Part::Text(text) => quote(out, [text], escape(rules), rules),
        Part::Path(path) => quote(out, path.pieces(), escape(rules), rules),
    }
}

/// Returns the name of a type in a dialect. If the dialect lacks the type, returns its name in
/// Godot 4. If Godot 4 lacks it as well, returns its name in the first dialect that has it.
pub(super) fn name(kind: Kind, dialect: Dialect) -> &'static str {
    let mut dialects = [dialect, Dialect::Godot4].into_iter().chain(Dialect::ALL.iter().copied());
    dialects.find_map(|dialect| dialect.type_name(kind)).unwrap_or_default()
}

/// Prints the declared types of an array or a dictionary in brackets. Prints nothing for an untyped
/// container.
pub(crate) fn types(
    out: &mut impl Write,
    first: TypeRef<'_>,
    second: Option<TypeRef<'_>>,
    dialect: Dialect,
) -> fmt::Result {
    if !is_declared(first) && !second.is_some_and(is_declared) {
        return Ok(());
    }
    out.write_char('[')?;
    type_of(out, first, dialect)?;
    if let Some(second) = second {
        out.write_str(", ")?;
        type_of(out, second, dialect)?;
    }
    out.write_char(']')
}

/// Returns `true` for a declared type. The engines treat the type Nil as untyped.
pub(super) fn is_declared(of: TypeRef<'_>) -> bool {
    !matches!(of, TypeRef::Untyped | TypeRef::Builtin(Kind::Nil))
}

fn type_of(out: &mut impl Write, of: TypeRef<'_>, dialect: Dialect) -> fmt::Result {
    match of {
        TypeRef::Untyped | TypeRef::Builtin(Kind::Nil) => out.write_str(keywords::VARIANT),
        TypeRef::Builtin(kind) => out.write_str(name(kind, dialect)),
        TypeRef::Class(class) => raw(out, class, dialect),
        TypeRef::Script(path) => resource(out, path, dialect),
    }
}

/// Prints a resource that is loaded from the file at `path`.
pub(super) fn resource(out: &mut impl Write, path: StrRef<'_>, dialect: Dialect) -> fmt::Result {
    write!(out, "{}(\"", keywords::RESOURCE)?;
    raw(out, path, dialect)?;
    out.write_str("\")")
}

/// Prints text without escapes, as the engine prints the names of classes and properties, and the
/// paths of resources.
pub(super) fn raw(out: &mut impl Write, text: StrRef<'_>, dialect: Dialect) -> fmt::Result {
    text.show(dialect.rules().text, &mut |piece| out.write_str(piece))
}

/// Prints an object that is encoded as an id. The engine reads it as a new object of the class
/// `EncodedObjectAsID`, which is therefore printed here.
fn object_id(out: &mut impl Write, id: u64) -> fmt::Result {
    let (null, id) = (keywords::NULL, id.cast_signed());
    writeln!(
        out,
        "Object({ENCODED_OBJECT_AS_ID},\"{OBJECT_ID}\":{id},\"{}\":{null})",
        keywords::SCRIPT
    )
}

type Escape = fn(char) -> Option<&'static str>;

/// Returns the escapes for text that is not a String.
fn escape(rules: &Rules) -> Escape {
    match Style::of(rules.dialect).question_mark {
        true => full_escape,
        false => |character| full_escape(character).filter(|_| character != '?'),
    }
}

fn quote<'a>(
    out: &mut impl Write,
    texts: impl IntoIterator<Item = StrRef<'a>>,
    escape: Escape,
    rules: &Rules,
) -> fmt::Result {
    out.write_char('"')?;
    for text in texts {
        text.show(rules.text, &mut |piece| escaped(out, piece, escape))?;
    }
    out.write_char('"')
}

fn escaped(out: &mut impl Write, text: &str, escape: Escape) -> fmt::Result {
    for piece in text.split_inclusive(|character| escape(character).is_some()) {
        let mut plain = piece.chars();
        match plain.next_back().and_then(escape) {
            Some(escaped) => write!(out, "{}{escaped}", plain.as_str())?,
            None => out.write_str(piece)?,
        }
    }
    Ok(())
}
