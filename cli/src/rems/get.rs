//! `gamewire get`: looks up paths in a save, through objects, lists and pointers.

mod missing;

use super::json::{document, print_with};
use super::{File, report};
use crate::args::Get;
use crate::ui::input::Stop;
use crate::ui::output::BareString;
use crate::ui::path::{Segment, parse, quote_if_needed, short};
use crate::ui::text::escaped;
use gamewire::rems::json::{Layout, Printer};
use gamewire::rems::{
    Component, Components, Item, Kind, Object, Pointers, Property, StrRef, Tape, Target, Type,
    Value,
};
use missing::Missing;
use std::fmt;
use std::io::Write;

/// Maximum number of names or classes that are collected for an error message. The message lists
/// some of them.
const MAX_NAMES: usize = 1000;

/// Prints the value at each path in a save. Returns `true` if all values were found and
/// well-formed.
pub fn get(args: &Get, name: &str, file: &File, out: &mut dyn Write) -> Result<bool, Stop> {
    if args.frame.is_some() {
        return Err(Stop::input("packages and saves have no frames (--frame)"));
    }
    let (tape, error) = file.tape()?;
    let mut slots = Vec::new();
    let pointers = tape.pointers(&mut slots);
    let save = Save { file, tape: &tape, pointers: &pointers };
    let mut ok = true;
    for path in args.paths() {
        let segments = parse(path).map_err(|fault| Stop::input(escaped(fault)))?;
        match save.find(&segments) {
            Ok(found) if args.raw => {
                let bytes = save.bytes(&found).ok_or_else(|| Stop::input(RAW))?;
                out.write_all(&bytes).map_err(Stop::Output)?;
            }
            Ok(found) => ok &= save.print(&found, args.json, name, out)?,
            Err((segment, missing)) => {
                out.flush().map_err(Stop::Output)?;
                missing::report(name, segment, &missing);
                ok = false;
            }
        }
    }
    match error {
        Some(error) => Err(Stop::input(file.refusal(error))),
        None => Ok(ok),
    }
}

const RAW: &str = "--raw writes the bytes of objects and values";

/// A save in memory.
struct Save<'s, 'a> {
    file: &'a File,
    tape: &'s Tape<'a>,
    pointers: &'s Pointers<'s, 'a>,
}

