//! Formats figures for cells of tables.

use gamewire_bench_peers::results::Figure;

/// Stands for an operation that a peer lacks.
pub const NONE: &str = "–";

/// Formats a time with three significant digits.
pub fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "µs"),
        ns => (ns / 1e6, "ms"),
    };
    // The clock does not resolve tenths of nanoseconds.
    let digits = if unit == "ns" && value >= 9.995 { 0 } else { digits(value) };
    format!("{value:.digits$} {unit}")
}

/// Returns how many digits after the point make three significant ones, or two below 0.1.
fn digits(value: f64) -> usize {
    match value {
        value if value < 0.0995 => (1.0 - value.max(1e-9).log10().floor()) as usize,
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    }
}

pub fn ns(figure: Option<&Figure>) -> String {
    figure.map_or(NONE.into(), |figure| time(figure.ns))
}

/// Formats a ratio and its spread, as in `1.70 × (1.66–1.75)`. A ratio that was not measured in
/// rotations has no spread.
pub fn ratio(figure: Option<&Figure>) -> String {
    let Some([low, median, high]) = figure.and_then(|figure| figure.ratio) else {
        return NONE.into();
    };
    let digits = digits(median);
    if low == high {
        return format!("{median:.digits$} ×");
    }
    format!("{median:.digits$} × ({low:.digits$}–{high:.digits$})")
}

/// Formats only the median of a ratio.
pub fn median(figure: Option<&Figure>) -> String {
    let median = figure.and_then(|figure| figure.ratio).map(|[_, median, _]| median);
    median.map_or(NONE.into(), |median| format!("{median:.0$} ×", digits(median)))
}

pub fn bytes(figure: Option<&Figure>) -> String {
    grouped(figure.map_or(0, |figure| figure.bytes as u64))
}

pub fn instructions(figure: Option<&Figure>) -> String {
    figure.and_then(|figure| figure.instructions).map_or(NONE.into(), grouped)
}

/// Separates groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().flat_map(str::from_utf8).collect();
    groups.join(",")
}

pub fn allocations(read: Option<&Figure>, encoded: Option<&Figure>) -> String {
    let count = |of: Option<&Figure>| of.and_then(|of| of.allocations);
    let shown = |of| count(of).map_or(NONE.into(), |count| count.to_string());
    match (count(read), count(encoded)) {
        (None, None) => NONE.into(),
        _ => format!("{} / {}", shown(read), shown(encoded)),
    }
}
