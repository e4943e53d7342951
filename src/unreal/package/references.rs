//! References to other packages.

use crate::unreal::format::{Name, NameText, Result, StrRef};
use crate::unreal::package::Package;
use crate::unreal::tables::{AssetPath, Import, SoftPackage};
use core::fmt::{self, Write};

/// A reference to another package.
#[derive(Clone, Copy, Debug)]
pub struct PackageReference<'a> {
    /// Kind of the reference.
    pub kind: ReferenceKind,
    /// The other package.
    pub package: PackageName<'a>,
}

impl PackageReference<'_> {
    /// Returns `true` for a package of code (`/Script/…`), which is not stored in a file.
    pub fn is_code(&self) -> bool {
        struct Code<'c>(&'c str);

        impl Write for Code<'_> {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                let (prefix, len) = (self.0, self.0.len().min(text.len()));
                let (begin, rest) = prefix.split_at_checked(len).unwrap_or_default();
                self.0 = rest;
                if text.as_bytes().starts_with(begin.as_bytes()) { Ok(()) } else { Err(fmt::Error) }
            }
        }

        let mut code = Code("/Script/");
        write!(code, "{}", self.package).is_ok() && code.0.is_empty()
    }
}

/// The kind of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReferenceKind {
    /// An import. Engines load the other package together with this one.
    Import,
    /// A soft reference, which is loaded on demand.
    Soft,
}

/// The name of a package. `Display` leaves out the name of the object, which files below 4:484
/// append to the name of the package.
#[derive(Clone, Copy, Debug)]
pub enum PackageName<'a> {
    /// A name in the name table of the file.
    Name(NameText<'a>),
    /// A string, in files below 4:514.
    Text(StrRef<'a>),
}

impl fmt::Display for PackageName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => name.fmt(f),
            Self::Text(text) => {
                let chars = text.chars().map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER));
                chars.take_while(|char| *char != '.').try_for_each(|char| f.write_char(char))
            }
        }
    }
}

impl<'a> Package<'a> {
    /// Returns the packages that the package refers to, in the order of its tables. A package can
    /// appear several times, and this package can be among them. The names of code packages begin
    /// with `/Script/`.
    ///
    /// ```
    /// use gamewire::unreal::{Package, ReferenceKind};
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue5.6-SimpleRefsRoot.uasset")?;
    /// let package = Package::open(file)?;
    /// let mut soft = Vec::new();
    /// for reference in package.references() {
    ///     let reference = reference?;
    ///     if reference.kind == ReferenceKind::Soft {
    ///         soft.push(reference.package.to_string());
    ///     }
    /// }
    /// assert!(soft.contains(&"/Game/SimpleRefs/SimpleRefsSoftRef".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn references(&self) -> impl Iterator<Item = Result<PackageReference<'a>>> {
        let imports = self.imports().map(|import| import.map(|import| self.imported(&import)));
        let packages = self.soft_package_references().map(|package| {
            package.map(|package| match package {
                SoftPackage::Name(name) => self.name(name).map(PackageName::Name),
                SoftPackage::Text(text) => Some(PackageName::Text(text)),
            })
        });
        let objects = self.soft_object_paths().map(|object| {
            object.map(|object| match object.path {
                AssetPath::Whole(name) | AssetPath::Parts { package: name, .. } => {
                    self.some_name(name)
                }
            })
        });
        let of = |kind| {
            move |package: Result<Option<PackageName<'a>>>| {
                package.map(|package| package.map(|package| PackageReference { kind, package }))
            }
        };
        imports
            .map(of(ReferenceKind::Import))
            .chain(packages.chain(objects).map(of(ReferenceKind::Soft)))
            .filter_map(Result::transpose)
    }

    /// Returns the package that an import represents or is declared to be in.
    fn imported(&self, import: &Import) -> Option<PackageName<'a>> {
        // In cooked packages, engine 5.8 writes the name of the object into this field instead of
        // the name of a package.
        let said = import.package_name.filter(|name| *name != import.object_name);
        match said.and_then(|name| self.some_name(name)) {
            Some(name) => Some(name),
            None if import.outer.is_null() => self.some_name(import.object_name),
            None => None,
        }
    }

    /// Returns the text of the name, unless the name is `None`.
    fn some_name(&self, name: Name) -> Option<PackageName<'a>> {
        self.name(name).filter(|name| *name != *"None").map(PackageName::Name)
    }
}
