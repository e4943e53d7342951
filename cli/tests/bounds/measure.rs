//! Runs each command on each input in three sizes, and checks that the cost is within its limits.

use crate::massif::{self, Cost};
use crate::support::hostile::Shape;
use std::fs;
use std::path::{Path, PathBuf};

/// The smallest of the three sizes of an input in bytes.
pub const SMALL_INPUT: usize = 4 << 10;

/// Maximum ratio of the cost of a byte between the second and the third size to that of a byte
/// between the first and the second. It allows for noise and for the logarithm of a sort; the ratio
/// of quadratic work is 2.
const MAX_GROWTH: f64 = 1.4;

/// Bytes that the program allocates for any input: to parse its arguments, and for the buffer of
/// the output.
const CONSTANT_MEMORY: u64 = 320 << 10;

/// Maximum of instructions per byte of linear work, in an unoptimised program.
const MAX_PER_BYTE: f64 = 400_000.0;

/// Instructions per byte from which growth counts. Fewer are the cost of many differences between
/// small inputs.
const CHEAP: f64 = 500.0;

/// Bytes of output per byte of input from which growth counts.
const SHORT: f64 = 4.0;

/// Output of a file that waits until it is printed, for commands that process several files at the
/// same time: one chunk that is collected, two that wait, and space to grow.
pub const OUTPUT: u64 = 5 << 20;

/// A command, and its limits.
pub struct Command {
    /// The arguments, separated by spaces. `''` is an empty argument.
    pub args: &'static str,
    /// Maximum of bytes on the heap per byte of input, in addition to a constant.
    pub memory_per_byte: u64,
    /// A constant that is added to the memory, such as a documented limit of a buffer.
    pub memory: u64,
    pub work: Work,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Work {
    /// Linear in the input, as is the output.
    Linear,
    /// Linear in the input and another quantity that `docs/bounds.md` names, with at most this many
    /// instructions per byte.
    AtMost(f64),
}

/// Returns a command with linear work and this limit of its memory.
pub const fn command(args: &'static str, memory_per_byte: u64) -> Command {
    Command { args, memory_per_byte, memory: CONSTANT_MEMORY, work: Work::Linear }
}

impl Command {
    pub const fn at_most(self, instructions_per_byte: f64) -> Self {
        Self { work: Work::AtMost(instructions_per_byte), ..self }
    }

    pub const fn and_memory(self, bytes: u64) -> Self {
        Self { memory: self.memory + bytes, ..self }
    }
}

/// The files that a command reads: names and contents.
pub type Files = Vec<(String, Vec<u8>)>;

/// An input: its name, and a function that makes files of about the given size in all.
pub struct Input {
    pub name: &'static str,
    pub make: Box<dyn Fn(usize) -> Files>,
}

pub fn input(name: &'static str, make: impl Fn(usize) -> Files + 'static) -> Input {
    Input { name, make: Box::new(make) }
}

/// Returns an input of one file, whose content `convert` makes of a shape.
pub fn file(name: &'static str, shape: Shape, convert: fn(Vec<u8>) -> Vec<u8>) -> Input {
    input(shape.name, move |size| vec![(name.into(), convert((shape.make)(size)))])
}

/// Returns inputs of one file each, with the content of the shapes.
pub fn files(name: &'static str, shapes: Vec<Shape>) -> Vec<Input> {
    shapes.into_iter().map(|shape| file(name, shape, |bytes| bytes)).collect()
}

/// Returns the shapes of these names.
pub fn pick(shapes: Vec<Shape>, names: &[&str]) -> Vec<Shape> {
    let picked: Vec<_> = shapes.into_iter().filter(|shape| names.contains(&shape.name)).collect();
    assert_eq!(picked.len(), names.len(), "each of {names:?} is a shape");
    picked
}

/// Measures each command on each input, and checks the limits. `test` is a name for the folder of
/// the files.
pub fn check(test: &str, commands: &[Command], inputs: &[Input], small_input: usize) {
    let folder = Folder::new(test);
    let mut exceeded = Vec::new();
    for input in inputs {
        let sizes = [small_input, 2 * small_input, 4 * small_input];
        let lens = sizes.map(|size| (input.make)(size).iter().map(|(_, file)| file.len()).sum());
        let mut costs = vec![Vec::new(); commands.len()];
        for size in sizes {
            folder.write((input.make)(size));
            for (command, costs) in commands.iter().zip(&mut costs) {
                costs.extend(massif::run(&folder.0, &arguments(command.args)));
            }
        }
        for (command, costs) in commands.iter().zip(costs) {
            let Ok(costs) = <[Cost; 3]>::try_from(costs) else {
                println!("no valgrind here: nothing is measured");
                return;
            };
            let measurement = Measurement { command, input: input.name, lens, costs };
            println!("{measurement}");
            if measurement.exceeds_limits() {
                exceeded.push(measurement.to_string());
            }
        }
    }
    assert!(exceeded.is_empty(), "beyond bounds: {exceeded:#?}");
}

fn arguments(args: &str) -> Vec<&str> {
    args.split(' ').map(|arg| if arg == "''" { "" } else { arg }).collect()
}

/// A folder for the files of a test, which is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let name = format!("bounds-{}-{}", test.replace("::", "-"), std::process::id());
        Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))
    }

    /// Replaces the files in the folder.
    fn write(&self, files: Files) {
        self.clear();
        for (name, content) in files {
            let path = self.0.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
    }

    fn clear(&self) {
        if self.0.exists() {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The measured cost of a command on an input in three sizes.
struct Measurement<'m> {
    command: &'m Command,
    input: &'m str,
    lens: [usize; 3],
    costs: [Cost; 3],
}

impl Measurement<'_> {
    /// Returns the cost of a byte between the second and the third size, and its ratio to the cost
    /// of a byte between the first and the second, or to `least` if that is less. Both are free of
    /// the cost to start the program.
    fn per_byte(&self, least: f64, of: fn(&Cost) -> u64) -> (f64, f64) {
        let [small, middle, large] = self.costs.each_ref().map(|cost| of(cost) as f64);
        let [first, second] = [self.lens[1] - self.lens[0], self.lens[2] - self.lens[1]];
        let before = (middle - small) / first as f64;
        let per_byte = (large - middle) / second as f64;
        (per_byte, per_byte / before.max(least))
    }

    fn exceeds_limits(&self) -> bool {
        let (work, growth) = self.per_byte(CHEAP, |cost| cost.instructions);
        let (_, output_growth) = self.per_byte(SHORT, |cost| cost.output);
        let memory = self.command.memory_per_byte * self.lens[2] as u64 + self.command.memory;
        let is_work_exceeded = match self.command.work {
            Work::Linear => {
                work > MAX_PER_BYTE || growth > MAX_GROWTH || output_growth > MAX_GROWTH
            }
            Work::AtMost(max_per_byte) => work > max_per_byte,
        };
        is_work_exceeded || self.costs[2].memory > memory
    }
}

impl std::fmt::Display for Measurement<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (work, growth) = self.per_byte(CHEAP, |cost| cost.instructions);
        let (output, output_growth) = self.per_byte(SHORT, |cost| cost.output);
        let (len, memory) = (self.lens[2], self.costs[2].memory);
        let (args, input) = (self.command.args, self.input);
        write!(f, "{work:9.1} instructions a byte, × {growth:.2}; ")?;
        write!(f, "{output:5.2} bytes of output, × {output_growth:.2}; ")?;
        write!(f, "memory {:.1} a byte: {args}, {input} ({len} bytes)", memory as f64 / len as f64)
    }
}
