//! `schema`: a table with a line for each path.

use crate::ui::style::{BOLD, DIM, Styled, TYPE, WARNING};
use crate::ui::text::Count;
use gamewire::godot::Dialect;
use gamewire::godot::schema::{Facts, Row};
use std::io::{self, Write};

/// Maximum widths of the columns of paths and types. Wider cells are rare, and shift the remaining
/// columns of their line.
const PATH_COLUMNS: usize = 48;
const TYPE_COLUMNS: usize = 32;

pub fn print(rows: &[Row<'_>], dialect: Dialect, out: &mut impl Write) -> io::Result<()> {
    let lines: Vec<_> = rows.iter().map(|row| Line::new(row, dialect)).collect();
    let width = |text: fn(&Line) -> &str, most: usize| {
        let widths = lines.iter().map(|line| text(line).chars().count());
        widths.filter(|width| *width <= most).max().unwrap_or_default()
    };
    let path = width(|line| &line.path, PATH_COLUMNS);
    let presence = width(|line| &line.presence, PATH_COLUMNS);
    let types = width(|line| &line.types, TYPE_COLUMNS);
    for line in &lines {
        let Line { is_root, .. } = line;
        let (name, count) = if *is_root { (DIM, DIM) } else { (BOLD, WARNING) };
        write!(out, "{}  ", Styled(name, format_args!("{:<path$}", line.path)))?;
        write!(out, "{}  ", Styled(count, format_args!("{:<presence$}", line.presence)))?;
        if line.details.is_empty() {
            writeln!(out, "{}", Styled(TYPE, &line.types))?;
            continue;
        }
        let types = Styled(TYPE, format_args!("{:<types$}", line.types));
        writeln!(out, "{types}  {}", line.details)?;
    }
    Ok(())
}

/// The columns of a line.
struct Line {
    is_root: bool,
    path: String,
    presence: String,
    types: String,
    details: String,
}

impl Line {
    fn new(row: &Row<'_>, dialect: Dialect) -> Self {
        let (is_root, facts) = (row.path.is_empty(), row.shape.facts());
        Self {
            is_root,
            path: if is_root { "(packet)".into() } else { row.path.clone() },
            presence: match row.is_optional() {
                _ if is_root => Count(row.of, "packet").to_string(),
                true => format!("{} of {}", row.shape.seen(), row.of),
                false => String::new(),
            },
            types: types(facts, dialect),
            details: details(row, dialect),
        }
    }
}

/// Formats the types of the values at a path. If all values have the same type, returns only its
/// name, such as `int`. Otherwise, adds the number of values to each type, as in `14 int, 2 Nil`.
fn types(facts: &[Facts], dialect: Dialect) -> String {
    if let [facts] = facts {
        return type_name(facts, dialect);
    }
    let types = facts.iter().map(|facts| format!("{} {}", facts.seen(), type_name(facts, dialect)));
    types.collect::<Vec<_>>().join(", ")
}

/// Returns the engine's name of a type. If all values of the type declare the same element type,
/// the name includes it, as in `Array[int]`.
fn type_name(facts: &Facts, dialect: Dialect) -> String {
    let mut stated = facts.types().iter().filter(|text| text.starts_with('['));
    let stated = stated.next().filter(|_| facts.types().iter().len() == 1).unwrap_or_default();
    format!("{}{}", dialect.type_name(facts.kind()).unwrap_or("?"), stated.escape_debug())
}

/// Describes the values of each type.
fn details(row: &Row<'_>, dialect: Dialect) -> String {
    let facts = row.shape.facts();
    let mut details: Vec<_> = facts
        .iter()
        .map(|facts| (type_name(facts, dialect), facts.to_string()))
        .filter(|(_, details)| !details.is_empty())
        .map(|(name, details)| match row.shape.facts() {
            [_] => details,
            _ => format!("{name} {details}"),
        })
        .collect();
    if row.shape.is_cut() {
        details.push("and more".into());
    }
    details.join("; ")
}
