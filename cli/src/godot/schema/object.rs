//! `schema --json`: a JSON object for each path.

use gamewire::godot::Dialect;
use gamewire::godot::json::Text;
use gamewire::godot::schema::{Facts, Items, Row, Span, Texts};
use std::fmt::Display;
use std::io::{self, Write};

pub fn print(rows: &[Row<'_>], dialect: Dialect, out: &mut impl Write) -> io::Result<()> {
    rows.iter().try_for_each(|row| print_row(row, dialect, out))
}

fn print_row(row: &Row<'_>, dialect: Dialect, out: &mut impl Write) -> io::Result<()> {
    let (seen, of) = (row.shape.seen(), row.of);
    write!(out, "{{\"path\":{},\"seen\":{seen},\"of\":{of},\"kinds\":[", Text(&row.path))?;
    separated(row.shape.facts(), out, |facts, out| print_facts(facts, dialect, out))?;
    let cut = if row.shape.is_cut() { ",\"cut\":true" } else { "" };
    writeln!(out, "]{cut}}}")
}

fn print_facts(facts: &Facts, dialect: Dialect, out: &mut impl Write) -> io::Result<()> {
    let name = dialect.type_name(facts.kind()).unwrap_or("?");
    write!(out, "{{\"type\":\"{name}\",\"seen\":{}", facts.seen())?;
    if facts.wide() > 0 {
        write!(out, ",\"wide\":{}", facts.wide())?;
    }
    if let Some(form) = form(facts.items()) {
        write!(out, ",\"form\":\"{form}\"")?;
    }
    if let Some(Span { min, max }) = facts.lens() {
        write!(out, ",\"len\":[{min},{max}]")?;
    }
    ranges("ints", facts.ints(), |int| int.to_string(), out)?;
    ranges("reals", facts.reals(), real, out)?;
    if facts.types().iter().any(|text| !text.is_empty()) {
        texts("types", facts.types(), out)?;
    }
    if facts.texts().iter().len() > 0 {
        texts("texts", facts.texts(), out)?;
    }
    if let (Items::Values(_), Some(keys)) = (facts.items(), facts.keys()) {
        out.write_all(b",\"keys\":[")?;
        separated(keys.facts(), out, |facts, out| print_facts(facts, dialect, out))?;
        out.write_all(b"]")?;
    }
    out.write_all(b"}")
}

/// Returns the name for the structure of a container, such as `list` or `record`.
fn form(items: &Items) -> Option<&'static str> {
    match items {
        Items::Places(_) => Some("tuple"),
        Items::Elements(_) => Some("list"),
        Items::Fields(_) => Some("record"),
        Items::Values(_) => Some("map"),
        _ => None,
    }
}

fn ranges<T: Copy>(
    member: &str,
    spans: &[Span<T>],
    number: impl Fn(T) -> String,
    out: &mut impl Write,
) -> io::Result<()> {
    if spans.is_empty() {
        return Ok(());
    }
    write!(out, ",\"{member}\":[")?;
    separated(spans, out, |span, out| write!(out, "[{},{}]", number(span.min), number(span.max)))?;
    out.write_all(b"]")
}

/// Formats a float. Infinity is written as in Godot's JSON.
fn real(value: f64) -> String {
    match value {
        f64::INFINITY => "1e99999".into(),
        f64::NEG_INFINITY => "-1e99999".into(),
        _ => format!("{value:?}"),
    }
}

/// Prints `member` with an array of strings. If the schema has not recorded all strings, also
/// prints a member with the value `true`. After the member `types`, for example, its name is
/// `more_types`.
fn texts(member: &str, texts: &Texts, out: &mut impl Write) -> io::Result<()> {
    write!(out, ",\"{member}\":[")?;
    separated(texts.iter(), out, |text, out| write!(out, "{}", Text(text)))?;
    let more = if texts.is_all() { "" } else { &format!(",\"more_{member}\":true") };
    write!(out, "]{more}")
}

fn separated<T, W: Write>(
    items: impl IntoIterator<Item = T>,
    out: &mut W,
    mut each: impl FnMut(T, &mut W) -> io::Result<()>,
) -> io::Result<()> {
    let mut separator: &dyn Display = &"";
    for item in items {
        write!(out, "{separator}")?;
        each(item, out)?;
        separator = &",";
    }
    Ok(())
}
