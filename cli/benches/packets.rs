//! Measures `gamewire packets` on a large capture that is in the page cache: with `--quiet`, with
//! lines of text, with `--json`, and with `--parquet` if the program has this feature. Lines and JSON
//! go to the null device. Prints the throughput, in bytes of the file per second and per second of
//! processor time, and the peak memory. Measures the same on many small captures, which the program
//! reads on all cores unless `--quiet` is given. Also measures the throughput of the range coder
//! alone.
//!
//! The capture consists of repeated copies of those captures of the corpus that contain no
//! compressed packets. Each copy uses different client ports. The default size is 520 MB, which is
//! about five million packets of 100 bytes. The capture is written to the target directory and
//! removed afterwards.
//!
//! ```text
//! cargo bench -p gamewire-cli --features parquet --bench packets
//! ```
//!
//! Append `-- 2000` to the command for a capture of 2000 MB.

use gamewire::capture::{Reader, Transport};
use gamewire::transport::enet::{Datagram, RangeCoder};
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const CAPTURES: [&[u8]; 6] = [
    include_bytes!("../../corpus/captures/enet.pcap"),
    include_bytes!("../../corpus/captures/relay.pcap"),
    include_bytes!("../../corpus/captures/udp.pcap"),
    include_bytes!("../../corpus/captures/tcp.pcap"),
    include_bytes!("../../corpus/captures/ws.pcap"),
    include_bytes!("../../corpus/captures/pps.pcap"),
];

const COMPRESSED: [&[u8]; 2] = [
    include_bytes!("../../corpus/captures/enet_rle.pcap"),
    include_bytes!("../../corpus/captures/godot3_enet_rle.pcap"),
];

/// Size of the file header of a capture, in bytes.
const HEADER: usize = 24;

/// Default size of the capture in MB. The capture is read `TIMES` times in each mode.
const SIZE: u64 = 520;
const TIMES: u32 = 5;

/// Arguments of the measured commands.
const MODES: &[&[&str]] = &[
    &["--quiet"],
    &[],
    &["--json"],
    #[cfg(feature = "parquet")]
    &["--parquet", concat!(env!("CARGO_TARGET_TMPDIR"), "/packets-tables/")],
];

/// Number of small captures. Together, they are as large as the large one.
const FILES: u64 = 260;

fn main() -> io::Result<()> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let smoke = given.iter().any(|arg| arg == "--test");
    let size = given.iter().find_map(|arg| arg.parse().ok());
    let (size, times) = if smoke { (2, 1) } else { (size.unwrap_or(SIZE), TIMES) };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let large = Remove(folder.join("packets.pcap"));
    let (len, packets) = generate(&large.0, size * 1_000_000)?;
    println!("{} MB, {packets} packets of {} bytes", len / 1_000_000, len / packets);
    fs::read(&large.0).map(black_box)?; // loads the file into the page cache
    assert!(!run(&["--quiet"], &[large.0.as_path()])?.text.contains("malformed"));
    for mode in MODES {
        measure("one capture", mode, &[large.0.as_path()], len, times)?;
    }
    drop(large);

    // Reads one file several times, since the program treats each path as a separate capture.
    let small = Remove(folder.join("small_packets.pcap"));
    let (len, _) = generate(&small.0, size * 1_000_000 / FILES)?;
    let files = vec![small.0.as_path(); FILES as usize];
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let what = format!("{FILES} captures of {} MB, {cores} cores", len / 1_000_000);
    for mode in MODES {
        measure(&what, mode, &files, len * FILES, times)?;
    }
    drop(small);
    fs::remove_dir_all(folder.join("packets-tables")).ok();
    range_coder(if smoke { 1 } else { 200 });
    Ok(())
}

struct Remove(PathBuf);

impl Drop for Remove {
    fn drop(&mut self) {
        fs::remove_file(&self.0).ok();
    }
}

/// Writes the capture. Returns its length in bytes and its number of packets.
fn generate(path: &Path, size: u64) -> io::Result<(u64, u64)> {
    let mut body = Vec::new();
    // For each packet, the position of the client's port in `body`, and the number of the client.
    let mut ports = Vec::new();
    let mut clients = Vec::new();
    for capture in CAPTURES {
        let mut reader = Reader::new(capture);
        let base = body.len();
        while let Ok(Some(packet)) = reader.next_packet() {
            let segment = packet.segment().expect("all are UDP or TCP");
            let [source, destination] = [segment.source.port(), segment.destination.port()];
            // The ports follow the headers of Ethernet and of IPv4 without options. The client's
            // port is the higher one.
            let at = base + packet.offset as usize - HEADER + 14 + 20;
            let client = source.max(destination);
            let known = clients.iter().position(|known| *known == client);
            let number = known.unwrap_or_else(|| {
                clients.push(client);
                clients.len() - 1
            });
            ports.push((if source > destination { at } else { at + 2 }, number));
        }
        body.extend(&capture[HEADER..]);
    }
    let rounds = size / body.len() as u64 + 1;
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(&CAPTURES[0][..HEADER])?;
    for round in 0..rounds as usize {
        for (at, client) in &ports {
            let port = 30_000 + (round * clients.len() + client) % 30_000;
            body[*at..][..2].copy_from_slice(&(port as u16).to_be_bytes());
        }
        out.write_all(&body)?;
    }
    out.flush()?;
    Ok((HEADER as u64 + rounds * body.len() as u64, rounds * ports.len() as u64))
}

