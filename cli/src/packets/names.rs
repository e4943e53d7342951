//! Reads the names of methods from the paths given with `--methods` and `--scripts`.

use crate::args::Packets;
use crate::detected_input::has_extension;
use crate::ui::input::Input;
use crate::ui::text::escaped;
use crate::ui::walk::{self, Wanted, expand_folders};
use gamewire::traffic::methods::{MethodNames, Scripts};
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::Path;

/// The names of methods. `complete` is `false` if a script could not be read.
pub struct Names {
    pub names: MethodNames,
    pub complete: bool,
}

/// Reads the names of methods. An error message begins with the path of the file or folder from the
/// command line.
pub fn load(args: &Packets) -> Result<Names, String> {
    let mut names = MethodNames::default();
    let mut complete = true;
    if let Some(path) = &args.methods {
        let in_file = |problem: String| format!("{}: {problem}", Input::new(path).name());
        let text = Input::new(path).load().map_err(|stop| in_file(stop.to_string()))?;
        let text = str::from_utf8(&text).map_err(|error| in_file(error.to_string()))?;
        names.add_list(text).map_err(|error| in_file(error.to_string()))?;
    }
    for folder in &args.scripts {
        let in_folder = |problem: &dyn Display| format!("{}: {problem}", escaped(folder.display()));
        let (scripts, all) = scripts(folder).map_err(|error| in_folder(&error))?;
        names.add_scripts(&scripts).map_err(|error| in_folder(&error))?;
        complete &= all;
    }
    Ok(Names { names, complete })
}

/// Reads all scripts in a folder and its subfolders. The result contains `false` if some of them
/// could not be read.
fn scripts(folder: &Path) -> io::Result<(Scripts, bool)> {
    fs::read_dir(folder)?;
    let wanted = Wanted {
        name: |path| has_extension(path, ["gd"]),
        content: |_| Ok(true),
        description: "scripts (.gd)".into(),
    };
    let found = expand_folders(&[folder.to_owned()], &wanted);
    let (mut scripts, mut unread) = (Scripts::default(), 0_u64);
    for path in &found.files {
        match fs::read(path) {
            Ok(source) => {
                let file_name = path.file_name().unwrap_or_default().to_string_lossy();
                scripts.add(&file_name, &String::from_utf8_lossy(&source));
            }
            Err(error) => {
                walk::warn_unread(path, error);
                unread = unread.saturating_add(1);
            }
        }
    }
    Ok((scripts, found.summarize(unread)))
}
