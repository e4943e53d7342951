//! `gamewire show`: statistics of a save, and its objects as a tree.

use super::scan::{Numbering, Scan, UpToError, pointers};
use super::{File, inline};
use crate::ui::input::Stop;
use crate::ui::style::{BOLD, DIM, ERROR, PLAIN, Styled, TYPE, WARNING};
use crate::ui::table::{self, Cell, field, table};
use crate::ui::text::{Count, Name};
use gamewire::rems::{
    FileFormat, Item, ItemSource, List, Object, Pointers, Property, Tables, Target, Type, Value,
};
use std::cmp::Reverse;
use std::io::{self, Write};

/// Prints a save up to the first error. Returns `true` if it is well-formed.
pub fn show(file: &File, full: bool, out: &mut dyn Write) -> Result<bool, Stop> {
    let mut slots = Vec::new();
    let refused = |error| Stop::input(file.refusal(error));
    file.content().map_err(refused)?;
    let pointers = pointers(file, &mut slots).map_err(refused)?;
    let scan = Scan::of(file, &pointers);
    let rows = if full { usize::MAX } else { table::ROWS };
    head(file, &scan, out).map_err(Stop::Output)?;
    classes(&scan, rows, out).map_err(Stop::Output)?;
    let mut tree =
        Tree { file, pointers: &pointers, full, rows, left_out: 0, open: Vec::new(), out };
    tree.print(&scan).map_err(Stop::Output)?;
    scan.end.map_or(Ok(scan.malformed.is_empty()), |error| Err(refused(error)))
}

fn head(file: &File, scan: &Scan<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{} {}", Styled(BOLD, "Rem's Engine"), file.format.name())?;
    field(out, "size", Count(file.size as u64, "byte"))?;
    if let (FileFormat::Container, Ok(bytes)) = (file.format, &file.bytes) {
        field(out, "decompressed", Count(bytes.len() as u64, "byte"))?;
    }
    match (file.format, scan.numbering) {
        (FileFormat::Text, None) => {}
        (FileFormat::Text, Some(Numbering::May2020)) => {
            field(out, "written", "in May 2020 (the numbers of objects are their uuids)")?;
        }
        (FileFormat::Text, Some(Numbering::Until2022)) => {
            field(out, "written", "until 2022 (not every object has a number)")?;
        }
        (FileFormat::Text, Some(Numbering::Since2023)) => {
            field(out, "written", "since 2023 (every object has a number)")?;
        }
        _ if file.is_era_given => field(out, "era", format_args!("{}, as given", file.era.name()))?,
        _ => field(out, "era", format_args!("{}, the latest that fits", file.era.name()))?,
    }
    let roots = Count(scan.roots, "root");
    field(out, "objects", format_args!("{} ({roots})", scan.objects))?;
    field(out, "properties", scan.properties)?;
    let unusual = [
        (scan.dangling.count(), "leading nowhere"),
        (scan.implied.count(), "to objects without a number"),
        (scan.duplicates.count(), "objects with the number of a later one"),
    ];
    let unusual = unusual.into_iter().filter(|(count, _)| *count > 0);
    let unusual = unusual.map(|(count, what)| format!(", {count} {what}")).collect::<String>();
    field(out, "pointers", format_args!("{}{unusual}", scan.pointers))?;
    scan.trailing.iter().try_for_each(|trailing| field(out, "ignored", trailing))
}

/// Prints the classes, in descending order of their number of objects.
fn classes(scan: &Scan<'_>, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut classes: Vec<_> = scan.classes.iter().collect();
    classes.sort_by_key(|(_, count)| Reverse(**count));
    let lines = || {
        classes.iter().map(|(class, count)| {
            [Cell(PLAIN, count.to_string()), Cell(TYPE, Name(class).to_string())]
        })
    };
    table("classes", ["objects", "class"], classes.len(), lines, rows, out)
}

/// A printer of objects and their properties, with one line for each.
struct Tree<'s, 'a> {
    file: &'a File,
    pointers: &'s Pointers<'s, 'a>,
    full: bool,
    /// Number of further lines that the limit allows.
    rows: usize,
    /// Number of lines that were not printed because of the limit.
    left_out: usize,
    /// For each open list, the index of the next element; `None` for an open object.
    open: Vec<Option<u64>>,
    out: &'s mut dyn Write,
}

/// Maximum depth that is shown by indentation. Deeper lines print the number of their level
/// instead, as for packets.
const MAX_INDENT: usize = 16;

