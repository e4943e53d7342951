//! Compares the crate's verdicts on damaged packets with those of Godot's engines. A verdict states
//! whether a packet is accepted or rejected when it is decoded.
//!
//! ```sh
//! cargo test --test parity -- DIR       # every mutated.jsonl in the folder and its subfolders
//! cargo test --test parity              # every mutated.jsonl in the corpus
//! cargo test --test parity --all-features -- --make godot4 20000 1   # packets for an engine to judge
//! ```
//!
//! Each line of `mutated.jsonl` is `{"hex": …, "objects": …, "ok": …, "size": …, "value": …}`. The
//! script `tests/engines/verdicts` makes an engine write such a file. The folder of the file has
//! the name of the engine: `godot4`, `godot4-double` or `godot3`.

#[allow(dead_code, unused_imports)]
#[path = "support"]
mod support {
    pub mod corpus;
    pub mod damage;
    pub mod fields;
    pub mod godot;
    pub mod native_json;
    pub mod random;
    pub mod strict_json;
}

use crate::support::damage::damaged;
use crate::support::godot::parity::{self, ENGINES, Engine, Exception, Outcome, What, outcome};
use crate::support::random::Random;
use crate::support::{corpus, native_json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The maximum number of differences to print.
const SHOWN: usize = 10;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    if let ["--make", engine, count, seed] = args[..] {
        let engine = Engine::named(engine).expect("an engine");
        make(engine, count.parse().expect("a count"), seed.parse().expect("a number"));
        return ExitCode::SUCCESS;
    }
    if args.contains(&"--list") {
        // Test runners like cargo-nextest first list the tests of each program.
        if !args.contains(&"--ignored") {
            println!("parity: test");
        }
        return ExitCode::SUCCESS;
    }
    // Arguments that are not paths are ignored, because `cargo test` passes its filters and flags
    // to every test program.
    let mut paths: Vec<PathBuf> = args.iter().map(PathBuf::from).filter(|it| it.exists()).collect();
    if paths.is_empty() {
        paths.push(corpus::corpus(""));
    }
    let mut files = Vec::new();
    paths.iter().for_each(|path| find(path, &mut files));
    files.sort();
    let mut all = Report::default();
    println!("{:>9} {:>9} {:>9} {:>9}  file", "packets", "accepted", "excepted", "differ");
    for file in &files {
        match engine(file) {
            Some(engine) => all.file(file, engine),
            None => println!("{}: no folder in the path names an engine", file.display()),
        }
    }
    all.print_summary()
}

/// Prints `count` damaged packets in hex. The packets are made from packets of the corpus and, with
/// the feature `arbitrary`, from about the same number of generated packets.
fn make(engine: Engine, count: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut right: Vec<Vec<u8>> = corpus::packets(engine.name).into_iter().map(|it| it.1).collect();
    right.retain(|packet| packet.len() < 2000);
    let written = right.len();
    right.extend((0..written).filter_map(|_| generated(engine, &mut random)));
    for _ in 0..count {
        let [packet, other] = [(); 2].map(|()| &right[random.below(right.len())]);
        let packet = damaged(packet, other, &mut random);
        println!("{}", packet.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    }
}

#[cfg(feature = "arbitrary")]
fn generated(engine: Engine, random: &mut Random) -> Option<Vec<u8>> {
    use arbitrary::{Arbitrary, Unstructured};
    use gamewire::godot::ArbitraryPacket;

    let bytes: Vec<u8> = (0..400).map(|_| random.next() as u8).collect();
    let mut unstructured = Unstructured::new(&bytes);
    let packets = std::iter::from_fn(|| ArbitraryPacket::arbitrary(&mut unstructured).ok());
    let mut packets = packets.take(40).filter(|packet| packet.dialect == engine.dialect);
    packets.next().map(|packet| packet.bytes)
}

#[cfg(not(feature = "arbitrary"))]
fn generated(_: Engine, _: &mut Random) -> Option<Vec<u8>> {
    None
}

/// Adds the path if it is a file. If it is a folder, adds every `mutated.jsonl` in it and in its
/// subfolders.
fn find(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_file() {
        files.push(path.to_owned());
    }
    let Ok(folder) = path.read_dir() else { return };
    for entry in folder.map(|entry| entry.expect("a readable folder").path()) {
        if entry.is_dir() || entry.file_name().is_some_and(|name| name == "mutated.jsonl") {
            find(&entry, files);
        }
    }
}

/// Returns the engine that judged the packets in a file. The innermost folder with the name of an
/// engine determines it.
fn engine(file: &Path) -> Option<Engine> {
    let mut folders = file.ancestors().filter_map(|folder| folder.file_name()?.to_str());
    folders.find_map(|folder| ENGINES.into_iter().find(|engine| folder == engine.name))
}

#[derive(Default)]
struct Report {
    packets: usize,
    excepted: Vec<Exception>,
    differ: [usize; 3],
}

impl Report {
    fn file(&mut self, file: &Path, engine: Engine) {
        // Godot 3 encodes a character in up to six bytes, so the file may not be valid UTF-8.
        let text = std::fs::read(file).expect("a file that can be read");
        let text = String::from_utf8_lossy(&text);
        let (mut packets, mut accepted) = (0, 0);
        let (excepted, differ) = (self.excepted.len(), self.differing());
        for line in text.lines().filter(|line| !line.is_empty()) {
            packets += 1;
            let line = native_json::parse(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            accepted += usize::from(corpus::is_true(&line, "ok"));
            match outcome(&line, engine) {
                Outcome::Refused | Outcome::Same => {}
                Outcome::Excepted(exception) => self.excepted.push(exception),
                Outcome::Differs(difference) => {
                    if self.differing() < SHOWN {
                        let packet = parity::packet(&line);
                        println!("{:?}: {}", difference.in_what, difference.how);
                        println!("    {packet:02x?}");
                    }
                    self.differ[difference.in_what as usize] += 1;
                }
            }
        }
        self.packets += packets;
        let excepted = self.excepted.len() - excepted;
        let differ = self.differing() - differ;
        println!("{packets:9} {accepted:9} {excepted:9} {differ:9}  {}", file.display());
    }

    fn differing(&self) -> usize {
        self.differ.iter().sum()
    }

    fn print_summary(&self) -> ExitCode {
        let Self { packets, differ, .. } = self;
        let [verdict, size, value] =
            [What::Verdict, What::Size, What::Value].map(|what| differ[what as usize]);
        println!(
            "{packets} packets: {verdict} differ in verdict, {size} in size, {value} in value"
        );
        for exception in Exception::ALL {
            let count = self.excepted.iter().filter(|other| **other == exception).count();
            println!("{count:9} not compared: {}", exception.reason());
        }
        if self.differing() > 0 || self.packets == 0 {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        }
    }
}
