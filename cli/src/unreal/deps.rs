//! The command `gamewire unreal deps`.

#[cfg(feature = "parquet")]
mod edges;

use super::package_references::PackageReferences;
use super::{Files, Opened, Refusal, archives, is_package, size_on_disk, sought};
use crate::args::Deps;
use crate::recognise::{Sample, recognise};
use crate::ui::input::{Input, Stop};
use crate::ui::on_demand::{Sequence, Text};
use crate::ui::style::{BOLD, DIM, Styled};
use crate::ui::text::escaped;
use crate::ui::walk::{Wanted, expand_folders};
use gamewire::unreal::ReferenceKind;
use serde::ser::{SerializeMap, Serializer};
use std::fmt::Display;
use std::io::{self, Write};

/// Prints the packages that each file refers to. Returns `true` if all files could be read.
pub fn run(args: &Deps, out: &mut impl Write) -> io::Result<bool> {
    let wanted = Wanted { name: is_package, content: |_| Ok(true), description: sought() };
    let found = expand_folders(&args.files, &wanted);
    #[cfg(feature = "parquet")]
    if let Some(path) = &args.parquet {
        return Ok(edges::write(path, |mut lines| {
            found.for_each(size_on_disk, &mut lines, |input, out| file(args, input, out))
        }));
    }
    if args.dot {
        writeln!(out, "digraph packages {{\n  rankdir=LR;\n  node [shape=box];")?;
    }
    let ok = found.for_each(size_on_disk, out, |input, out| file(args, input, out))?;
    if args.dot {
        writeln!(out, "}}")?;
    }
    Ok(ok)
}

fn file(args: &Deps, input: Input<'_>, out: &mut dyn Write) -> Result<bool, Stop> {
    let files = match Files::load(input, archives::load(input)?, args.unreal)? {
        Ok(files) => files,
        Err(bytes) => return Err(not_a_package(input, &bytes)),
    };
    let package = match files.open() {
        Ok(Opened::Package(package)) => package,
        Ok(Opened::Zen(_)) => return Err(Stop::input(NO_CONTAINERS)),
        Ok(Opened::Save(_)) => return Ok(true), // a save refers to objects by path, if at all
        Err(error) => return Err(Stop::input(Refusal(&error))),
    };
    let name = match package.long_name() {
        Some(name) => name.to_string(),
        None => input.path().with_extension("").display().to_string(),
    };
    let (references, error) = PackageReferences::of(&package, args.no_code);
    if let Some(error) = error {
        return Err(Stop::input(Refusal(&error)));
    }
    let references = references.without(&name);
    #[cfg(feature = "parquet")]
    if args.parquet.is_some() {
        let printed = edges::print(&references, &input.name(), &name, out);
        return printed.map(|()| true).map_err(Stop::Output);
    }
    let printed = match (args.json, args.dot) {
        (true, _) => json(&references, &input.name(), &name, out),
        (_, true) => dot(&references, &name, out),
        _ => text(&references, &name, out),
    };
    printed.map_err(Stop::Output)?;
    Ok(true)
}

const NO_CONTAINERS: &str = "a package from an IoStore container states its references as hashes: \
                             `gamewire show` prints the packages that it names";

fn not_a_package(input: Input<'_>, bytes: &[u8]) -> Stop {
    match recognise(&Sample::whole(input.path(), bytes)) {
        Some(kind) => Stop::input(format_args!("not a package: this is {kind} ({})", kind.advice)),
        None => Stop::input("not a package: it does not begin with the tag of a package"),
    }
}

fn text(references: &PackageReferences, name: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", Styled(BOLD, escaped(name)))?;
    for (kind, label) in [(ReferenceKind::Import, "import"), (ReferenceKind::Soft, "soft  ")] {
        for other in references.names(kind) {
            writeln!(out, "  {}  {}", Styled(DIM, label), escaped(other))?;
        }
    }
    Ok(())
}

fn json(
    references: &PackageReferences,
    file: &str,
    name: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names = |kind| Sequence(move || references.names(kind).map(Text));
    let mut json = serde_json::Serializer::new(&mut *out);
    let mut object = json.serialize_map(None)?;
    object.serialize_entry("file", file)?;
    object.serialize_entry("imports", &names(ReferenceKind::Import))?;
    object.serialize_entry("package", name)?;
    object.serialize_entry("soft", &names(ReferenceKind::Soft))?;
    SerializeMap::end(object)?;
    out.write_all(b"\n")
}

fn dot(references: &PackageReferences, name: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "  {};", Dot(name))?;
    for other in references.names(ReferenceKind::Import) {
        writeln!(out, "  {} -> {};", Dot(name), Dot(other))?;
    }
    for other in references.only_soft() {
        writeln!(out, "  {} -> {} [style=dashed];", Dot(name), Dot(other))?;
    }
    Ok(())
}

/// The name of a node in the DOT language, printed in quotes.
struct Dot<T>(T);

impl<T: Display> Display for Dot<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\"{}\"", escaped(&self.0).replace('\\', "\\\\").replace('"', "\\\""))
    }
}
