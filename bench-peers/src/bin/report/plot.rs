//! The plot: a panel for each operation on the state message, with a bar for each peer.

use crate::STATE;
use crate::format::time;
use gamewire_bench_peers::results::Results;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;
use std::path::Path;

type Done = Result<(), Box<dyn Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const OWN: RGBColor = RGBColor(29, 78, 216);
const SAME_WIRE: RGBColor = RGBColor(71, 85, 105);
const OTHERS: RGBColor = RGBColor(148, 163, 184);
const FLOOR: RGBColor = RGBColor(217, 119, 6);
const INK: RGBColor = RGBColor(31, 41, 55);
const GRID: RGBColor = RGBColor(226, 232, 240);

/// Nanoseconds at the left and right ends of every panel.
const RANGE: std::ops::Range<f64> = 1.0..1e5;

const WIDTH: u32 = 1000;
const HEADING: u32 = 64;
/// Height of a bar and the gap to the next one.
const PITCH: u32 = 22;
/// Height of a panel without its bars.
const FRAME: u32 = 74;
const LABELS: u32 = 164;

struct Bar {
    label: &'static str,
    color: RGBColor,
    ns: f64,
}

struct Panel {
    title: &'static str,
    bars: Vec<Bar>,
}

/// The source of a bar: its label, the peer, the operation, the colour.
type Source = (&'static str, &'static str, &'static str, RGBColor);

/// Returns the sources of the bars for one operation: gamewire and all peers.
fn each(what: &'static str) -> [Source; 14] {
    [
        ("gamewire", "gamewire", what, OWN),
        ("godot-binary-serialization", "godot-binary-serialization", what, SAME_WIRE),
        ("Godot itself", "godot", what, SAME_WIRE),
        ("CBOR (minicbor)", "minicbor", what, OTHERS),
        ("MessagePack (rmp)", "rmp", what, OTHERS),
        ("MessagePack (rmpv)", "rmpv", what, OTHERS),
        ("Müsli (musli)", "musli", what, OTHERS),
        ("BSON (bson raw)", "bson", what, OTHERS),
        ("FlexBuffers", "flexbuffers", what, OTHERS),
        ("Ion (ion-rs)", "ion-rs", what, OTHERS),
        ("Parquet Variant", "parquet-variant", what, OTHERS),
        ("JSONB (jsonb)", "jsonb", what, OTHERS),
        ("JSON (sonic-rs)", "sonic-rs", what, OTHERS),
        ("JSON (simd-json)", "simd-json", what, OTHERS),
    ]
}

fn panels(results: &Results) -> [[Panel; 2]; 3] {
    let panel = |title, sources: &[Source]| {
        let bar = |&(label, peer, what, color): &Source| {
            Some(Bar { label, color, ns: results.get(STATE, peer, what)?.ns })
        };
        let mut bars: Vec<Bar> = sources.iter().filter_map(bar).collect();
        bars.sort_by(|a, b| a.ns.total_cmp(&b.ns));
        Panel { title, bars }
    };
    let with = |what, more: &[Source]| [more, &each(what)].concat();
    let bytes = ("gamewire, text as bytes", "gamewire", "traverse_bytes", OWN);
    let checked = ("gamewire, all checked", "gamewire", "get_after_read", OWN);
    let view = ("gamewire, existing view", "gamewire", "get_in_view", OWN);
    let structs = [
        ("gamewire, read", "gamewire", "fields_decode", OWN),
        ("gamewire, written", "gamewire", "fields_encode", OWN),
        ("rkyv, accessed", "rkyv", "typed_decode", FLOOR),
        ("rkyv, written", "rkyv", "typed_encode", FLOOR),
    ];
    [
        [
            panel("Every leaf read, every text a checked &str", &with("traverse", &[bytes])),
            panel("Encoded", &each("encode")),
        ],
        [
            panel("One key of 25, the twentieth", &with("get", &[checked, view])),
            panel("Validated", &each("validate")),
        ],
        [
            panel("Skipped", &each("skip")),
            panel("As structs; rkyv with a compiled schema: the floor", &structs),
        ],
    ]
}

pub fn draw(results: &Results, file: &Path) -> Done {
    let panels = panels(results);
    let heights = panels.each_ref().map(|row| {
        let bars = row.iter().map(|panel| panel.bars.len()).max().unwrap_or(0);
        FRAME + PITCH * bars as u32
    });
    let size = (WIDTH, HEADING + heights.iter().sum::<u32>());
    let root = SVGBackend::new(file, size).into_drawing_area();
    root.fill(&WHITE)?;
    let (heading, mut rest) = root.split_vertically(HEADING);
    let bytes = results.get(STATE, "gamewire", "traverse").map_or(0, |figure| figure.bytes);
    let title = format!(
        "State of a game: a Godot packet of {bytes} bytes, and the same content in other formats"
    );
    heading.draw_text(&title, &text(20, INK), (16, 14))?;
    let note = "Time per call, logarithmic, in the fastest slice. Blue: gamewire; dark: others on the same packet; light: the same content in other formats.";
    heading.draw_text(note, &text(13, SAME_WIRE), (16, 42))?;
    for (row, height) in panels.iter().zip(heights) {
        let (top, below) = rest.split_vertically(height);
        let (left, right) = top.split_horizontally(WIDTH / 2);
        draw_panel(&row[0], &left)?;
        draw_panel(&row[1], &right)?;
        rest = below;
    }
    root.present()?;
    Ok(())
}

fn draw_panel(panel: &Panel, area: &Area<'_>) -> Done {
    area.draw_text(panel.title, &bold(15, INK), (16, 10))?;
    let (_, area) = area.split_vertically(34);
    let bars = panel.bars.len();
    let (area, _) = area.split_vertically(PITCH * bars as u32 + 24);
    let mut chart = ChartBuilder::on(&area)
        .margin_right(64)
        .set_label_area_size(LabelAreaPosition::Left, LABELS)
        .set_label_area_size(LabelAreaPosition::Bottom, 24)
        .build_cartesian_2d(RANGE.log_scale(), bars as f64..0.0)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .axis_style(GRID)
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .x_labels(6)
        .x_label_formatter(&|ns| decade(*ns))
        .x_label_style(text(11, SAME_WIRE))
        .draw()?;
    let (origin, _) = area.get_pixel_range();
    let top = area.get_pixel_range().1.start;
    for (index, bar) in panel.bars.iter().enumerate() {
        let (above, middle, below) = (index as f64 + 0.14, index as f64 + 0.5, index as f64 + 0.86);
        let corners = [(RANGE.start, above), (bar.ns, below)];
        chart.draw_series([Rectangle::new(corners, bar.color.filled())])?;
        let at = |ns: f64| {
            let (x, y) = chart.backend_coord(&(ns, middle));
            (x - origin.start, y - top)
        };
        let (start, end) = (at(RANGE.start), at(bar.ns));
        let own = if bar.color == OWN { OWN } else { INK };
        area.draw_text(bar.label, &beside(own, HPos::Right), (start.0 - 6, start.1))?;
        area.draw_text(&time(bar.ns), &beside(own, HPos::Left), (end.0 + 5, end.1))?;
    }
    Ok(())
}

/// Returns the label of a power of ten.
fn decade(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns => format!("{:.0} µs", ns / 1e3),
    }
}

fn text(size: u32, color: RGBColor) -> TextStyle<'static> {
    ("Helvetica, Arial, sans-serif", size).into_font().color(&color)
}

fn bold(size: u32, color: RGBColor) -> TextStyle<'static> {
    ("Helvetica, Arial, sans-serif", size, FontStyle::Bold).into_font().color(&color)
}

fn beside(color: RGBColor, side: HPos) -> TextStyle<'static> {
    text(12, color).pos(Pos::new(side, VPos::Center))
}
