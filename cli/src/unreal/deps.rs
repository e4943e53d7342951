//! The command `gamewire unreal deps`.

use super::{Files, Opened, Refusal, is_package, sought};
use crate::args::Deps;
use crate::detected_input::expand_folders;
use crate::ui::input::{self, Input, Stop};
use crate::ui::progress::Progress;
use crate::ui::style::{BOLD, DIM, Styled};
use crate::ui::text::escaped;
use gamewire::unreal::{Package, ReferenceKind};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// Prints the packages that each file refers to. Returns `true` if all files could be read.
pub fn run(args: &Deps, out: &mut impl Write) -> io::Result<bool> {
    let (files, ok) = expand_folders(&args.files, is_package, &sought());
    let progress = Progress::files(files.len());
    if args.dot {
        writeln!(out, "digraph packages {{\n  rankdir=LR;\n  node [shape=box];")?;
    }
    let read =
        input::for_each_parallel(&files, &progress, out, |input, out| file(args, input, out))?;
    if args.dot {
        writeln!(out, "}}")?;
    }
    Ok(ok && read)
}

fn file(args: &Deps, input: Input<'_>, out: &mut Vec<u8>) -> Result<bool, Stop> {
    let Ok(files) = Files::load(input, input.load_undecoded()?, args.unreal.engine)? else {
        return Err(Stop::input("not a package: it does not begin with their tag"));
    };
    let package = match files.open() {
        Ok(Opened::Package(package)) => package,
        Ok(Opened::Save(_)) => return Ok(true), // a save refers to objects by path, if at all
        Err(error) => return Err(Stop::input(Refusal(&error))),
    };
    let name = match package.long_name() {
        Some(name) => name.to_string(),
        None => input.path().with_extension("").display().to_string(),
    };
    let references = References::of(&package, &name, args.no_code)?;
    let printed = match (args.json, args.dot) {
        (true, _) => references.json(&input.name(), &name, out),
        (_, true) => references.dot(&name, out),
        _ => references.text(&name, out),
    };
    printed.map_err(Stop::Output)?;
    Ok(true)
}

/// The packages that a package refers to, sorted and without duplicates. Neither set contains the
/// package itself.
#[derive(Default)]
struct References {
    imports: BTreeSet<String>,
    soft: BTreeSet<String>,
}

impl References {
    fn of(package: &Package<'_>, name: &str, no_code: bool) -> Result<Self, Stop> {
        let mut found = Self::default();
        for reference in package.references() {
            let reference = reference.map_err(|error| Stop::input(Refusal(&error)))?;
            if no_code && reference.is_code() {
                continue;
            }
            let other = reference.package.to_string();
            if other == name {
                continue;
            }
            match reference.kind {
                ReferenceKind::Import => found.imports.insert(other),
                ReferenceKind::Soft => found.soft.insert(other),
            };
        }
        Ok(found)
    }

    fn text(&self, name: &str, out: &mut Vec<u8>) -> io::Result<()> {
        writeln!(out, "{}", Styled(BOLD, escaped(name)))?;
        for other in &self.imports {
            writeln!(out, "  {}  {}", Styled(DIM, "import"), escaped(other))?;
        }
        for other in &self.soft {
            writeln!(out, "  {}  {}", Styled(DIM, "soft  "), escaped(other))?;
        }
        Ok(())
    }

    fn json(&self, file: &str, name: &str, out: &mut Vec<u8>) -> io::Result<()> {
        let Self { imports, soft } = self;
        let object = serde_json::json!({
            "file": file, "package": name, "imports": imports, "soft": soft,
        });
        writeln!(out, "{object}")
    }

    fn dot(&self, name: &str, out: &mut Vec<u8>) -> io::Result<()> {
        writeln!(out, "  {};", Dot(name))?;
        for other in &self.imports {
            writeln!(out, "  {} -> {};", Dot(name), Dot(other))?;
        }
        for other in self.soft.difference(&self.imports) {
            writeln!(out, "  {} -> {} [style=dashed];", Dot(name), Dot(other))?;
        }
        Ok(())
    }
}

/// The name of a node in the DOT language, printed in quotes.
struct Dot<'s>(&'s str);

impl std::fmt::Display for Dot<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\"{}\"", escaped(self.0).replace('\\', "\\\\").replace('"', "\\\""))
    }
}
