//! The packages that a package refers to, for `show` and `unreal deps`.

use gamewire::unreal::{Error, Package, PackageName, ReferenceKind};
use std::collections::HashMap;
use std::fmt;

/// The packages that a package refers to, sorted and without duplicates.
///
/// Each text is stored only once. In a hostile file, many names can consist of the same long text
/// and different numbers.
pub struct PackageReferences {
    /// The texts of the names, sorted.
    texts: Vec<String>,
    references: Vec<Reference>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Reference {
    /// Index of the text of the name.
    text: usize,
    /// Number of the name, as in [`NameText::number`](gamewire::unreal::NameText::number).
    number: i32,
    kind: ReferenceKind,
}

impl PackageReferences {
    /// Collects the references of a package, except those to code packages if `no_code` is `true`.
    /// Also returns the error at which reading stopped, if any.
    pub fn of(package: &Package<'_>, no_code: bool) -> (Self, Option<Error>) {
        let mut error = None;
        let mut texts = Vec::new();
        let mut indices = HashMap::new();
        let mut references = Vec::new();
        for reference in package.references() {
            let reference = match reference {
                Ok(reference) if no_code && reference.is_code() => continue,
                Ok(reference) => reference,
                Err(problem) => {
                    error = Some(problem);
                    break;
                }
            };
            let (text, number) = match reference.package {
                PackageName::Name(name) => (name.text(), name.number()),
                PackageName::Text(text) => (text, 0),
            };
            let place = (text.bytes().as_ptr(), text.bytes().len());
            let index = *indices.entry(place).or_insert_with(|| {
                texts.push(match reference.package {
                    PackageName::Name(_) => text.to_string(),
                    name @ PackageName::Text(_) => name.to_string(),
                });
                texts.len().saturating_sub(1)
            });
            references.push(Reference { text: index, number, kind: reference.kind });
        }
        (Self::sorted(texts, references), error)
    }

    fn sorted(texts: Vec<String>, mut references: Vec<Reference>) -> Self {
        let mut sorted: Vec<_> = texts.into_iter().enumerate().collect();
        sorted.sort_unstable_by(|(_, a), (_, b)| a.cmp(b));
        let mut ranks = vec![0; sorted.len()];
        let mut texts: Vec<String> = Vec::with_capacity(sorted.len());
        for (index, text) in sorted {
            if texts.last() != Some(&text) {
                texts.push(text);
            }
            if let Some(rank) = ranks.get_mut(index) {
                *rank = texts.len().saturating_sub(1);
            }
        }
        for reference in &mut references {
            reference.text = ranks.get(reference.text).copied().unwrap_or_default();
        }
        references.sort_unstable();
        references.dedup();
        Self { texts, references }
    }

    /// Removes references to the package itself, whose name is `name`.
    pub fn without(mut self, name: &str) -> Self {
        let suffixes: Vec<_> = self.texts.iter().map(|text| name.strip_prefix(&**text)).collect();
        self.references.retain(|reference| {
            let suffix = suffixes.get(reference.text).copied().flatten();
            suffix.is_none_or(|suffix| Suffix(reference.number).to_string() != suffix)
        });
        self
    }

    /// Returns the names of the packages to which references of this kind refer.
    pub fn names(&self, kind: ReferenceKind) -> impl Iterator<Item = impl fmt::Display> {
        self.of_kind(kind).map(|reference| self.name(reference))
    }

    /// Returns the names of the packages to which only soft references refer.
    pub fn only_soft(&self) -> impl Iterator<Item = impl fmt::Display> {
        let is_imported = |reference: &&Reference| {
            let import = Reference { kind: ReferenceKind::Import, ..**reference };
            self.references.binary_search(&import).is_ok()
        };
        let soft = self.of_kind(ReferenceKind::Soft);
        soft.filter(move |soft| !is_imported(soft)).map(|reference| self.name(reference))
    }

    fn of_kind(&self, kind: ReferenceKind) -> impl Iterator<Item = &Reference> {
        self.references.iter().filter(move |reference| reference.kind == kind)
    }

    fn name(&self, reference: &Reference) -> Name<'_> {
        let text = self.texts.get(reference.text).map_or("", String::as_str);
        Name { text, number: reference.number }
    }
}

struct Name<'t> {
    text: &'t str,
    number: i32,
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.text, Suffix(self.number))
    }
}

/// The end of a name: nothing for the number 0, otherwise an underscore and the number minus one.
struct Suffix(i32);

impl fmt::Display for Suffix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            number => write!(f, "_{}", i64::from(number).saturating_sub(1)),
        }
    }
}
