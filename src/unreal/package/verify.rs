//! A check that all tables can be read and all references are valid.

use super::table_visitor::TableVisitor;
use crate::unreal::format::{Error, ErrorKind, Layout, Link, Name, Object, Records, Result, Value};
use crate::unreal::package::Package;
use crate::unreal::tables::Export;
use core::convert::Infallible;

/// The first problem of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{table}: {error}")]
pub struct Problem {
    /// Key under which `serde` serializes the table, such as `imports`.
    pub table: &'static str,
    /// The error of reading the table, or an invalid reference in it.
    pub error: Error,
}

impl<'a> Package<'a> {
    /// Reads every table to its end, and checks that all names and objects it refers to exist and
    /// that the bytes of exports are available. Calls `problem` with the first problem of each
    /// table. Returns `true` if there is no problem.
    ///
    /// ```
    /// use gamewire::unreal::Package;
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
    /// assert!(Package::open(file)?.verify(|problem| println!("{problem}")));
    ///
    /// // A split package without its `.uexp`.
    /// let file = &std::fs::read("corpus/unreal/ue5.8-cooked-tagged-Empty.umap")?;
    /// let mut tables = Vec::new();
    /// assert!(!Package::open(file)?.verify(|problem| tables.push(problem.table)));
    /// assert_eq!(tables, ["exports"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verify(&self, mut problem: impl FnMut(Problem)) -> bool {
        let mut ok = true;
        let mut problem = |table, error| {
            ok = false;
            problem(Problem { table, error });
        };
        let mut verify = Verify { package: self, problem: &mut problem };
        let Ok(()) = verify.rows("names", self.names());
        let Ok(()) = self.visit_tables(&mut verify);
        ok
    }

    /// Checks that the name or object exists; `at` is the offset of the reference.
    fn resolve(&self, link: Link, at: u64) -> Result<()> {
        let summary = self.summary();
        let within = |index: u32, count: i32| i64::from(index) < i64::from(count);
        let (there, kind) = match link {
            Link::Name(Name { index, .. }) => {
                let count = u32::try_from(summary.name_count).unwrap_or_default();
                let there = u32::try_from(index).is_ok_and(|index| index < count);
                (there, ErrorKind::NoSuchName { index, count })
            }
            Link::Object(index) => {
                let there = match index.object() {
                    Object::Null => true,
                    Object::Import(index) => within(index, summary.import_count),
                    Object::Export(index) => within(index, summary.export_count),
                };
                (there, ErrorKind::NoSuchObject(index.0))
            }
        };
        if there { Ok(()) } else { Err(Error::new(kind, at)) }
    }

    /// Checks that all names and objects of a value exist.
    fn resolve_all<T: Value<'a>>(&self, value: &T, layout: &Layout, at: u64) -> Result<()> {
        let mut result = Ok(());
        value.links(layout, &mut |link| {
            result = result.and_then(|()| self.resolve(link, at));
        });
        result
    }
}

struct Verify<'p, 'a> {
    package: &'p Package<'a>,
    problem: &'p mut dyn FnMut(&'static str, Error),
}

impl<'a> Verify<'_, 'a> {
    fn rows_and<T: Value<'a>>(
        &mut self,
        key: &'static str,
        mut rows: Records<'a, T>,
        more: impl Fn(&T, u64) -> Result<()>,
    ) -> Result<(), Infallible> {
        loop {
            let at = rows.offset();
            let Some(row) = rows.next() else { return Ok(()) };
            let checked = row.and_then(|row| {
                self.package.resolve_all(&row, self.package.layout(), at)?;
                more(&row, at)
            });
            if let Err(error) = checked {
                (self.problem)(key, error);
                return Ok(());
            }
        }
    }
}

impl<'a> TableVisitor<'a> for Verify<'_, 'a> {
    type Error = Infallible;

    fn rows<T: Value<'a>>(
        &mut self,
        key: &'static str,
        rows: Records<'a, T>,
    ) -> Result<(), Infallible> {
        self.rows_and(key, rows, |_, _| Ok(()))
    }

    fn single<T: Value<'a>>(
        &mut self,
        key: &'static str,
        value: Result<T>,
    ) -> Result<(), Infallible> {
        // The offset of a reference within a single value is not known, so its error has the offset
        // 0.
        let layout = self.package.layout();
        if let Err(error) = value.and_then(|value| self.package.resolve_all(&value, layout, 0)) {
            (self.problem)(key, error);
        }
        Ok(())
    }

    fn exports(&mut self, key: &'static str, rows: Records<'a, Export>) -> Result<(), Infallible> {
        let package = self.package;
        self.rows_and(key, rows, |export, at| match package.export_bytes(export) {
            Ok(_) => Ok(()),
            Err(error) => Err(Error::new(*error.kind(), at)),
        })
    }
}
