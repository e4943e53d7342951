//! Tables and fields, as `show` prints them for packages and saves.

use crate::ui::style::{BOLD, DIM, Styled, WARNING};
use anstyle::Style;
use std::fmt::Display;
use std::io::{self, Write};

/// Maximum number of rows that are printed without `--full`.
pub const ROWS: usize = 40;
/// Maximum width of a column. Wider cells are rare, and shift the remaining cells of their row.
const COLUMNS: usize = 40;

/// Prints a named value on a line.
pub fn field(out: &mut (impl Write + ?Sized), name: &str, value: impl Display) -> io::Result<()> {
    writeln!(out, "  {}  {value}", Styled(DIM, format_args!("{name:<16}")))
}

/// The style and the text of a table cell.
pub struct Cell(pub Style, pub String);

/// Prints up to `most` of `count` rows below a heading, or nothing if `count` is 0.
///
/// Numbers are aligned to the right. The last column is not padded. `rows` is called twice: first
/// for the widths of the columns, then for the output. The rows are not stored, since the rows for
/// a hostile file can take much more memory than the file.
pub fn table<const N: usize, I: Iterator<Item = [Cell; N]>>(
    name: &str,
    heads: [&str; N],
    count: usize,
    rows: impl Fn() -> I,
    most: usize,
    out: &mut (impl Write + ?Sized),
) -> io::Result<()> {
    if count == 0 {
        return Ok(());
    }
    writeln!(out, "\n{} {}", Styled(BOLD, name), Styled(DIM, count))?;
    let heads = || std::iter::once(heads.map(|head| Cell(DIM, head.into())));
    let mut widths = [0; N];
    for row in heads().chain(rows().take(most)) {
        for (width, Cell(_, text)) in widths.iter_mut().zip(row) {
            let columns = text.chars().take(COLUMNS).count();
            *width = columns.max(*width);
        }
    }
    let mut printed = 0_usize;
    for row in heads().chain(rows().take(most)) {
        let mut cells = row.iter().zip(widths).peekable();
        write!(out, " ")?;
        while let Some((Cell(style, text), width)) = cells.next() {
            let number = text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
            match (cells.peek().is_some(), number) {
                (false, _) => writeln!(out, " {}", Styled(*style, text))?,
                (_, true) => write!(out, " {} ", Styled(*style, format_args!("{text:>width$}")))?,
                _ => write!(out, " {} ", Styled(*style, format_args!("{text:<width$}")))?,
            }
        }
        printed = printed.saturating_add(1);
    }
    left_out(count.saturating_add(1).saturating_sub(printed), out)
}

/// Prints the number of rows that were not printed, if it is not 0.
pub fn left_out(more: usize, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    match more {
        0 => Ok(()),
        more => writeln!(out, "  {}", Styled(WARNING, format_args!("… and {more} more (--full)"))),
    }
}
