//! Names of methods from the files that `--methods` and `--scripts` name.

use crate::args::Packets;
use gamewire::traffic::methods::{MethodNames, Scripts};
use std::fs;
use std::io;
use std::path::Path;

/// Reads the names of methods. An error message begins with the path of the file or folder from the
/// command line.
pub fn load(args: &Packets) -> Result<MethodNames, String> {
    let mut names = MethodNames::default();
    if let Some(path) = &args.methods {
        let in_file = |problem: String| format!("{}: {problem}", path.display());
        let text = fs::read_to_string(path).map_err(|error| in_file(error.to_string()))?;
        names.add_list(&text).map_err(|error| in_file(error.to_string()))?;
    }
    if let Some(folder) = &args.scripts {
        let scripts = scripts(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let added = names.add_scripts(&scripts);
        added.map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(names)
}

/// Reads all scripts in a folder and its subfolders. Does not enter folders through symbolic links.
fn scripts(folder: &Path) -> io::Result<Scripts> {
    let mut scripts = Scripts::default();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "gd") {
                let source = fs::read(&path)?;
                let file_name = path.file_name().unwrap_or_default().to_string_lossy();
                scripts.add(&file_name, &String::from_utf8_lossy(&source));
            }
        }
    }
    Ok(scripts)
}