/// Target of a path.
#[derive(Clone, Debug)]
enum Found<'a> {
    /// The whole file.
    Roots,
    /// The first item of a value, given by its index.
    Item(usize),
    /// An element of an array.
    Value(Value<'a>),
    /// A column of a matrix, or a corner of a box.
    Column(Vec<Component<'a>>),
    /// A component, or the class, number or offset of an object.
    Component(Component<'a>),
    /// An element that a list of this type declares but omits.
    Omitted(Type<'a>),
}

impl<'a> Save<'_, 'a> {
    fn find<'p>(&self, path: &'p [Segment<'p>]) -> Result<Found<'a>, (&'p Segment<'p>, Missing)> {
        let mut found = Found::Roots;
        let mut last = None;
        for segment in path {
            found = self.step(&found, segment).map_err(|missing| (segment, missing))?;
            last = Some(segment);
        }
        match last {
            Some(segment) => self.followed(&found).map_err(|missing| (segment, missing)),
            None => Ok(found),
        }
    }

    fn step(&self, found: &Found<'a>, segment: &Segment<'_>) -> Result<Found<'a>, Missing> {
        let found = self.followed(found)?;
        match &found {
            Found::Roots => self.root(segment),
            Found::Item(at) => match self.tape.item(*at) {
                Some(Item::Object(object)) => self.in_object(*at, object, segment),
                Some(Item::List(list)) => {
                    let index = index(segment, list.len.into())?;
                    let child = self.tape.children(*at).nth(index);
                    Ok(child.map_or(Found::Omitted(list.ty), Found::Item))
                }
                Some(Item::Value(value)) => in_value(value, segment),
                _ => Err(Missing::Nothing),
            },
            Found::Value(value) => in_value(value, segment),
            Found::Column(parts) => {
                let at = part(segment, parts.len(), &["x", "y", "z", "w"])?;
                parts.get(at).map(|part| Found::Component(*part)).ok_or(Missing::Nothing)
            }
            Found::Omitted(list) if list.element().dim() > 0 => Err(Missing::Elements(0)),
            _ => Err(Missing::Nothing),
        }
    }

    /// Returns the target if `found` is a pointer. Returns anything else, and a pointer with the
    /// number 0, unchanged.
    fn followed(&self, found: &Found<'a>) -> Result<Found<'a>, Missing> {
        let pointer = match found {
            Found::Item(at) => self.tape.item(*at),
            _ => None,
        };
        match pointer {
            Some(Item::Pointer(0)) | None => Ok(found.clone()),
            Some(Item::Pointer(number)) => self.numbered(*number),
            Some(_) => Ok(found.clone()),
        }
    }

    fn numbered(&self, number: u64) -> Result<Found<'a>, Missing> {
        let object = match self.pointers.get(number) {
            Target::Object(object) | Target::Implied(object) => object,
            Target::Dangling => return Err(Missing::Dangling(number)),
        };
        self.tape.index_of(&object).map(Found::Item).ok_or(Missing::Dangling(number))
    }

    /// Finds a top-level object by its index or class, or any object by its number.
    fn root(&self, segment: &Segment<'_>) -> Result<Found<'a>, Missing> {
        let roots = self.tape.roots();
        if segment.index().is_some() {
            let found = roots.get(index(segment, roots.len() as u64)?);
            return found.map(|at| Found::Item(*at)).ok_or(Missing::Nothing);
        }
        let number = segment.text.strip_prefix('*').filter(|_| !segment.quoted);
        if let Some(number) = number.and_then(|number| number.parse().ok()) {
            return self.numbered(number);
        }
        let classes = roots.iter().filter_map(|at| match self.tape.item(*at) {
            Some(Item::Object(object)) => Some((*at, object.class)),
            _ => None,
        });
        let found: Vec<_> = (0_u64..)
            .zip(classes.clone())
            .filter(|(_, (_, class))| *class == *segment.text)
            .take(MAX_NAMES)
            .collect();
        match found.as_slice() {
            [(_, (at, _))] => Ok(Found::Item(*at)),
            [] => Err(Missing::Classes(names(classes.map(|(_, class)| class)))),
            several => Err(Missing::Several(
                several.iter().map(|(index, _)| format!("[{index}]")).collect(),
            )),
        }
    }

    /// Finds the value of a property, or the class, number or offset of the object. If several
    /// properties have the same name, the index in the segment selects one of them. Without an
    /// index, the last one is used, as in the engine.
    fn in_object(
        &self,
        at: usize,
        object: &Object<'a>,
        segment: &Segment<'_>,
    ) -> Result<Found<'a>, Missing> {
        let of_name = |property: &&(usize, Property<'a>)| property.1.name == *segment.text;
        let properties: Vec<_> = self.properties(at).collect();
        let mut found = properties.iter().filter(of_name);
        let found = match segment.array_index {
            Some(index) => usize::try_from(index).ok().and_then(|index| found.nth(index)),
            None => found.next_back(),
        };
        match (found, object.pointer) {
            (Some((at, _)), _) => match at.saturating_add(1) {
                value if value < self.tape.len() => Ok(Found::Item(value)),
                _ => Err(Missing::BrokenOff),
            },
            (None, _) if segment.is("class") => Ok(Found::Component(Component::Text(object.class))),
            (None, _) if segment.is("offset") => number(object.offset),
            (None, Some(pointer)) if segment.is("pointer") => number(pointer),
            _ => Err(Missing::Properties(names(properties.iter().map(|(_, it)| it.name)))),
        }
    }

    fn properties(&self, at: usize) -> impl Iterator<Item = (usize, Property<'a>)> {
        self.tape.children(at).filter_map(|at| match self.tape.item(at) {
            Some(Item::Property(property)) => Some((at, *property)),
            _ => None,
        })
    }

    /// Prints a target as `gamewire json` does, on one line if `json` is `true`. Otherwise prints a
    /// string without quotes. Reports malformed values, and returns `false` if there are any.
    fn print(
        &self,
        found: &Found<'a>,
        json: bool,
        name: &str,
        mut out: &mut dyn Write,
    ) -> Result<bool, Stop> {
        let print = |printer: &mut Printer<'_>| self.print_to(found, printer);
        let malformed = if json {
            let printed = print_with(&mut out, Layout::Compact, print);
            let ((), malformed) = printed.map_err(Stop::Output)?;
            out.write_all(b"\n").map_err(Stop::Output)?;
            malformed
        } else {
            let mut text = BareString::new(&mut out);
            let printed = print_with(&mut text, Layout::Pretty, print);
            let ((), malformed) = printed.map_err(Stop::Output)?;
            text.finish().map_err(Stop::Output)?;
            malformed
        };
        if !malformed.is_empty() {
            out.flush().map_err(Stop::Output)?;
        }
        report::malformed(name, self.file, &malformed);
        Ok(malformed.is_empty())
    }

    fn print_to(&self, found: &Found<'a>, printer: &mut Printer<'_>) -> fmt::Result {
        match found {
            Found::Roots => document(self.file, printer).map(drop),
            Found::Item(at) => {
                self.tape.subtree(*at).iter().try_for_each(|item| printer.item(item))?;
                printer.finish()
            }
            Found::Value(value) => printer.item(&Item::Value(*value)),
            Found::Column(components) => printer.components(components),
            Found::Component(component) => printer.component(component),
            Found::Omitted(list) => printer.omitted_element(*list),
        }
    }

    /// Returns the bytes of an object or a value as they are in the text or the binary stream. For
    /// a string, returns the decoded bytes instead. Returns `None` for other targets.
    fn bytes(&self, found: &Found<'a>) -> Option<Vec<u8>> {
        let value = match found {
            Found::Value(value) => value,
            Found::Item(at) => match self.tape.item(*at)? {
                Item::Value(value) => value,
                Item::Object(object) => {
                    let start = usize::try_from(object.offset).ok()?;
                    let end = usize::try_from(self.tape.end_offset(*at)?).ok()?;
                    return self.file.content().ok()?.get(start..end).map(<[u8]>::to_vec);
                }
                _ => return None,
            },
            _ => return None,
        };
        match value.text() {
            Ok(text) => Some(text.to_bytes().into_owned()),
            Err(_) => Some(value.raw().to_vec()),
        }
    }
}

/// Finds an element of an array, or a component of a vector, matrix or box.
fn in_value<'a>(value: &Value<'a>, segment: &Segment<'_>) -> Result<Found<'a>, Missing> {
    let malformed = |error: gamewire::rems::Error| Missing::Malformed(error.kind().to_string());
    if value.dim() > 0 {
        let array = value.array().map_err(malformed)?;
        let index = index(segment, array.len().into())?;
        // All omitted elements are equal, so the first one can stand for any of them.
        let written = array.iter().written().take(index).count();
        let element = array.iter().nth(index.min(written)).ok_or(Missing::Nothing)?;
        return element.map(Found::Value).map_err(malformed);
    }
    let components = Components::of(value).map_err(malformed)?;
    if components.single().is_some() {
        return Err(Missing::Nothing);
    }
    if let Some(mut columns) = components.columns() {
        let corners: &[_] = match value.kind() {
            Kind::Aabb | Kind::Aabbd => &["min", "max"],
            _ => &[],
        };
        let at = part(segment, value.kind().columns(), corners)?;
        return columns.nth(at).map(|it| Found::Column(it.to_vec())).ok_or(Missing::Nothing);
    }
    let at = part(segment, components.as_slice().len(), &["x", "y", "z", "w"])?;
    components.as_slice().get(at).map(|part| Found::Component(*part)).ok_or(Missing::Nothing)
}

/// Returns the index of a component or column, given by its name or index.
fn part(segment: &Segment<'_>, count: usize, names: &[&'static str]) -> Result<usize, Missing> {
    let named = names.iter().take(count).position(|name| segment.is(name));
    match (named, segment.index(), names) {
        (Some(at), ..) => Ok(at),
        (None, Some(_), _) => index(segment, count as u64),
        (None, None, []) => Err(Missing::Elements(count as u64)),
        (None, None, ["min", ..]) => Err(Missing::Parts("min, max")),
        (None, None, _) => Err(Missing::Parts(match count {
            2 => "x, y",
            3 => "x, y, z",
            _ => "x, y, z, w",
        })),
    }
}

/// Returns the index that a segment denotes in a list of `count` elements. Negative indices count
/// from the end.
fn index(segment: &Segment<'_>, count: u64) -> Result<usize, Missing> {
    let missing = Missing::Elements(count);
    let Some(index) = segment.index() else { return Err(missing) };
    let from_end = || count.checked_sub(index.unsigned_abs());
    let index = if index < 0 { from_end() } else { u64::try_from(index).ok() };
    let index = index.filter(|index| *index < count);
    index.and_then(|index| usize::try_from(index).ok()).ok_or(missing)
}

fn number<'a>(number: u64) -> Result<Found<'a>, Missing> {
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    Ok(Found::Component(Component::Int(number)))
}

fn names<'a>(names: impl Iterator<Item = StrRef<'a>>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for name in names.take(MAX_NAMES) {
        let name = quote_if_needed(&short(name));
        if !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}
