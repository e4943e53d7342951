//! A table with typed cells, printed as aligned text or as CSV.

use crate::ui::style::{DIM, Styled};
use crate::ui::text::escaped;
use std::io::{self, Write};

/// The content of a cell.
#[derive(Clone, Debug)]
pub enum Cell {
    Text(String),
    Number(i64),
    /// A number with one decimal place.
    Rate(f64),
    /// A fraction of a whole. Printed in percent, except in CSV.
    Share(f64),
    None,
}

/// A table. The first column is text, all others are numbers.
#[derive(Debug)]
pub struct Table {
    pub heads: Vec<&'static str>,
    pub rows: Vec<Vec<Cell>>,
    /// The last row, with the sums of the columns.
    pub total: Option<Vec<Cell>>,
}

impl Table {
    /// Prints the table with aligned columns.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let heads = self.heads.iter().map(|head| (*head).to_owned()).collect();
        let total = self.total.iter();
        let rows: Vec<Vec<String>> = self.rows.iter().chain(total).map(|row| texts(row)).collect();
        let widths: Vec<usize> = (0..self.heads.len())
            .map(|column| {
                let cells = [&heads].into_iter().chain(&rows).filter_map(|row| row.get(column));
                cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
            })
            .collect();
        writeln!(out, "\n{}", Styled(DIM, line(&heads, &widths)))?;
        rows.iter().try_for_each(|row| writeln!(out, "{}", line(row, &widths)))
    }

    /// Prints the table as comma-separated values (RFC 4180, with line feeds), without the total.
    /// Numbers have no units, and shares are fractions.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let heads: Vec<_> = self.heads.iter().map(|head| csv_head(head)).collect();
        writeln!(out, "{}", heads.join(","))?;
        for row in &self.rows {
            let fields: Vec<_> = row.iter().map(csv_field).collect();
            writeln!(out, "{}", fields.join(","))?;
        }
        Ok(())
    }
}

fn texts(row: &[Cell]) -> Vec<String> {
    let text = |cell: &Cell| match cell {
        Cell::Text(text) => escaped(text),
        Cell::Number(number) => number.to_string(),
        Cell::Rate(rate) => format!("{rate:.1}"),
        Cell::Share(share) => format!("{:.1} %", share * 100.0),
        Cell::None => String::new(),
    };
    row.iter().map(text).collect()
}

/// Joins the cells of a row. All but the first are aligned to the right.
fn line(cells: &[String], widths: &[usize]) -> String {
    let mut line = String::from("  ");
    for (index, (cell, width)) in cells.iter().zip(widths).enumerate() {
        match index {
            0 => line.push_str(&format!("{cell:<width$}")),
            _ => line.push_str(&format!("  {cell:>width$}")),
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// Returns the name of a column in CSV: `bytes_per_packet` for the heading `bytes/packet`.
fn csv_head(head: &str) -> String {
    head.replace('/', "_per_").replace(' ', "_").to_lowercase()
}

fn csv_field(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => {
            let text = escaped(text);
            match text.contains(['"', ',']) {
                true => format!("\"{}\"", text.replace('"', "\"\"")),
                false => text,
            }
        }
        Cell::Number(number) => number.to_string(),
        Cell::Rate(rate) => format!("{rate:.3}"),
        Cell::Share(share) => format!("{share:.6}"),
        Cell::None => String::new(),
    }
}
