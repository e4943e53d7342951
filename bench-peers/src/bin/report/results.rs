//! The measured figures, and how they are collected from criterion and from the bench.

use gamewire_bench_peers::figures::{Counted, Engine, output, target};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

#[derive(Serialize, Deserialize)]
pub struct Results {
    pub machine: Machine,
    pub figures: Vec<Figure>,
}

#[derive(Serialize, Deserialize)]
pub struct Machine {
    pub cpu: String,
    /// Clock rate, measured with a chain of dependent multiplications of 3 cycles each.
    pub clock_ghz: f64,
    pub rustc: String,
    /// Version of the engine, if it was measured now or earlier.
    pub godot: Option<String>,
}

/// Time and allocations of one operation by one peer.
#[derive(Clone, Serialize, Deserialize)]
pub struct Figure {
    pub content: String,
    pub peer: String,
    pub what: String,
    /// Size of the content in the peer's format.
    pub bytes: usize,
    /// Time of one run: in the best sample, or the median of single runs after other work.
    pub ns: f64,
    pub mean_ns: f64,
    /// Allocations of one run. Unknown for the engine.
    pub allocations: Option<usize>,
}

impl Machine {
    /// Returns the processor and its clock, as in "AMD EPYC at 3.77 GHz".
    pub fn cpu_and_clock(&self) -> String {
        let cpu = self.cpu.replace("(R)", "").replace(" Processor", "");
        format!("{cpu} at {:.2} GHz", self.clock_ghz)
    }
}

impl Results {
    /// Collects the saved runs. If the engine was not measured, its figures come from `last`.
    pub fn gather(last: Option<Self>) -> Result<Self, Box<dyn Error>> {
        let counted = fs::read_to_string(output().join("allocations.json"))
            .map_err(|error| format!("run `./compare` first: {error}"))?;
        let counted: Vec<Counted> = serde_json::from_str(&counted)?;
        let mut figures: Vec<Figure> = counted.iter().flat_map(of_row).collect();
        let bytes = |content: &str| figures.iter().find(|figure| figure.content == content);
        let bytes = |content: &str| bytes(content).map_or(0, |figure| figure.bytes);
        let (godot, engine) = match fs::read_to_string(output().join("godot.json")) {
            Ok(text) => {
                let (version, engine): (String, Vec<Engine>) = serde_json::from_str(&text)?;
                let figures =
                    engine.iter().flat_map(|engine| of_engine(engine, bytes(&engine.content)));
                (Some(version), figures.collect())
            }
            Err(_) => last.map_or((None, Vec::new()), Self::into_engine),
        };
        figures.extend(engine);
        let chain = figures.iter().find(|figure| figure.peer == "multiplications");
        let clock_ghz = chain.map_or(0.0, |chain| 3.0 * 1000.0 / chain.ns);
        let machine = Machine { cpu: cpu(), clock_ghz: rounded(clock_ghz), rustc: rustc()?, godot };
        Ok(Self { machine, figures })
    }

    fn into_engine(self) -> (Option<String>, Vec<Figure>) {
        let of_engine = |figure: &Figure| figure.peer == "godot";
        (self.machine.godot, self.figures.into_iter().filter(of_engine).collect())
    }

    pub fn get(&self, content: &str, peer: &str, what: &str) -> Option<&Figure> {
        let is_it = |figure: &&Figure| {
            figure.content == content && figure.peer == peer && figure.what == what
        };
        self.figures.iter().find(is_it)
    }

    /// Formats one figure per line, which keeps diffs readable.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let lines: Result<Vec<String>, _> =
            self.figures.iter().map(serde_json::to_string).collect();
        let machine = serde_json::to_string(&self.machine)?;
        Ok(format!("{{\"machine\": {machine},\n\"figures\": [\n{}\n]}}\n", lines?.join(",\n")))
    }
}

/// Samples of a row in all saved runs. One run of the bench measures the row for less than a
/// second. If the machine is busy during this second, all samples of that run are slow.
#[derive(Deserialize, Default)]
struct Samples {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// Prefix of the names of saved runs, as in `--save-baseline run-1`.
const RUN: &str = "run-";

impl Samples {
    fn of(content: &str, peer: &str, what: &str) -> Option<Self> {
        let folder = target().join("criterion").join(content).join(peer).join(what);
        let mut all = Self::default();
        for run in fs::read_dir(folder).ok()?.flatten() {
            if !run.file_name().to_string_lossy().starts_with(RUN) {
                continue;
            }
            let text = fs::read_to_string(run.path().join("sample.json")).ok()?;
            let run: Self = serde_json::from_str(&text).ok()?;
            all.iters.extend(run.iters);
            all.times.extend(run.times);
        }
        (!all.iters.is_empty()).then_some(all)
    }

    /// Returns the time of one run, for each sample.
    fn runs(&self) -> impl Iterator<Item = f64> {
        self.times.iter().zip(&self.iters).map(|(time, runs)| time / runs)
    }

    fn best(&self) -> f64 {
        self.runs().fold(f64::INFINITY, f64::min)
    }

    fn mean(&self) -> f64 {
        self.times.iter().sum::<f64>() / self.iters.iter().sum::<f64>()
    }

    fn median(&self) -> f64 {
        let mut runs: Vec<f64> = self.runs().collect();
        runs.sort_unstable_by(f64::total_cmp);
        runs[runs.len() / 2]
    }
}

/// Suffixes in the names of operations that are measured in single runs after other work.
const AFTER: [&str; 2] = ["after_work", "after_packets"];

/// Returns the figure of a row, and its figures when single runs were measured after other work
/// (see [`AFTER`]). Each sample of single runs is already the median of several runs. Their figure
/// is the median of these samples, not the best sample.
fn of_row(row: &Counted) -> Vec<Figure> {
    let figure = |what: &str, ns: f64, mean: f64| Figure {
        content: row.content.clone(),
        peer: row.peer.clone(),
        what: what.into(),
        bytes: row.bytes,
        ns: rounded(ns),
        mean_ns: rounded(mean),
        allocations: Some(row.allocations),
    };
    let samples = |what: &str| Samples::of(&row.content, &row.peer, what);
    let warm = samples(&row.what).map(|of| figure(&row.what, of.best(), of.mean()));
    let single = AFTER.map(|before| {
        let what = format!("{}_{before}", row.what);
        samples(&what).map(|of| figure(&what, of.median(), of.mean()))
    });
    warm.into_iter().chain(single.into_iter().flatten()).collect()
}

fn of_engine(engine: &Engine, bytes: usize) -> [Figure; 2] {
    [("traverse", engine.decode), ("encode", engine.encode)].map(|(what, ns)| Figure {
        content: engine.content.clone(),
        peer: "godot".into(),
        what: what.into(),
        bytes,
        ns,
        mean_ns: ns,
        allocations: None,
    })
}

/// Rounds to four digits. Further digits are noise.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

fn cpu() -> String {
    let info = fs::read_to_string(Path::new("/proc/cpuinfo")).unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name"));
    model.map_or("unknown", |model| model.trim_matches([' ', '\t', ':'])).into()
}

fn rustc() -> Result<String, Box<dyn Error>> {
    let version = Command::new("rustc").arg("--version").output()?.stdout;
    let version = String::from_utf8_lossy(&version);
    Ok(version.split_whitespace().nth(1).unwrap_or("unknown").into())
}
