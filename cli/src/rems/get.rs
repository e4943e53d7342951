//! `gamewire get`: what a path leads to in a save, through objects, lists and pointers.

mod missing;

use super::File;
use super::atom::{Atom, Atoms, Text};
use super::json::Printer;
use super::tape::Tape;
use crate::args::Get;
use crate::ui::input::Stop;
use crate::ui::output::{BareString, terminal_safe};
use crate::ui::path::{Segment, parse, quote_if_needed, short};
use crate::ui::text::escaped;
use gamewire::rems::{Item, Kind, Object, Pointers, Property, Str, Target, Type, Value};
use missing::{Missing, tell};
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use std::io::{self, Write};

/// How many names are kept, to tell of them.
const KEPT: usize = 1000;

/// Prints what is at each path in a save; whether it was there in all.
pub fn get<W: Write>(args: &Get, name: &str, file: &File, out: &mut W) -> Result<bool, Stop> {
    if args.frame.is_some() {
        return Err(Stop::input("packages and saves have no frames (--frame)"));
    }
    let tape = Tape::of(file)?;
    let mut slots = Vec::new();
    let pointers = tape.pointers(&mut slots).map_err(|error| Stop::input(file.refusal(error)))?;
    let save = Save { file, tape: &tape, pointers: &pointers };
    let mut fine = true;
    for path in args.paths() {
        let segments = parse(path).map_err(|fault| Stop::input(escaped(fault)))?;
        match save.find(&segments) {
            Ok(spot) if args.raw => {
                let bytes = save.bytes(&spot).ok_or_else(|| Stop::input(RAW))?;
                out.write_all(&bytes).map_err(Stop::Output)?;
            }
            Ok(spot) => fine &= save.print(&spot, args.json, name, out)?,
            Err((segment, missing)) => {
                out.flush().map_err(Stop::Output)?;
                tell(name, segment, &missing);
                fine = false;
            }
        }
    }
    match tape.end {
        Some(error) => Err(Stop::input(file.refusal(error))),
        None => Ok(fine),
    }
}

const RAW: &str = "--raw writes the bytes of objects and values";

/// A save to be led through.
struct Save<'s, 'a> {
    file: &'a File,
    tape: &'s Tape<'a>,
    pointers: &'s Pointers<'s, 'a>,
}

