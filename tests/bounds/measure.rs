//! Measures the instructions and the memory that an entry point needs for each shape of input, and
//! checks that they are within the limits of the entry point.

pub use crate::support::hostile::{Shape, shape};
use crate::{callgrind, counting};
use std::hint::black_box;
use std::thread;

/// The size of the small input in bytes. The large input is four times as long.
pub const SMALL_INPUT: usize = 1 << 10;

/// Maximum ratio of the cost per byte of the large input to that of the small input. The ratio
/// allows for noise and for the logarithm in the cost of a sort.
const MAX_GROWTH: f64 = 1.4;

/// The default stack size of an entry point in bytes, for an unoptimised program. An optimised
/// program needs only a fraction of it.
pub const STACK: usize = 384 << 10;

/// An entry point: a function that passes input to the crate, and its limits.
#[derive(Clone)]
pub struct Entry {
    pub name: &'static str,
    pub run: fn(&[u8]),
    pub memory: Memory,
    pub work: Work,
    /// Stack size in bytes.
    pub stack: usize,
}

/// Limit on the memory held at one time.
#[derive(Clone, Copy)]
pub enum Memory {
    /// No allocation.
    None,
    /// The first number is a limit in bytes per byte of input. The second is a constant number of
    /// bytes that is added to this limit.
    PerByte(usize, usize),
}

#[derive(Clone, Copy, PartialEq)]
pub enum Work {
    /// Linear in the length of the input.
    Linear,
    /// Linear in the length of the input and in a second quantity that `docs/bounds.md` names, with
    /// at most this many instructions per byte.
    AtMost(f64),
}

/// Returns an entry point that does not allocate.
pub const fn without_allocation(name: &'static str, run: fn(&[u8])) -> Entry {
    Entry { name, run, memory: Memory::None, work: Work::Linear, stack: STACK }
}

/// Returns an entry point that may hold 4 KiB of memory, plus `bytes_per_byte` bytes per byte of
/// input.
pub const fn with_memory(name: &'static str, bytes_per_byte: usize, run: fn(&[u8])) -> Entry {
    Entry { memory: Memory::PerByte(bytes_per_byte, 4 << 10), ..without_allocation(name, run) }
}

/// Keeps the optimizer from removing a result that nobody reads.
pub fn consume<T>(value: T) {
    drop(black_box(value));
}

/// Entry points, and the shapes of their input.
pub struct Family {
    pub entries: Vec<Entry>,
    pub shapes: Vec<Shape>,
    /// Upper bound on the instructions per input byte, in an unoptimised build.
    pub max_instructions_per_byte: f64,
    /// Size of the small input in bytes. For streams it is above the limits of their buffers,
    /// because the cost per byte is constant beyond these limits.
    pub small_input: usize,
}

impl Family {
    /// Returns two inputs of each shape: one of `size` bytes, and one that is four times as long.
    fn inputs(&self, size: usize) -> Vec<[Vec<u8>; 2]> {
        self.shapes.iter().map(|shape| [size, 4 * size].map(|size| (shape.make)(size))).collect()
    }

    fn cases<'f>(
        &'f self,
        inputs: &'f [[Vec<u8>; 2]],
    ) -> impl Iterator<Item = (&'f Entry, &'f Shape, &'f [Vec<u8>; 2])> {
        self.entries.iter().flat_map(move |entry| {
            self.shapes.iter().zip(inputs).map(move |(shape, inputs)| (entry, shape, inputs))
        })
    }

    /// Checks the limit on the cost per byte. For linear work, also checks that the cost per byte
    /// does not grow with the size. Does nothing if valgrind is not installed. `test` is the name
    /// of the test.
    pub fn assert_work(&self, test: &str) {
        let inputs = self.inputs(self.small_input);
        if callgrind::is_under_callgrind() {
            return callgrind::count(self.cases(&inputs).flat_map(|(entry, _, inputs)| {
                // Runs the entry point once before counting, because its first call may initialize
                // something, such as memchr's choice of instructions.
                (entry.run)(&inputs[0]);
                inputs.each_ref().map(|input| {
                    Box::new(move || (entry.run)(black_box(input))) as Box<dyn FnMut()>
                })
            }));
        }
        let Some(counts) = callgrind::run_under_callgrind(test) else {
            println!("no valgrind here: nothing is counted");
            return;
        };
        let mut measurements: Vec<_> = self
            .cases(&inputs)
            .zip(counts.chunks(2))
            .map(|((entry, shape, inputs), counts)| Measurement::new(entry, shape, inputs, counts))
            .collect();
        measurements.sort_by(|a, b| b.per_byte.total_cmp(&a.per_byte));
        measurements.iter().for_each(Measurement::print);
        let exceeded = measurements
            .iter()
            .filter(|measurement| measurement.exceeds_limits(self.max_instructions_per_byte));
        let exceeded: Vec<_> = exceeded.map(|measurement| measurement.name.as_str()).collect();
        assert!(exceeded.is_empty(), "beyond bounds: {exceeded:#?}");
    }

    /// Checks the limits on memory and stack use. A stack overflow ends the process.
    pub fn assert_memory(&self) {
        let inputs = self.inputs(4 * self.small_input);
        let mut exceeded = Vec::new();
        for (entry, shape, inputs) in self.cases(&inputs) {
            for input in inputs {
                let name = format!("{}, {}", entry.name, shape.name);
                let held = peak_memory_on_small_stack(entry, &name, input);
                let measurement = format!("{name}: {held} bytes for {}", input.len());
                println!("{measurement}");
                let limit = match entry.memory {
                    Memory::None => 0,
                    Memory::PerByte(bytes_per_byte, constant) => {
                        bytes_per_byte * input.len() + constant
                    }
                };
                if held > limit {
                    exceeded.push(measurement);
                }
            }
        }
        assert!(exceeded.is_empty(), "beyond bounds: {exceeded:#?}");
    }
}

/// Runs the entry in a thread with the permitted stack size and returns its peak memory.
fn peak_memory_on_small_stack(entry: &Entry, name: &str, input: &[u8]) -> usize {
    let run = entry.run;
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(entry.stack).name(name.into());
        let measured = || counting::most_held(|| run(input));
        thread.spawn_scoped(scope, measured).unwrap().join().unwrap()
    })
}

/// The measured cost of one case.
struct Measurement {
    name: String,
    work: Work,
    /// Size of the large input.
    bytes: usize,
    /// Instructions per byte of the large input. `growth` is the ratio of this number to the
    /// instructions per byte of the small input.
    per_byte: f64,
    growth: f64,
}

impl Measurement {
    fn new(entry: &Entry, shape: &Shape, inputs: &[Vec<u8>; 2], counts: &[u64]) -> Self {
        let [small_bytes, bytes] = inputs.each_ref().map(Vec::len);
        let per_byte = counts[1] as f64 / bytes as f64;
        let growth = per_byte * small_bytes as f64 / counts[0] as f64;
        let name = format!("{}, {}", entry.name, shape.name);
        Self { name, work: entry.work, bytes, per_byte, growth }
    }

    fn exceeds_limits(&self, max_per_byte: f64) -> bool {
        match self.work {
            Work::Linear => self.growth > MAX_GROWTH || self.per_byte > max_per_byte,
            Work::AtMost(max_per_byte) => self.per_byte > max_per_byte,
        }
    }

    fn print(&self) {
        let Self { name, bytes, per_byte, growth, .. } = self;
        println!("{per_byte:10.1} a byte, × {growth:.2}: {name} ({bytes} bytes)");
    }
}
