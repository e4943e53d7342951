//! Reading a package in steps, each as long as there is time: what the engine's loader does in
//! `FLinkerLoad::Tick`.

use crate::unreal::format::{List, NameEntry, PackageIndex, Records, Result, Value};
use crate::unreal::package::Package;
use crate::unreal::properties::{Properties, Tag};
use crate::unreal::tables::{Export, GatherableText, Import};

/// Goes through a package record by record, and stops whenever its budget is spent.
///
/// The steps are those of the engine's loader: names, texts to be translated, imports,
/// exports, what these depend on, and then the properties of each export. All of its state is
/// a few positions.
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

/// What a [`Scanner`] comes by.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Scanned<'p> {
    /// A name.
    Name(NameEntry<'p>),
    /// A text to be translated.
    GatherableText(GatherableText<'p>),
    /// An object of another package.
    Import(Import),
    /// An object of the package.
    Export(Export),
    /// What the next export in order depends on.
    Depends(List<'p, PackageIndex>),
    /// A dependency of those that the exports count.
    PreloadDependency(PackageIndex),
    /// The properties of the export of that index come next, if it has any.
    Object(u32),
    /// A property of the export of that index, not those in structs.
    Property(u32, Tag<'p>),
}

/// How far a [`Scanner`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The budget was spent.
    Working,
    /// There is no more.
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

/// The exports whose properties are still to be read.
#[derive(Clone, Debug)]
struct Objects<'p> {
    exports: Records<'p, Export>,
    /// Of the export after the one that is open.
    next: u32,
    open: Option<Properties<'p>>,
}

impl<'p> Scanner<'p> {
    /// At the beginning of a package.
    pub fn new(package: &'p Package<'p>) -> Self {
        Self { package, stage: Stage::Names(package.names()) }
    }

    /// Goes on for as many records as `budget` says, and tells of each.
    ///
    /// # Errors
    /// If a record cannot be read; there is no going on then.
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

    /// The next record, whichever table it is in.
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

/// The next record of a table.
fn next<'p, T: Value<'p>>(
    rows: &mut Records<'p, T>,
    scanned: impl Fn(T) -> Scanned<'p>,
) -> Result<Option<Scanned<'p>>> {
    Ok(rows.next().transpose()?.map(scanned))
}

impl<'p> Objects<'p> {
    /// The next property, or the next export.
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
