//! Finds doc tests, which rustdoc compiles into one program.

use crate::tests::Test;
use crate::{Result, compile};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;

/// The environment variable that selects a doc test in the program.
pub const NUMBER: &str = "RUSTDOC_DOCTEST_RUN_NB_TEST";
/// A wrapper of rustdoc that allows its unstable option for keeping the compiled program.
const RUSTDOC: &str = "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc \"$@\"\n";

pub fn build(folder: &Path, tree: &Path) -> Result<Vec<Test>> {
    let (rustdoc, programs) = (folder.join("rustdoc"), folder.join("doctests"));
    fs::write(&rustdoc, RUSTDOC)?;
    fs::set_permissions(&rustdoc, fs::Permissions::from_mode(0o755))?;
    let _ = fs::remove_dir_all(&programs);
    let flags = format!("-Zunstable-options --persist-doctests {}", programs.display());
    let mut cargo = compile::cargo(folder, tree);
    cargo.env("RUSTDOC", rustdoc).env("RUSTDOCFLAGS", flags);
    cargo.args(["test", "--doc", "--all-features"]).stdout(Stdio::null());
    if !cargo.status()?.success() {
        return Err("the examples of the documentation fail".into());
    }
    let mut tests = Vec::new();
    for entry in fs::read_dir(programs)? {
        tests.extend(tests_in(&entry?.path())?);
    }
    Ok(tests)
}

/// Returns the doc tests in a folder. The folder contains a single doc test, or several that
/// rustdoc has merged into one program. A folder with several tests also contains the source of a
/// runner, which lists the names of the tests. If rustdoc cannot merge the tests, the folder
/// contains a runner but no program, and each test has its own folder.
fn tests_in(folder: &Path) -> Result<Vec<Test>> {
    let program = folder.join("rust_out");
    if !program.exists() {
        return Ok(Vec::new());
    }
    let Ok(runner) = fs::read_to_string(folder.join("doctest_runner_2024.rs")) else {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        return Ok(vec![Test::new("doc", &program, &name)]);
    };
    let descriptions = runner.split("TestDescAndFn::new_doctest(").skip(1);
    let names = descriptions.filter_map(|text| text.split('"').nth(1));
    let test = |(number, name)| Test { number: Some(number), ..Test::new("doc", &program, name) };
    Ok(names.enumerate().map(test).collect())
}
