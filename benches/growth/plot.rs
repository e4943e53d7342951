//! Draws the measurements of Criterion, in nanoseconds per byte: a panel for each series of
//! packets, and a list of the most expensive shapes.

use super::packets::Way;
use super::panels::{ALL, PANELS, PASSES, Panel};
use super::{SHAPES, USUAL};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/growth.svg");

/// The name that Criterion gives to the last run. Names of saved runs begin with `OTHERS`. The last
/// run and all saved runs are drawn.
const LAST: &str = "new";
const OTHERS: &str = "best";

const WIDTH: u32 = 1160;
const HEAD: u32 = 76;
const PANEL: u32 = 286;
const COLUMNS: usize = 2;
/// Height of a line in the list of shapes; `SHOWN` is the number of shapes in the list.
const LINE: u32 = 19;
const SHOWN: usize = 24;
const SHAPES_HEAD: u32 = 40;
const SHAPES_FOOT: u32 = 50;

const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(40, 40, 48);
const FAINT: RGBColor = RGBColor(226, 226, 230);

/// A colour for each operation in `ALL`. The colours also differ in lightness.
const COLOURS: [RGBColor; ALL.len()] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(160, 80, 170),
    RGBColor(120, 120, 120),
];

fn colour(way: &str) -> RGBColor {
    let place = ALL.iter().position(|(name, _)| *name == way);
    COLOURS[place.unwrap_or_default()]
}

pub fn draw() -> Result {
    let rows = PANELS.len().div_ceil(COLUMNS) as u32;
    let shapes_height = SHAPES_HEAD + SHOWN as u32 * LINE + SHAPES_FOOT;
    let height = HEAD + rows * PANEL + shapes_height;
    let root = SVGBackend::new(FILE, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let (head, rest) = root.split_vertically(HEAD);
    let (panels, shapes) = rest.split_vertically(rows * PANEL);
    legend(&head)?;
    for (panel, area) in PANELS.iter().zip(panels.split_evenly((rows as usize, COLUMNS))) {
        draw_panel(panel, &area)?;
    }
    draw_shapes(&shapes)?;
    root.present()?;
    println!("{FILE}");
    Ok(())
}

/// Draws the title and the legend.
fn legend(area: &Area<'_>) -> Result {
    let title = (FONT, 20).into_font().color(&INK);
    area.draw(&Text::new("Cost per byte, in nanoseconds", (20, 14), title))?;
    let mut x = 20;
    for (way, _) in ALL {
        let line = [(x, 56), (x + 26, 56)];
        area.draw(&PathElement::new(line, colour(way).stroke_width(3)))?;
        area.draw(&Circle::new((x + 13, 56), 4, colour(way).filled()))?;
        area.draw(&Text::new(way, (x + 34, 47), (FONT, 15).into_font().color(&INK)))?;
        x += 34 + 8 * way.len() as i32 + 36;
    }
    Ok(())
}

fn draw_panel(panel: &Panel, area: &Area<'_>) -> Result {
    let measured: Vec<_> = panel.ways.iter().map(|way| line(panel, way)).collect::<Result<_>>()?;
    let costs = measured.iter().flatten().map(|(_, cost)| *cost);
    let (least, most) = decades(costs);
    let numbers = panel.numbers.iter().map(|number| place(*number));
    let (first, last) = (numbers.clone().fold(f64::MAX, f64::min), numbers.fold(0.0, f64::max));
    let mut chart = ChartBuilder::on(area)
        .margin_left(8)
        .margin_right(24)
        .margin_top(14)
        .caption(panel.name, (FONT, 16).into_font().color(&INK))
        .x_label_area_size(42)
        .y_label_area_size(52)
        .build_cartesian_2d(
            (first..last).log_scale().base(panel.base),
            (least..most).log_scale(),
        )?;
    chart
        .configure_mesh()
        .bold_line_style(FAINT)
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT)
        .label_style((FONT, 13).into_font().color(&INK))
        .axis_desc_style((FONT, 14).into_font().color(&INK))
        .x_desc(panel.number)
        .x_labels(11)
        .x_label_formatter(&|number| short(*number))
        .y_label_formatter(&|cost| decimals(*cost).to_string())
        .draw()?;
    for ((way, _), line) in panel.ways.iter().zip(measured) {
        chart.draw_series(LineSeries::new(line.clone(), colour(way).stroke_width(2)))?;
        chart.draw_series(line.iter().map(|point| Circle::new(*point, 2, colour(way).filled())))?;
    }
    Ok(())
}

/// Returns the measurements of an operation in a panel: positions on the axis, and nanoseconds per
/// byte.
fn line(panel: &Panel, (way, _): &(&str, Way)) -> Result<Vec<(f64, f64)>> {
    let measured = measured(panel.name, way)?;
    let cost = |number: &usize| Some((place(*number), *measured.get(&number.to_string())?));
    Ok(panel.numbers.iter().filter_map(cost).collect())
}

/// Returns the position of a number on the axis. Zero, which has no logarithm, is drawn at 0.5.
fn place(number: usize) -> f64 {
    (number as f64).max(0.5)
}

fn decades(costs: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let least = costs.clone().fold(f64::MAX, f64::min).log10().floor();
    let most = costs.fold(0.0, f64::max).log10().ceil();
    // The axis begins slightly below a power of ten, so that this power has a label.
    (10_f64.powf(least) * 0.999, 10_f64.powf(most))
}