/// Runs `gamewire packets` several times on files with a total of `len` bytes. Prints the best and
/// the median throughput, and the peak memory.
fn measure(what: &str, mode: &[&str], files: &[&Path], len: u64, times: u32) -> io::Result<()> {
    let runs: Vec<_> = (0..times).map(|_| run(mode, files)).collect::<io::Result<_>>()?;
    let mut seconds: Vec<_> = runs.iter().map(|run| run.time.as_secs_f64()).collect();
    seconds.sort_by(f64::total_cmp);
    let rate = |seconds: f64| format!("{:.0} MB/s", len as f64 / seconds / 1e6);
    let [best, median] = [seconds[0], seconds[seconds.len() / 2]].map(rate);
    let cpu = runs.iter().filter_map(|run| run.cpu).min_by(f64::total_cmp);
    let cpu = cpu.map_or("unknown".into(), rate);
    let memory = runs.iter().filter_map(|run| run.memory).max();
    let memory = memory.map_or("unknown".into(), |memory| format!("{memory} kB"));
    let command = ["packets"].iter().chain(mode).copied().collect::<Vec<_>>().join(" ");
    println!("{what}: {command}: {best}, median {median}, processor {cpu}, memory {memory}");
    Ok(())
}

struct Run {
    time: Duration,
    /// Processor time in seconds.
    cpu: Option<f64>,
    /// Peak memory in kB.
    memory: Option<u64>,
    /// The totals, if they are printed.
    text: String,
}

/// Runs `gamewire packets` on the files.
fn run(mode: &[&str], files: &[&Path]) -> io::Result<Run> {
    let is_quiet = mode == ["--quiet"];
    let (start, cpu) = (Instant::now(), cpu_of_children());
    let mut child = Command::new(env!("CARGO_BIN_EXE_gamewire"))
        .arg("packets")
        .args(mode)
        .args(files)
        .stdout(if is_quiet { Stdio::piped() } else { Stdio::null() })
        .spawn()?;
    let mut memory = None;
    while child.try_wait()?.is_none() {
        memory = peak(&child).max(memory);
        thread::sleep(Duration::from_millis(2));
    }
    let time = start.elapsed();
    let mut text = String::new();
    if let Some(mut out) = child.stdout.take() {
        out.read_to_string(&mut text)?;
    }
    assert!(child.wait()?.success(), "{text}");
    let cpu = cpu_of_children().zip(cpu).map(|(end, start)| end - start);
    Ok(Run { time, cpu, memory, text })
}

/// Returns the processor time of all child processes that have ended, in seconds, or `None` if the
/// system has no `/proc`. Other work of the machine hardly changes this time.
fn cpu_of_children() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/stat").ok()?;
    // The fields `cutime` and `cstime`, in hundredths of a second. The fields before them are
    // counted from the end of the name, which is in parentheses and can contain spaces.
    let (_, fields) = status.rsplit_once(')')?;
    let times = fields.split_whitespace().skip(13).take(2);
    times.map(|time| time.parse::<f64>().ok()).sum::<Option<f64>>().map(|time| time / 100.0)
}

/// Returns the peak resident memory of the process in kB, or `None` if the system has no `/proc`.
fn peak(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// Decodes all compressed datagrams `times` times, and prints the throughput.
fn range_coder(times: u32) {
    let mut datagrams = Vec::new();
    for capture in COMPRESSED {
        let mut reader = Reader::new(capture);
        while let Ok(Some(packet)) = reader.next_packet() {
            if let Ok(Transport::Udp { payload }) = packet.segment().map(|at| at.transport) {
                let datagram = Datagram::parse(payload).expect("ENet");
                if datagram.compressed {
                    datagrams.push(datagram.body.to_vec());
                }
            }
        }
    }
    let mut coder = RangeCoder::new();
    let (mut compressed, mut plain) = (0, 0);
    let start = Instant::now();
    for _ in 0..times {
        for body in &datagrams {
            compressed += body.len();
            plain += coder.decode_datagram(black_box(body), 0).expect("valid").len();
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let [from, to] = [compressed, plain].map(|len| len as f64 / seconds / 1e6);
    println!("range coder: {from:.0} MB/s of compressed bytes, {to:.0} MB/s of plain ones");
}
