//! Files that are only listed: archives and containers of Unreal Engine, localized texts, asset
//! registries and mappings.

use crate::file::place::{Fault, Layout, Opening, Part, Place, Role, Row, Shape, Source, Splice};
use crate::file::text::{LABEL, SHORT, counted, limited};
use crate::unreal::fault;
use gamewire::unreal::compression::standard_codec;
use gamewire::unreal::iostore::Toc;
use gamewire::unreal::pak::{Entry, Index};
use gamewire::unreal::registry::Registry;
use gamewire::unreal::{Error, Locres, Mappings};
use std::ops::Range;

/// A format whose files are listed.
#[derive(Clone, Copy)]
pub enum Listed {
    Pak,
    Container,
    Texts,
    Registry,
    Mappings(&'static Mappings<'static>),
}

/// A row of the list.
#[derive(Default)]
struct Line {
    label: String,
    kind: String,
    text: String,
    bytes: Range<usize>,
    has_inside: bool,
    can_extract: bool,
}

/// A function that is called with lines, until it returns `false`.
type Each<'e> = dyn FnMut(Line) -> bool + 'e;

/// Maximum size of a file that is taken out of an archive, in bytes.
const LIMIT: u64 = 1 << 30;

fn size_text(size: u64) -> String {
    counted(size, "byte", "bytes")
}

/// Returns the range of a part of the file.
fn range(bytes: &[u8], part: &[u8]) -> Range<usize> {
    let start = (part.as_ptr() as usize).wrapping_sub(bytes.as_ptr() as usize);
    match bytes.get(start..start.wrapping_add(part.len())) {
        Some(_) => start..start + part.len(),
        None => 0..0,
    }
}

impl Listed {
    /// Calls `each` with the lines from `first` on, or with those inside of a line.
    fn lines(
        &self,
        bytes: &[u8],
        inside: Option<u64>,
        first: u64,
        each: &mut Each<'_>,
    ) -> Result<(), Error> {
        let first = usize::try_from(first).unwrap_or(usize::MAX);
        match *self {
            Self::Pak => {
                let index = Index::open(bytes)?;
                for entry in index.entries().skip(first) {
                    if !each(pak_line(&entry?)) {
                        break;
                    }
                }
            }
            Self::Container => return container(bytes, first, each),
            Self::Texts => return texts(bytes, inside, first, each),
            Self::Registry => {
                let registry = Registry::open(bytes)?;
                for asset in registry.assets().skip(first) {
                    let asset = asset?;
                    let name = format!("{}.{}", asset.package_name()?, asset.asset_name()?);
                    let at = asset.offset() as usize;
                    let line = Line {
                        label: limited(name, LABEL),
                        kind: limited(asset.class()?, SHORT),
                        text: counted(asset.tag_count() as u64, "tag", "tags"),
                        bytes: at..at,
                        ..Line::default()
                    };
                    if !each(line) {
                        break;
                    }
                }
            }
            Self::Mappings(mappings) => types(mappings, inside, first, each),
        }
        Ok(())
    }

    fn entry<'a>(bytes: &'a [u8], index: u64) -> Result<Option<Entry<'a>>, Error> {
        let archive = Index::open(bytes)?;
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        archive.entries().nth(index).transpose()
    }
}

fn pak_line(entry: &Entry<'_>) -> Line {
    let start = usize::try_from(entry.data_offset()).unwrap_or(0);
    let size = usize::try_from(entry.stored_size).unwrap_or(0);
    Line {
        label: limited(entry.path, LABEL),
        kind: if entry.is_encrypted { "encrypted".into() } else { "file".into() },
        text: if entry.is_deleted { "removed".into() } else { size_text(entry.size) },
        bytes: start..start.saturating_add(size),
        has_inside: false,
        can_extract: !entry.is_encrypted && !entry.is_deleted,
    }
}

fn container(bytes: &[u8], first: usize, each: &mut Each<'_>) -> Result<(), Error> {
    let toc = Toc::open(bytes)?;
    let line = |label: String, index: u32| {
        let chunk = toc.chunk(index).transpose()?;
        let text = chunk.map(|chunk| size_text(chunk.size)).unwrap_or_default();
        Ok::<_, Error>(Line { label, kind: "chunk".into(), text, ..Line::default() })
    };
    if !toc.has_paths() {
        for index in first..toc.count() as usize {
            if !each(line(format!("chunk {index}"), index as u32)?) {
                break;
            }
        }
        return Ok(());
    }
    for file in toc.files().skip(first) {
        let file = file?;
        if !each(line(limited(file.path, LABEL), file.chunk)?) {
            break;
        }
    }
    Ok(())
}

fn texts(
    bytes: &[u8],
    inside: Option<u64>,
    first: usize,
    each: &mut Each<'_>,
) -> Result<(), Error> {
    let locres = Locres::open(bytes)?.with_string_index();
    let mut namespaces = locres.namespaces();
    let Some(inside) = inside else {
        for namespace in namespaces.skip(first) {
            let namespace = namespace?;
            let line = Line {
                label: limited(namespace.key.text, LABEL),
                kind: "namespace".into(),
                text: counted(namespace.count().into(), "text", "texts"),
                bytes: range(bytes, namespace.key.text.bytes()),
                has_inside: namespace.count() > 0,
                can_extract: false,
            };
            if !each(line) {
                break;
            }
        }
        return Ok(());
    };
    let Some(namespace) = namespaces.nth(inside as usize).transpose()? else { return Ok(()) };
    for text in namespace.texts().skip(first) {
        let text = text?;
        let line = Line {
            label: limited(text.key.text, LABEL),
            kind: "text".into(),
            text: text.text.to_string(),
            bytes: range(bytes, text.text.bytes()),
            ..Line::default()
        };
        if !each(line) {
            break;
        }
    }
    Ok(())
}