/// Where a path has led to.
#[derive(Clone, Debug)]
enum Spot<'a> {
    /// The file itself.
    Roots,
    /// An item, which begins a value.
    Item(usize),
    /// An element of an array.
    Value(Value<'a>),
    /// A column of a matrix, or a corner of a box.
    Parts(Vec<Atom<'a>>),
    Part(Atom<'a>),
    /// What an object says of itself.
    Text(Str<'a>),
    Number(u64),
    /// What a list declares and does not have.
    Unwritten(Type<'a>),
}

impl<'a> Save<'_, 'a> {
    fn find<'p>(&self, path: &'p [Segment<'p>]) -> Result<Spot<'a>, (&'p Segment<'p>, Missing)> {
        let mut spot = Spot::Roots;
        let mut last = None;
        for segment in path {
            spot = self.step(&spot, segment).map_err(|missing| (segment, missing))?;
            last = Some(segment);
        }
        match last {
            Some(segment) => self.followed(&spot).map_err(|missing| (segment, missing)),
            None => Ok(spot),
        }
    }

    fn step(&self, spot: &Spot<'a>, segment: &Segment<'_>) -> Result<Spot<'a>, Missing> {
        let spot = self.followed(spot)?;
        match &spot {
            Spot::Roots => self.root(segment),
            Spot::Item(at) => match self.tape.item(*at) {
                Some(Item::Object(object)) => self.in_object(*at, object, segment),
                Some(Item::List(list)) => {
                    let index = index(segment, list.len.into())?;
                    let found = self.tape.inside(*at).nth(index);
                    Ok(found.map_or_else(|| unwritten(list.ty), Spot::Item))
                }
                Some(Item::Value(value)) => in_value(value, segment),
                _ => Err(Missing::Nothing),
            },
            Spot::Value(value) => in_value(value, segment),
            Spot::Parts(parts) => {
                let at = part(segment, parts.len(), &["x", "y", "z", "w"])?;
                parts.get(at).map(|part| Spot::Part(*part)).ok_or(Missing::Nothing)
            }
            Spot::Unwritten(ty) if ty.dim() > 0 => Err(Missing::Elements(0)),
            _ => Err(Missing::Nothing),
        }
    }

    /// What a pointer leads to; anything else is where one is.
    fn followed(&self, spot: &Spot<'a>) -> Result<Spot<'a>, Missing> {
        let pointer = match spot {
            Spot::Item(at) => self.tape.item(*at),
            _ => None,
        };
        match pointer {
            Some(Item::Pointer(0)) | None => Ok(spot.clone()),
            Some(Item::Pointer(number)) => self.numbered(*number),
            Some(_) => Ok(spot.clone()),
        }
    }

    fn numbered(&self, number: u32) -> Result<Spot<'a>, Missing> {
        let object = match self.pointers.get(number) {
            Target::Object(object) | Target::Implied(object) => object,
            Target::Dangling => return Err(Missing::Dangling(number)),
        };
        self.tape.place(&object).map(Spot::Item).ok_or(Missing::Dangling(number))
    }

    /// An object of the file: by its index or class; any object: by its number.
    fn root(&self, segment: &Segment<'_>) -> Result<Spot<'a>, Missing> {
        let roots = &self.tape.roots;
        if segment.index().is_some() {
            let found = roots.get(index(segment, roots.len() as u64)?);
            return found.map(|at| Spot::Item(*at)).ok_or(Missing::Nothing);
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
            .take(KEPT)
            .collect();
        match found.as_slice() {
            [(_, (at, _))] => Ok(Spot::Item(*at)),
            [] => Err(Missing::Classes(names(classes.map(|(_, class)| class)))),
            several => Err(Missing::Several(
                several.iter().map(|(index, _)| format!("[{index}]")).collect(),
            )),
        }
    }

    /// The value of a property, of several of that name the last, as for an engine; or what the
    /// object says of itself.
    fn in_object(
        &self,
        at: usize,
        object: &Object<'a>,
        segment: &Segment<'_>,
    ) -> Result<Spot<'a>, Missing> {
        let of_name = |property: &&(usize, Property<'a>)| property.1.name == *segment.text;
        let properties: Vec<_> = self.properties(at).collect();
        let mut found = properties.iter().filter(of_name);
        let found = match segment.array_index {
            Some(index) => usize::try_from(index).ok().and_then(|index| found.nth(index)),
            None => found.next_back(),
        };
        match (found, object.pointer) {
            (Some((at, _)), _) => match at.saturating_add(1) {
                value if value < self.tape.len() => Ok(Spot::Item(value)),
                _ => Err(Missing::BrokenOff),
            },
            (None, _) if segment.is("class") => Ok(Spot::Text(object.class)),
            (None, _) if segment.is("offset") => Ok(Spot::Number(object.offset)),
            (None, Some(pointer)) if segment.is("pointer") => Ok(Spot::Number(pointer.into())),
            _ => Err(Missing::Properties(names(properties.iter().map(|(_, it)| it.name)))),
        }
    }

    fn properties(&self, at: usize) -> impl Iterator<Item = (usize, Property<'a>)> {
        self.tape.inside(at).filter_map(|at| match self.tape.item(at) {
            Some(Item::Property(property)) => Some((at, *property)),
            _ => None,
        })
    }

    /// Prints it as `gamewire json` does; a text as it is, unless all has to be JSON.
    fn print<W: Write>(
        &self,
        spot: &Spot<'a>,
        json: bool,
        name: &str,
        out: &mut W,
    ) -> Result<bool, Stop> {
        let malformed = match json {
            true => {
                let mut printer = Printer::new(terminal_safe(out), CompactFormatter);
                self.put(spot, &mut printer).map_err(Stop::Output)?;
                let malformed = printer.malformed;
                out.write_all(b"\n").map_err(Stop::Output)?;
                malformed
            }
            false => {
                let mut text = BareString::new(out);
                let mut printer = Printer::new(&mut text, PrettyFormatter::new());
                self.put(spot, &mut printer).map_err(Stop::Output)?;
                let malformed = printer.malformed;
                text.finish().map_err(Stop::Output)?;
                malformed
            }
        };
        if !malformed.is_empty() {
            out.flush().map_err(Stop::Output)?;
        }
        malformed.tell(name, self.file);
        Ok(malformed.is_empty())
    }

    fn put<W: Write, F: Formatter>(
        &self,
        spot: &Spot<'a>,
        printer: &mut Printer<W, F>,
    ) -> io::Result<()> {
        match spot {
            Spot::Roots => printer.document(self.file).map(drop),
            Spot::Item(at) => {
                let items = self.tape.items(*at);
                items.iter().try_for_each(|item| printer.item(*item))?;
                printer.break_off()
            }
            Spot::Value(value) => printer.item(Item::Value(*value)),
            Spot::Parts(parts) => printer.whole(parts),
            Spot::Part(atom) => printer.whole(atom),
            Spot::Text(text) => printer.whole(&Text(*text)),
            Spot::Number(number) => printer.whole(number),
            Spot::Unwritten(ty) if ty.dim() > 0 => printer.whole(&[(); 0]),
            Spot::Unwritten(Type::Kind(..)) => printer.whole(""),
            Spot::Unwritten(_) => printer.whole(&()),
        }
    }

    /// The bytes of an object or value as they lie in the file; of a text what it stands for.
    fn bytes(&self, spot: &Spot<'a>) -> Option<Vec<u8>> {
        let value = match spot {
            Spot::Value(value) => value,
            Spot::Item(at) => match self.tape.item(*at)? {
                Item::Value(value) => value,
                Item::Object(object) => {
                    let start = usize::try_from(object.offset).ok()?;
                    let end = usize::try_from(self.tape.behind(*at)?).ok()?;
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

/// What is in an array, a vector, a matrix or a box.
fn in_value<'a>(value: &Value<'a>, segment: &Segment<'_>) -> Result<Spot<'a>, Missing> {
    let malformed = |error: gamewire::rems::Error| Missing::Malformed(error.kind().to_string());
    if value.dim() > 0 {
        let array = value.array().map_err(malformed)?;
        let index = index(segment, array.len().into())?;
        // The first that is not written is as all that follow it.
        let written = array.iter().written().take(index).count();
        let element = array.iter().nth(index.min(written)).ok_or(Missing::Nothing)?;
        return element.map(Spot::Value).map_err(malformed);
    }
    let atoms = Atoms::of(value).map_err(malformed)?;
    if atoms.single().is_some() {
        return Err(Missing::Nothing);
    }
    if let Some(mut columns) = atoms.columns() {
        let corners: &[_] = match value.kind() {
            Kind::Aabb | Kind::Aabbd => &["min", "max"],
            _ => &[],
        };
        let at = part(segment, value.kind().columns(), corners)?;
        return columns.nth(at).map(|it| Spot::Parts(it.to_vec())).ok_or(Missing::Nothing);
    }
    let at = part(segment, atoms.parts().len(), &["x", "y", "z", "w"])?;
    atoms.parts().get(at).map(|part| Spot::Part(*part)).ok_or(Missing::Nothing)
}

/// Which of the parts it is, by its name or index.
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

/// Which of so many elements it is.
fn index(segment: &Segment<'_>, count: u64) -> Result<usize, Missing> {
    let missing = Missing::Elements(count);
    let Some(index) = segment.index() else { return Err(missing) };
    let from_end = || count.checked_sub(index.unsigned_abs());
    let index = if index < 0 { from_end() } else { u64::try_from(index).ok() };
    let index = index.filter(|index| *index < count);
    index.and_then(|index| usize::try_from(index).ok()).ok_or(missing)
}

fn unwritten<'a>(list: Type<'a>) -> Spot<'a> {
    Spot::Unwritten(match list {
        Type::Kind(kind, dim) => Type::Kind(kind, dim.saturating_sub(1)),
        Type::Class(class, dim) => Type::Class(class, dim.saturating_sub(1)),
        Type::Mixed(dim @ 2..) => Type::Mixed(dim.saturating_sub(1)),
        _ => Type::Object,
    })
}

fn names<'a>(names: impl Iterator<Item = Str<'a>>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for name in names.take(KEPT) {
        let name = quote_if_needed(&short(name));
        if !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}
