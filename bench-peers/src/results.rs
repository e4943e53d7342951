//! The files in `results/`, one for each full run of `compare`. A file has one row a line.

use crate::interleaved::Spread;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

#[derive(Serialize, Deserialize)]
pub struct Results {
    pub machine: Machine,
    pub figures: Vec<Figure>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Machine {
    /// When the run began, as in `2026-11-27T20:35:00Z`.
    pub time: String,
    pub cpu: String,
    /// Clock rate in GHz before and after the run (see [`crate::interleaved::clock`]).
    pub clock_ghz: [f64; 2],
    pub rustc: String,
    /// Version of the engine, if it was measured.
    pub godot: Option<String>,
}

/// The figures of one operation by one peer.
#[derive(Clone, Serialize, Deserialize)]
pub struct Figure {
    pub content: String,
    pub peer: String,
    pub what: String,
    /// Size of the content in the peer's format.
    pub bytes: usize,
    /// Time of one call in the fastest slice. For single calls after other work, their median.
    pub ns: f64,
    /// Time divided by the time of gamewire in the same rotation: a tenth of the rotations are
    /// below the first value, half of them below the second, a tenth above the third. Absent for
    /// gamewire itself. For single calls after other work, the time is divided by that of a loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<[f64; 3]>,
    /// Instructions of one call, counted by callgrind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<u64>,
    /// Allocations of one call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocations: Option<usize>,
    /// The conditions of the rotations. Only in the figure that the ratios refer to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotations: Option<Conditions>,
}

/// The conditions of the rotations of a row.
#[derive(Clone, Serialize, Deserialize)]
pub struct Conditions {
    pub kept: usize,
    /// Rotations left out because the clock rate changed.
    pub dropped: usize,
    pub clock_ghz: f64,
}

impl Machine {
    /// Describes this machine. The clock rate after the run is not known yet.
    pub fn this(clock_ghz: f64) -> io::Result<Self> {
        let said = |program: &str, arguments: &[&str]| -> io::Result<String> {
            let output = Command::new(program).args(arguments).output()?.stdout;
            Ok(String::from_utf8_lossy(&output).trim().to_owned())
        };
        let rustc = said("rustc", &["--version"])?;
        Ok(Self {
            time: said("date", &["-u", "+%FT%TZ"])?,
            cpu: cpu(),
            clock_ghz: [rounded(clock_ghz); 2],
            rustc: rustc.split_whitespace().nth(1).unwrap_or("unknown").into(),
            godot: None,
        })
    }

    /// Returns the processor and its clock, as in "AMD EPYC at 3.77 GHz".
    pub fn cpu_and_clock(&self) -> String {
        format!("{} at {:.2} GHz", self.cpu, self.clock_ghz[0])
    }

    /// Returns the date and the processor, as in "2026-11-27, AMD EPYC".
    pub fn date_and_cpu(&self) -> String {
        format!("{}, {}", self.time.get(..10).unwrap_or_default(), self.cpu)
    }

    /// Returns date, time and processor, as in "2026-11-27 20:35, AMD EPYC".
    pub fn time_and_cpu(&self) -> String {
        let time = self.time.get(..16).unwrap_or_default().replace('T', " ");
        format!("{time}, {}", self.cpu)
    }

    /// Returns date and processor in the form of a file name.
    fn file_stem(&self) -> String {
        let name = self.date_and_cpu().to_lowercase();
        let words = name.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
    }
}

fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("unknown", |model| model.trim_matches([' ', '\t', ':']));
    let plain = model.replace("(R)", "").replace("(TM)", "");
    plain.split_whitespace().filter(|word| *word != "Processor").collect::<Vec<_>>().join(" ")
}

impl Results {
    pub fn get(&self, content: &str, peer: &str, what: &str) -> Option<&Figure> {
        let is_it = |figure: &&Figure| {
            figure.content == content && figure.peer == peer && figure.what == what
        };
        self.figures.iter().find(is_it)
    }

    /// Writes a new file into the folder of results, and returns its path.
    pub fn save(&self) -> Result<PathBuf, Box<dyn Error>> {
        let (folder, stem) = (folder(), self.machine.file_stem());
        fs::create_dir_all(&folder)?;
        let first = std::iter::once(stem.clone());
        let mut stems = first.chain((2..).map(|number| format!("{stem}-{number}")));
        let path = stems.find_map(|stem| {
            let path = folder.join(stem + ".json");
            (!path.exists()).then_some(path)
        });
        let path = path.ok_or("no free name")?;
        fs::write(&path, self.to_json()?)?;
        Ok(path)
    }

    /// Formats one figure per line, which keeps diffs readable.
    fn to_json(&self) -> Result<String, serde_json::Error> {
        let lines: Result<Vec<String>, _> =
            self.figures.iter().map(serde_json::to_string).collect();
        let machine = serde_json::to_string(&self.machine)?;
        Ok(format!("{{\"machine\": {machine},\n\"figures\": [\n{}\n]}}\n", lines?.join(",\n")))
    }

    /// Reads all files in the folder of results, the oldest run first.
    pub fn all() -> Result<Vec<Self>, Box<dyn Error>> {
        let mut all = Vec::new();
        for entry in fs::read_dir(folder())? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let read = serde_json::from_str::<Self>(&fs::read_to_string(&path)?);
                all.push(read.map_err(|error| format!("{}: {error}", path.display()))?);
            }
        }
        all.sort_by(|a, b| a.machine.time.cmp(&b.machine.time));
        Ok(all)
    }
}

impl From<Spread> for [f64; 3] {
    fn from(spread: Spread) -> Self {
        [spread.low, spread.median, spread.high].map(rounded)
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("results")
}

/// Rounds to four digits. Further digits are noise.
pub fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
