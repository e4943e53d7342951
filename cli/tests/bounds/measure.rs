//! Runs each command on each of its inputs, in three sizes, and checks that the cost is within the
//! limits of the command.

use crate::massif::{self, Cost};
use crate::support::hostile::Shape;
use std::fs;
use std::path::{Path, PathBuf};

/// The smallest of the three sizes of an input, in bytes.
pub const SMALL_INPUT: usize = 4 << 10;

/// The maximum growth of the cost per byte, as [`Measurement::per_byte`] defines it. The limit
/// allows for noise and for the logarithm of a sort. The growth of quadratic work is 2.
const MAX_GROWTH: f64 = 1.4;

/// Bytes that the program allocates even for an empty input, to parse its arguments and to buffer
/// its output.
const CONSTANT_MEMORY: u64 = 384 << 10;

/// The maximum number of instructions per byte of input if the work is linear and the program is
/// not optimised.
const MAX_PER_BYTE: f64 = 400_000.0;

/// The minimum number of instructions per byte from which growth is measured. The cost of a cheaper
/// command can grow because of small differences between the inputs.
const CHEAP: f64 = 500.0;

/// The minimum number of output bytes per input byte from which growth is measured.
const SHORT: f64 = 4.0;

/// Memory for the output of one file that cannot be printed yet, because the command processes
/// several files at the same time: one chunk that is being filled, two chunks that wait, and spare
/// capacity.
pub const OUTPUT: u64 = 5 << 20;

/// A command, and its limits.
pub struct Command {
    /// The arguments, separated by spaces. `''` is an empty argument.
    pub args: &'static str,
    /// The maximum number of heap bytes per byte of input, in addition to `memory`.
    pub memory_per_byte: u64,
    /// Heap bytes that the command may use for any input, such as the documented limit of a buffer.
    pub memory: u64,
    pub work: Work,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Work {
    /// Work and output are linear in the input.
    Linear,
    /// Work depends on the input and on a further quantity that `docs/bounds.md` names. The work is
    /// at most this many instructions per byte of input.
    AtMost(f64),
}

/// Returns a command with linear work that may use this many heap bytes per byte of input.
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

/// An input of a command. `make(n)` returns files with a total size of about `n` bytes.
pub struct Input {
    pub name: &'static str,
    pub make: Box<dyn Fn(usize) -> Files>,
}

pub fn input(name: &'static str, make: impl Fn(usize) -> Files + 'static) -> Input {
    Input { name, make: Box::new(make) }
}

/// Returns an input of one file. `convert` turns the bytes of the shape into the content of the
/// file.
pub fn file(name: &'static str, shape: Shape, convert: fn(Vec<u8>) -> Vec<u8>) -> Input {
    input(shape.name, move |size| vec![(name.into(), convert((shape.make)(size)))])
}

/// Returns an input for each shape: one file with the bytes of the shape.
pub fn files(name: &'static str, shapes: Vec<Shape>) -> Vec<Input> {
    shapes.into_iter().map(|shape| file(name, shape, |bytes| bytes)).collect()
}

/// Returns the shapes with these names.
pub fn pick(shapes: Vec<Shape>, names: &[&str]) -> Vec<Shape> {
    let picked: Vec<_> = shapes.into_iter().filter(|shape| names.contains(&shape.name)).collect();
    assert_eq!(picked.len(), names.len(), "not every name in {names:?} is the name of one shape");
    picked
}

/// Measures each command on each input, and checks the limits. The folder for the input files is
/// named after `test`.
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
                println!("valgrind is not installed, so nothing is measured");
                return;
            };
            let measurement = Measurement { command, input: input.name, lens, costs };
            println!("{measurement}");
            if measurement.exceeds_limits() {
                exceeded.push(measurement.to_string());
            }
        }
    }
    assert!(exceeded.is_empty(), "these commands exceed their limits: {exceeded:#?}");
}

fn arguments(args: &str) -> Vec<&str> {
    args.split(' ').map(|arg| if arg == "''" { "" } else { arg }).collect()
}

/// A folder for the files of a test. Dropping it removes the folder.
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
    /// Returns the cost per byte, and its growth.
    ///
    /// The cost per byte is the difference between the costs of the third and the second size,
    /// divided by the difference between these sizes. It therefore does not include the cost to
    /// start the program. The growth is this cost per byte, divided by the cost per byte between
    /// the first and the second size. If this divisor is less than `least`, `least` is used
    /// instead.
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
