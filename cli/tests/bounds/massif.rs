//! Runs the program under massif, which counts instructions and the bytes on the heap.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The cost of a run.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub instructions: u64,
    /// The peak of the bytes on the heap. When a buffer grows, massif counts only the new copy of
    /// it.
    pub memory: u64,
    /// Length of the standard output in bytes.
    pub output: u64,
}

/// Runs the program in a folder. Returns `None` if valgrind is not installed.
pub fn run(folder: &Path, args: &[&str]) -> Option<Cost> {
    if !*IS_INSTALLED {
        return None;
    }
    let profile = folder.join("massif.out");
    let output = Command::new("valgrind")
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-ERMS")
        .current_dir(folder)
        .args(["--tool=massif", "--time-unit=i", "--quiet"])
        // Only the numbers are of interest, not the places of the allocations.
        .args(["--depth=1", "--threshold=100", "--max-snapshots=1000"])
        .arg(format!("--massif-out-file={}", profile.display()))
        .arg(PROGRAM.as_path())
        .args(args)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0..=2)), "{args:?}: {:?} {stderr}", output.status);
    assert!(!stderr.contains("error: unexpected argument"), "{args:?}: {stderr}");
    let profile = fs::read_to_string(profile).unwrap();
    Some(Cost {
        instructions: numbers(&profile, "time=").last().unwrap(),
        memory: numbers(&profile, "mem_heap_B=").max().unwrap(),
        output: output.stdout.len() as u64,
    })
}

/// Returns the numbers in the lines that begin with `name`.
fn numbers<'p>(profile: &'p str, name: &'p str) -> impl Iterator<Item = u64> + 'p {
    profile.lines().filter_map(move |line| line.strip_prefix(name)?.parse().ok())
}

static IS_INSTALLED: LazyLock<bool> =
    LazyLock::new(|| Command::new("valgrind").arg("--version").output().is_ok());

/// The program, without its debug information if `strip` is installed. Otherwise, valgrind reads
/// this information in each run.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let program = Path::new(env!("CARGO_BIN_EXE_gamewire"));
    let stripped = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gamewire");
    let args: [&OsStr; 3] = ["-o".as_ref(), stripped.as_os_str(), program.as_os_str()];
    match Command::new("strip").args(args).status() {
        Ok(status) if status.success() => stripped,
        _ => program.into(),
    }
});
