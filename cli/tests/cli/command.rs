//! Helpers that run the program as a user would run it.

use std::fs;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Returns the path of a file or folder of the repository.
pub fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(path)
}

/// Creates an empty folder for one test. Each test has a `name` of its own, such as `area/test`.
pub fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes a file into a folder. Returns its path.
pub fn write_file(folder: &Path, name: &str, content: &[u8]) -> String {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Returns a command that runs `gamewire`. Its working directory is the root of the repository.
/// Environment variables that contain settings of the terminal are removed.
pub fn gamewire() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gamewire"));
    command.current_dir(root(""));
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "CI"] {
        command.env_remove(variable);
    }
    command
}

/// The result of a run: exit code, standard output and standard error.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

pub fn run(args: &[&str]) -> Ran {
    gamewire().args(args).output().unwrap().into()
}

pub fn run_on(args: &[&str], input: &[u8]) -> Ran {
    output_on(args, input).into()
}

pub fn output_on(args: &[&str], input: &[u8]) -> Output {
    let mut command = gamewire();
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    // Write the input in a separate thread. The program may fill the pipe of its output before it
    // has read all of its input, and would then wait until the output is read.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Asserts that the run succeeded without messages on standard error. Returns its output.
#[track_caller]
pub fn shown(ran: Ran) -> String {
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    ran.out
}

/// Returns standard output and standard error in the order in which a terminal would show them, and
/// the exit code.
pub fn together(args: &[&str], input: &[u8]) -> (String, Option<i32>) {
    let [mut input_file, mut both] = [(); 2].map(|()| tempfile::tempfile().unwrap());
    input_file.write_all(input).unwrap();
    input_file.rewind().unwrap();
    let mut command = gamewire();
    command.args(args).stdin(input_file);
    command.stdout(both.try_clone().unwrap()).stderr(both.try_clone().unwrap());
    let status = command.status().unwrap();
    let mut text = String::new();
    both.rewind().unwrap();
    both.read_to_string(&mut text).unwrap();
    (text, status.code())
}
