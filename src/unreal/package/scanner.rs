//! Reads a package in steps with a budget, like the engine's `FLinkerLoad::Tick`.

use crate::unreal::format::{List, NameEntry, PackageIndex, Records, Result, Value};
use crate::unreal::package::Package;
use crate::unreal::properties::{Properties, Tag};
use crate::unreal::tables::{Export, GatherableText, Import};

/// A reader that reads a package record by record, and pauses when its budget is used up.
///
/// The order is that of the engine's loader: names, gatherable texts, imports, exports, the
/// dependencies of exports, preload dependencies, and then the properties of each export. The state
/// of the scanner does not grow with the package.
///
/// ```
/// use gamewire::unreal::{Package, Progress, Scanned, Scanner};
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
/// let package = Package::open(file)?;
/// let (mut scanner, mut ticks, mut imports) = (Scanner::new(&package), 0, 0);
/// while scanner.tick(50, |scanned| {
///     if let Scanned::Import(_) = scanned {
///         imports += 1;
///     }
/// })? == Progress::Working
/// {
///     ticks += 1; // a game would draw a frame here
/// }
/// assert_eq!(imports, package.imports().len());
/// assert!(ticks > 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scanner<'p> {
    package: &'p Package<'p>,
    stage: Stage<'p>,
}

/// An item that a [`Scanner`] reads.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Scanned<'p> {
    /// A name.
    Name(NameEntry<'p>),
    /// A text gathered for translation.
    GatherableText(GatherableText<'p>),
    /// An object of another package.
    Import(Import),
    /// An object of the package.
    Export(Export),
    /// The dependencies of an export. They are read in the order of the exports.
    Depends(List<'p, PackageIndex>),
    /// An entry of the preload dependencies.
    PreloadDependency(PackageIndex),
    /// Start of the export with this index. Its properties follow, if it has any.
    Object(u32),
    /// A property of the export with this index. Properties within structs are not reported.
    Property(u32, Tag<'p>),
}

/// The state of a [`Scanner`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The budget is used up.
    Working,
    /// All records have been read, or an earlier call of [`Scanner::tick`] returned an error.
    Done,
}

#[derive(Clone, Debug)]
enum Stage<'p> {
    Names(Records<'p, NameEntry<'p>>),
    GatherableText(Records<'p, GatherableText<'p>>),
    Imports(Records<'p, Import>),
    Exports(Records<'p, Export>),
    Depends(Records<'p, List<'p, PackageIndex>>),
    PreloadDependencies(Records<'p, PackageIndex>),
    Objects(Objects<'p>),
    Done,
}

/// The exports whose properties have not been read.
#[derive(Clone, Debug)]
struct Objects<'p> {
    exports: Records<'p, Export>,
    /// Index of the next export to read.
    next: u32,
    open: Option<Properties<'p>>,
}

impl<'p> Scanner<'p> {
    /// Creates a scanner at the start of a package.
    pub fn new(package: &'p Package<'p>) -> Self {
        Self { package, stage: Stage::Names(package.names()) }
    }

    /// Reads up to `budget` records, and calls `tell` for each.
    ///
    /// # Errors
    /// If a record cannot be read. The scanner reads nothing more after an error.
    pub fn tick(&mut self, budget: u32, mut tell: impl FnMut(Scanned<'p>)) -> Result<Progress> {
        for _ in 0..budget {
            match self.step() {
                Ok(Some(scanned)) => tell(scanned),
                Ok(None) => return Ok(Progress::Done),
                Err(error) => {
                    self.stage = Stage::Done;
                    return Err(error);
                }
            }
        }
        Ok(Progress::Working)
    }

    /// Reads the next record of any table.
    fn step(&mut self) -> Result<Option<Scanned<'p>>> {
        let package = self.package;
        loop {
            let (scanned, then) = match &mut self.stage {
                Stage::Names(rows) => {
                    (next(rows, Scanned::Name)?, Stage::GatherableText(package.gatherable_text()))
                }
                Stage::GatherableText(rows) => {
                    (next(rows, Scanned::GatherableText)?, Stage::Imports(package.imports()))
                }
                Stage::Imports(rows) => {
                    (next(rows, Scanned::Import)?, Stage::Exports(package.exports()))
                }
                Stage::Exports(rows) => {
                    (next(rows, Scanned::Export)?, Stage::Depends(package.depends()))
                }
                Stage::Depends(rows) => {
                    let then = Stage::PreloadDependencies(package.preload_dependencies());
                    (next(rows, Scanned::Depends)?, then)
                }
                Stage::PreloadDependencies(rows) => {
                    let objects = Objects { exports: package.exports(), next: 0, open: None };
                    (next(rows, Scanned::PreloadDependency)?, Stage::Objects(objects))
                }
                Stage::Objects(objects) => (objects.next(package)?, Stage::Done),
                Stage::Done => return Ok(None),
            };
            match scanned {
                Some(scanned) => return Ok(Some(scanned)),
                None => self.stage = then,
            }
        }
    }
}

/// Reads the next record of a table.
fn next<'p, T: Value<'p>>(
    rows: &mut Records<'p, T>,
    scanned: impl Fn(T) -> Scanned<'p>,
) -> Result<Option<Scanned<'p>>> {
    Ok(rows.next().transpose()?.map(scanned))
}

impl<'p> Objects<'p> {
    /// Reads the next property, or the next export.
    fn next(&mut self, package: &'p Package<'p>) -> Result<Option<Scanned<'p>>> {
        if let Some(tag) = self.open.as_mut().and_then(Iterator::next) {
            return Ok(Some(Scanned::Property(self.next.wrapping_sub(1), tag?)));
        }
        let Some(export) = self.exports.next() else { return Ok(None) };
        self.open = package.properties(&export?)?.map(|object| object.iter());
        let index = self.next;
        self.next = index.wrapping_add(1);
        Ok(Some(Scanned::Object(index)))
    }
}