fn types(
    mappings: &'static Mappings<'static>,
    inside: Option<u64>,
    first: usize,
    each: &mut Each<'_>,
) {
    let structs = mappings.structs().len();
    let row = inside.map(|inside| usize::try_from(inside).unwrap_or(usize::MAX));
    let line = |label: String, kind: &str, text: String, has_inside: bool| Line {
        label,
        kind: kind.into(),
        text,
        has_inside,
        ..Line::default()
    };
    let Some(row) = row else {
        for row in first..structs + mappings.enums().len() {
            let line = match (
                mappings.structs().nth(row),
                mappings.enums().nth(row.wrapping_sub(structs)),
            ) {
                (Some(of), _) => {
                    let parent = of.parent().map(|parent| format!("extends {}", parent.name()));
                    let has = of.properties().len() > 0;
                    line(limited(of.name(), LABEL), "struct", parent.unwrap_or_default(), has)
                }
                (None, Some(of)) => {
                    let count = of.entries().len();
                    let text = counted(count as u64, "entry", "entries");
                    line(limited(of.name(), LABEL), "enum", text, count > 0)
                }
                _ => break,
            };
            if !each(line) {
                break;
            }
        }
        return;
    };
    if let Some(of) = mappings.structs().nth(row) {
        for property in of.properties().skip(first) {
            let of = limited(property.of(), SHORT).replace("Property", "");
            if !each(line(limited(property.name(), LABEL), "property", of, false)) {
                return;
            }
        }
    } else if let Some(of) = mappings.enums().nth(row - structs) {
        for (name, value) in of.entries().skip(first) {
            if !each(line(limited(name, LABEL), "entry", value.to_string(), false)) {
                return;
            }
        }
    }
}

/// Returns the index of the line that the chain leads to.
fn line_of(chain: &[Place]) -> Option<u64> {
    chain.get(1).map(|place| place.index)
}

impl Source for Listed {
    fn open(&self, bytes: &[u8], chain: &[Place]) -> Option<Opening> {
        let place = chain.last()?;
        let opening = Opening {
            layout: Layout::Values,
            count: None,
            first: place.value.start,
            end: place.value.end,
            form: 0,
        };
        let can_open = match chain {
            [_] => true,
            [around, own] => {
                let rows =
                    self.rows(bytes, std::slice::from_ref(around), std::slice::from_ref(own));
                rows.first().is_some_and(|row| row.can_open)
            }
            _ => false,
        };
        can_open.then_some(opening)
    }

    fn walk(
        &self,
        bytes: &[u8],
        chain: &[Place],
        _: &Opening,
        (mut index, _): (u64, usize),
        each: &mut dyn FnMut(Place) -> bool,
    ) -> Result<(), Fault> {
        self.lines(bytes, line_of(chain), index, &mut |line| {
            let value = line.bytes.start.min(bytes.len())..line.bytes.end.min(bytes.len());
            let place = Place { role: Role::Element, index, key: 0..0, value, form: 0 };
            index += 1;
            each(place)
        })
        .map_err(fault)
    }

    fn rows(&self, bytes: &[u8], chain: &[Place], children: &[Place]) -> Vec<Row> {
        let Some(first) = children.first() else { return Vec::new() };
        let mut rows = Vec::new();
        let _ = self.lines(bytes, line_of(chain), first.index, &mut |line| {
            rows.push(Row {
                label: line.label,
                kind: line.kind,
                text: limited(line.text, SHORT),
                can_open: line.has_inside,
                can_extract: line.can_extract,
                shape: if line.has_inside { Shape::Object } else { Shape::Text },
                ..Row::default()
            });
            rows.len() < children.len()
        });
        rows.resize_with(children.len(), || Row { kind: "malformed".into(), ..Row::default() });
        rows
    }

    fn text(&self, bytes: &[u8], chain: &[Place], _: Part) -> String {
        let Some((place, around)) = chain.split_last() else { return String::new() };
        let mut text = String::new();
        let _ = self.lines(bytes, line_of(around), place.index, &mut |line| {
            text = line.text;
            false
        });
        text
    }

    fn edit(&self, _: &[u8], _: &[Place], _: Part, _: &str) -> Result<Vec<Splice>, Fault> {
        Err(Fault { text: "this file can only be read".into(), offset: 0 })
    }

    fn json(&self, bytes: &[u8], chain: &[Place], out: &mut String) -> Result<(), Fault> {
        crate::file::json::write(self, bytes, chain, out)
    }

    fn check(&self, bytes: &[u8], chain: &[Place]) -> Result<(), Fault> {
        crate::file::json::check(self, bytes, chain)
    }

    fn extract(&self, bytes: &[u8], chain: &[Place]) -> Result<Option<(String, Vec<u8>)>, Fault> {
        let (Self::Pak, Some(index)) = (self, line_of(chain)) else { return Ok(None) };
        let Some(entry) = Self::entry(bytes, index).map_err(fault)? else { return Ok(None) };
        let path = entry.path.to_string();
        let size = usize::try_from(entry.size.min(LIMIT)).unwrap_or(0);
        let mut file = vec![0; size];
        entry.decompress_into(bytes, &mut file, standard_codec).map_err(fault)?;
        Ok(Some((path.rsplit('/').next().unwrap_or_default().into(), file)))
    }
}
