//! Checks that all tables of a Zen package can be read, and that all references are valid.

use super::package::{ZenPackage, no_export};
use crate::unreal::format::{
    Error, ErrorKind, HashedName, Name, Object, PackageIndex, Records, Result, Value,
};
use crate::unreal::package::Problem;
use crate::unreal::tables::{MappedName, ObjectIndex, ZenDependencies, ZenObject};

/// The numbers of records in the tables to which other records refer.
struct Counts {
    names: u32,
    imports: u32,
    exports: u32,
    hashes: u32,
    /// `None` if the package does not state the packages that it imports.
    packages: Option<u32>,
    dependencies: u32,
}

impl<'a> ZenPackage<'a> {
    /// Reads every table to its end. Checks that the version fits the header, that the hashes of
    /// names are right, that indices of names and objects are in range, and that the bytes of
    /// exports are in the file. Calls `tell` with the first problem of each table. Returns `true`
    /// if there is no problem.
    ///
    /// Takes time proportional to the size of the tables. Below engine 5.3, also takes time
    /// proportional to the square of the number of exports, unless there is an
    /// [index](Self::with_index).
    pub fn verify(&self, mut tell: impl FnMut(Problem)) -> bool {
        let mut ok = true;
        let mut check = |table, result: Result<()>| {
            if let Err(error) = result {
                ok = false;
                tell(Problem { table, error });
            }
        };
        let counts = self.counts();
        check("summary", self.check_summary(&counts));
        check("names", self.check_names());
        check("imports", rows(self.imports(), |index| counts.object(index)));
        check("exports", self.check_exports(&counts));
        check("cell_imports", rows(self.cell_imports(), |index| counts.object(index)));
        check("cell_exports", rows(self.cell_exports(), |cell| counts.name(cell.class)));
        check("bundles", rows(self.bundles(), |_| Ok(())));
        check(
            "bundle_entries",
            rows(self.bundle_entries(), |entry| match entry.command {
                0 | 1 => counts.export(entry.export),
                command => Err(unknown("command", command)),
            }),
        );
        check("dependencies", rows(self.dependencies(), |of| counts.runs(&of)));
        check("dependency_entries", rows(self.dependency_entries(), |index| counts.index(index)));
        check("package_arcs", self.package_arcs().and_then(|arcs| rows(arcs, |_| Ok(()))));
        check("import_arcs", self.arcs().and_then(|(_, arcs)| rows(arcs, |_| Ok(()))));
        check("imported_packages", self.check_packages());
        check("bulk_data", rows(self.bulk_data(), |_| Ok(())));
        ok
    }

    fn counts(&self) -> Counts {
        let len = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        let packages = self.imported_packages().map_or(0, |packages| packages.len());
        Counts {
            names: len(self.names().len()),
            imports: len(self.imports().len()),
            exports: len(self.exports().len()),
            hashes: len(self.imported_hashes().len()),
            packages: self.summary().imported_names_offset.map(|_| len(packages)),
            dependencies: len(self.dependency_entries().len()),
        }
    }

    fn check_summary(&self, counts: &Counts) -> Result<()> {
        counts.name(self.summary().name).map_err(at(0))?;
        match self.has_fitting_version() {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::OtherHeader(self.layout().versions), 0)),
        }
    }

    fn check_names(&self) -> Result<()> {
        check_hashes(self.names())?;
        match self.names().left_over()? {
            0 => Ok(()),
            bytes => Err(Error::new(ErrorKind::Unused(bytes), 0)),
        }
    }

    fn check_exports(&self, counts: &Counts) -> Result<()> {
        let mut index = 0u32;
        rows(self.exports(), |export| {
            counts.name(export.object_name)?;
            for object in [export.outer, export.class, export.super_struct, export.template] {
                counts.object(object)?;
            }
            if export.filter > 2 {
                return Err(unknown("filter", export.filter.into()));
            }
            self.export_bytes(index).map_err(|error| *error.kind())?;
            index = index.saturating_add(1);
            Ok(())
        })
    }

    fn check_packages(&self) -> Result<()> {
        let mut packages = self.imported_packages()?;
        check_hashes(packages.names)?;
        packages.try_for_each(|package| package.map(drop))
    }
}

fn check_hashes<'a>(names: impl Iterator<Item = Result<HashedName<'a>>>) -> Result<()> {
    for name in names {
        name?.check_hash().map_err(at(0))?;
    }
    Ok(())
}

const fn unknown(what: &'static str, value: u32) -> ErrorKind {
    ErrorKind::Unknown { what, value: value as i64 }
}

/// Returns a function that makes an error at an offset.
fn at(offset: u64) -> impl Fn(ErrorKind) -> Error {
    move |kind| Error::new(kind, offset)
}

/// Checks each record.
fn rows<'a, T: Value<'a>>(
    mut rows: Records<'a, T>,
    mut check: impl FnMut(T) -> Result<(), ErrorKind>,
) -> Result<()> {
    loop {
        let offset = rows.offset();
        match rows.next() {
            None => return Ok(()),
            Some(row) => check(row?).map_err(at(offset))?,
        }
    }
}

impl Counts {
    fn name(&self, name: MappedName) -> Result<(), ErrorKind> {
        let Name { index, .. } = name.name();
        match name.kind() != MappedName::PACKAGE || index.cast_unsigned() < self.names {
            true => Ok(()),
            false => Err(ErrorKind::NoSuchName { index, count: self.names }),
        }
    }

    fn export(&self, index: u32) -> Result<(), ErrorKind> {
        match index < self.exports {
            true => Ok(()),
            false => Err(no_export(index)),
        }
    }

    fn object(&self, index: ObjectIndex) -> Result<(), ErrorKind> {
        match (index.object(), self.packages) {
            (ZenObject::Export(index), _) => self.export(index),
            (ZenObject::Import(import), Some(packages)) => {
                match (import >> 32) < packages.into() && (import as u32) < self.hashes {
                    true => Ok(()),
                    false => Err(ErrorKind::NoSuchObject(import as i32)),
                }
            }
            _ => Ok(()),
        }
    }

    fn index(&self, index: PackageIndex) -> Result<(), ErrorKind> {
        match index.object() {
            Object::Import(import) if import >= self.imports => {
                Err(ErrorKind::NoSuchObject(index.0))
            }
            Object::Export(export) => self.export(export),
            _ => Ok(()),
        }
    }

    /// Checks that the runs of dependencies of an export are within the table of entries.
    fn runs(&self, of: &ZenDependencies) -> Result<(), ErrorKind> {
        let counts = [
            of.create_before_create,
            of.serialize_before_create,
            of.create_before_serialize,
            of.serialize_before_serialize,
        ];
        let count = counts.iter().fold(0u32, |sum, count| sum.saturating_add(*count));
        let first = u32::try_from(of.first).unwrap_or(0);
        match first.saturating_add(count) <= self.dependencies {
            true => Ok(()),
            false => Err(ErrorKind::BadCount(count.cast_signed())),
        }
    }
}