/// Rounds the number of a label to four decimals, which removes rounding errors. No label is
/// smaller than 0.0001.
fn decimals(cost: f64) -> f64 {
    (cost * 1e4).round() / 1e4
}

fn short(number: f64) -> String {
    match number {
        0.0..1.0 => "0".into(),
        1_000_000.0.. => format!("{}M", number / 1e6),
        10_000.0.. => format!("{}k", (number / 1e3).round()),
        _ => format!("{number:.0}"),
    }
}

/// Returns the label of a tick if its first digit is 1, 2 or 5, and an empty label otherwise.
fn round(cost: f64) -> String {
    let text = format!("{cost:.1}");
    let first = text.trim_start_matches(['0', '.']).chars().next();
    if first.is_some_and(|first| "125".contains(first)) { text } else { String::new() }
}

/// Lists the most expensive shapes, together with the usual packet.
fn draw_shapes(area: &Area<'_>) -> Result {
    let ways = PASSES.map(|(way, _)| way);
    let [skip, validate, traverse] = ways.map(|way| measured(SHAPES, way));
    let measured = [skip?, validate?, traverse?];
    let costs = |shape: &String| Some([0, 1, 2].map(|way| measured[way].get(shape).copied()));
    let all = measured[0].keys().filter_map(|shape| {
        let [skip, validate, traverse] = costs(shape)?;
        Some((shape.as_str(), [skip?, validate?, traverse?]))
    });
    let (mut usual, mut shapes): (Vec<_>, Vec<_>) = all.partition(|(shape, _)| *shape == USUAL);
    let dearest = |costs: &[f64; 3]| costs.iter().copied().fold(0.0, f64::max);
    shapes.sort_by(|(_, a), (_, b)| dearest(b).total_cmp(&dearest(a)));
    shapes.truncate(SHOWN - usual.len());
    usual.extend(shapes);

    let (least, most) = decades(usual.iter().flat_map(|(_, costs)| *costs));
    let mut chart = ChartBuilder::on(area)
        .margin_left(8)
        .margin_right(24)
        .margin_top(14)
        .caption("Packets made to be expensive: the worst", (FONT, 16).into_font().color(&INK))
        .x_label_area_size(42)
        .y_label_area_size(330)
        .build_cartesian_2d((least..most).log_scale(), SHOWN as f64..0.0)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .bold_line_style(FAINT)
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT)
        .label_style((FONT, 13).into_font().color(&INK))
        .x_labels(20)
        .x_label_formatter(&|cost| round(*cost))
        .draw()?;
    if let [(_, costs), ..] = usual[..] {
        for (cost, way) in costs.into_iter().zip(ways) {
            let line = [(cost, 0.0), (cost, SHOWN as f64)];
            chart.draw_series([PathElement::new(line, colour(way).mix(0.4))])?;
        }
    }
    for (row, (shape, costs)) in usual.iter().enumerate() {
        let y = row as f64 + 0.5;
        chart.draw_series([PathElement::new([(least, y), (most, y)], FAINT)])?;
        let dots = costs.iter().zip(ways);
        chart.draw_series(
            dots.map(|(cost, way)| Circle::new((*cost, y), 4, colour(way).filled())),
        )?;
        let ((x, y), (left, top)) = (chart.backend_coord(&(least, y)), area.get_base_pixel());
        let style = (FONT, 14).into_font().color(&INK).pos(Pos::new(HPos::Right, VPos::Center));
        area.draw(&Text::new(*shape, (x - left - 10, y - top), style))?;
    }
    Ok(())
}

/// Reads criterion's results for a group and an operation: nanoseconds per byte, by benchmark.
fn measured(group: &str, way: &str) -> Result<BTreeMap<String, f64>> {
    let folder = criterion().join(group).join(way);
    let packets =
        fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut costs = BTreeMap::new();
    for packet in packets {
        let packet = packet?.path();
        if packet.join(LAST).is_dir() {
            let about = json(&packet.join(LAST).join("benchmark.json"))?;
            let what = about["value_str"].as_str().unwrap_or_default();
            let bytes = about["throughput"]["Bytes"].as_f64().unwrap_or(f64::NAN);
            costs.insert(what.to_owned(), best(&packet)? / bytes);
        }
    }
    Ok(costs)
}

/// Returns the nanoseconds of the fastest sample of all runs.
fn best(packet: &Path) -> Result<f64> {
    let mut best = f64::MAX;
    for run in fs::read_dir(packet)? {
        let run = run?;
        let name = run.file_name();
        if name == LAST || name.to_string_lossy().starts_with(OTHERS) {
            best = best.min(fastest(&json(&run.path().join("sample.json"))?));
        }
    }
    Ok(best)
}

fn json(path: &Path) -> Result<Value> {
    Ok(serde_json::from_slice(&fs::read(path)?)?)
}

fn fastest(sample: &Value) -> f64 {
    let list = |name: &str| sample[name].as_array().into_iter().flatten().filter_map(Value::as_f64);
    let each = list("times").zip(list("iters")).map(|(time, iters)| time / iters);
    each.fold(f64::MAX, f64::min)
}

fn criterion() -> PathBuf {
    match env::var_os("CRITERION_HOME") {
        Some(home) => home.into(),
        None => Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("criterion"),
    }
}
