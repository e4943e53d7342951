//! `gamewire completions` and `gamewire man`. Their output is generated from the argument
//! definitions.

use crate::args::{Cli, Completions, Man};
use crate::ui::text::escaped;
use crate::ui::{file_output, report};
use clap::{Command, CommandFactory};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

const NAME: &str = "gamewire";

/// Prints a completion script.
pub fn completions(args: &Completions, out: &mut impl Write) -> io::Result<bool> {
    // Generate into memory first: the generator would panic if it could not write to standard
    // output.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), NAME, &mut script);
    out.write_all(&script)?;
    Ok(true)
}

/// Prints the manual page of a command, or writes all pages to a folder. Returns `false` after an
/// error.
pub fn man(args: &Man, out: &mut impl Write) -> io::Result<bool> {
    if let Some(dir) = &args.dir {
        return Ok(write_pages(dir));
    }
    let mut command = Cli::command();
    command.build();
    let mut page = &command;
    for name in &args.command {
        let Some(subcommand) = page.find_subcommand(name) else {
            let names: Vec<_> = page.get_subcommands().map(|command| command.get_name()).collect();
            report::refusal(match names.is_empty() {
                true => format!("`{}` has no subcommand `{name}`", page.get_name()),
                false => {
                    format!("there is no command `{name}`; commands are {}", names.join(", "))
                }
            });
            return Ok(false);
        };
        page = subcommand;
    }
    clap_mangen::Man::new(page.clone()).render(out)?;
    Ok(true)
}

/// Writes `gamewire.1`, `gamewire-show.1` and so on.
fn write_pages(dir: &Path) -> bool {
    let mut command = Cli::command();
    command.build();
    let written = fs::create_dir_all(dir).and_then(|()| write_pages_of(&command, dir));
    if let Err(error) = &written {
        report::error(&escaped(dir.display()), error);
    }
    written.is_ok()
}

/// Writes the manual page of a command, and those of its subcommands.
fn write_pages_of(command: &Command, dir: &Path) -> io::Result<()> {
    let subcommands = command.get_subcommands().filter(|command| !command.is_hide_set());
    subcommands.into_iter().try_for_each(|command| write_pages_of(command, dir))?;
    let page = clap_mangen::Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    file_output::write(&dir.join(page.get_filename()), &text)
}
