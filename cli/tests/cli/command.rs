//! The command line, run as a user would.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Path of a file or folder of the repository.
pub fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(path)
}

/// Runs the binary in the root of the repository, independently of the caller's terminal settings.
pub fn gamewire() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gamewire"));
    command.current_dir(root(""));
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "CI"] {
        command.env_remove(variable);
    }
    command
}

/// Result of a run: exit code, standard output, standard error.
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
    // In a thread, since the output may fill its pipe before the input is read.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Asserts success with empty standard error.
#[track_caller]
pub fn shown(ran: Ran) -> String {
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    ran.out
}