impl<'a> Tree<'_, 'a> {
    fn print(&mut self, scan: &Scan<'a>) -> io::Result<()> {
        if scan.objects == 0 {
            return self.out.flush();
        }
        writeln!(self.out, "\n{} {}", Styled(BOLD, "objects"), Styled(DIM, scan.objects))?;
        let columns = self.file.content().map_or(0, <[u8]>::len).to_string().len().max(6);
        writeln!(self.out, "  {}", Styled(DIM, format_args!("{:>columns$}", "offset")))?;
        let mut tables = Tables::new();
        let mut items = self.file.read(&mut tables);
        let mut items = UpToError { items: &mut items, error: None };
        let mut property = None;
        self.open.push(Some(0));
        loop {
            let offset = items.offset();
            let Ok(Some(item)) = items.next() else { break };
            self.item(item, offset, columns, &mut property)?;
        }
        if let Some(Property { offset, .. }) = property.filter(|_| self.rows > 0) {
            self.line(offset, columns, property, "")?; // the property at which the file ends
        }
        table::left_out(self.left_out, self.out)?;
        self.out.flush()
    }

    fn item(
        &mut self,
        item: Item<'a>,
        offset: u64,
        columns: usize,
        property: &mut Option<Property<'a>>,
    ) -> io::Result<()> {
        match item {
            Item::Property(of) => {
                *property = Some(of);
                return Ok(());
            }
            Item::End => {
                self.open.pop();
                return Ok(());
            }
            // The limit is reached, so the item need not be formatted.
            _ if self.rows == 0 => {
                self.left_out = self.left_out.saturating_add(1);
                *property = None;
                self.begin(&item);
                return Ok(());
            }
            _ => {}
        }
        let (offset, text) = match item {
            Item::Object(object) => (object.offset, heading(&object)),
            Item::List(list) => (offset, self.list(&list)),
            Item::Value(value) => (value.offset(), self.value(&value)),
            Item::Pointer(number) => (offset, self.pointer(number)),
            Item::Null => (offset, "null".into()),
            _ => return Ok(()),
        };
        let of = property.take();
        self.line(of.map_or(offset, |of| of.offset), columns, of, &text)?;
        self.begin(&item);
        Ok(())
    }

    fn begin(&mut self, item: &Item<'_>) {
        match item {
            Item::Object(_) => self.open.push(None),
            Item::List(_) => self.open.push(Some(0)),
            _ => {}
        }
    }

    /// Prints a line for a property with its value, or for an element.
    fn line(
        &mut self,
        offset: u64,
        columns: usize,
        of: Option<Property<'a>>,
        text: &str,
    ) -> io::Result<()> {
        let depth = self.open.len().saturating_sub(1);
        let before = match (of, self.open.last_mut()) {
            (Some(property), _) => {
                format!("{}: ", Styled(BOLD, inline::name(property.name)))
            }
            (None, Some(Some(index))) => {
                let before = format!("{} ", Styled(DIM, format_args!("[{index}]")));
                *index = index.saturating_add(1);
                before
            }
            (None, _) => String::new(),
        };
        self.rows = self.rows.saturating_sub(1);
        let offset = Styled(DIM, format_args!("{offset:>columns$}"));
        let indent = depth.min(MAX_INDENT).saturating_mul(2);
        let deep = if depth > MAX_INDENT { format!("depth {depth} > ") } else { String::new() };
        let line = format!("{before}{text}");
        writeln!(self.out, "  {offset}  {:indent$}{}{}", "", Styled(DIM, deep), line.trim_end())
    }

    fn list(&self, list: &List<'a>) -> String {
        let count = Styled(DIM, Count(list.len.into(), "element"));
        format!("{}, {count}", inline::type_name(list.ty))
    }

    fn value(&self, value: &Value<'a>) -> String {
        let ty = inline::type_name(Type::Kind(value.kind(), value.dim()));
        match inline::value(value, self.full) {
            Ok(text) => format!("{ty} {text}"),
            Err(error) => format!("{ty} {}", Styled(ERROR, self.file.refusal(error))),
        }
    }

    fn pointer(&self, number: u64) -> String {
        let target = match (number, self.pointers.get(number)) {
            (0, _) => return "*0".into(),
            (_, Target::Dangling) => {
                return format!("*{number} {}", Styled(WARNING, "no object has this number"));
            }
            (_, target) => target,
        };
        let class = target.object().map(|object| inline::name(object.class));
        let implied = match target {
            Target::Implied(_) => Styled(DIM, ", by counting").to_string(),
            _ => String::new(),
        };
        format!("*{number} → {}{implied}", Styled(TYPE, class.unwrap_or_default()))
    }
}

fn heading(object: &Object<'_>) -> String {
    let number =
        object.pointer.map(|number| format!(" {}", Styled(DIM, format_args!("*{number}"))));
    let class = Styled(TYPE, inline::name(object.class));
    format!("{class}{}", number.unwrap_or_default())
}
