use crate::unreal::format::{
    ErrorKind, Guid, KnownCustomVersions, Layout, Link, NameText, Object, PackageIndex,
};
use crate::unreal::package::Package;
use crate::unreal::properties::{NameRef, PropertyContext};
use crate::unreal::save::Save;
use crate::unreal::tables::CustomVersions;

/// The layout of bytes without a package or save, for tests and for bytes that were extracted from
/// a file.
///
/// There is no table of names or objects, so names and references are read without a check, and
/// [`Archive::name_text`](super::Archive::name_text) returns `None` for a name that is stored as an
/// index.
#[derive(Clone, Debug)]
pub struct Standalone<'a>(PropertyContext<'a>);

impl Standalone<'_> {
    /// Creates an origin for bytes with this layout.
    pub const fn new(layout: Layout) -> Self {
        Self(PropertyContext::new(layout))
    }
}

/// The package or save to which the bytes of an archive belong. It determines their versions. A
/// package also has the table of their names.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Origin<'a> {
    /// A package.
    Package(&'a Package<'a>),
    /// A save.
    Save(&'a Save<'a>),
    /// Neither: only the layout is known.
    Standalone(&'a Standalone<'a>),
}

impl<'a, 'b: 'a> From<&'a Package<'b>> for Origin<'a> {
    fn from(package: &'a Package<'b>) -> Self {
        Self::Package(package)
    }
}

impl<'a, 'b: 'a> From<&'a Save<'b>> for Origin<'a> {
    fn from(save: &'a Save<'b>) -> Self {
        Self::Save(save)
    }
}

impl<'a, 'b: 'a> From<&'a Standalone<'b>> for Origin<'a> {
    fn from(standalone: &'a Standalone<'b>) -> Self {
        Self::Standalone(standalone)
    }
}

impl<'a> Origin<'a> {
    pub(super) const fn context(self) -> &'a PropertyContext<'a> {
        match self {
            Self::Package(package) => package.context(),
            Self::Save(save) => save.context(),
            Self::Standalone(Standalone(context)) => context,
        }
    }

    pub(super) fn name_text(self, name: NameRef<'a>) -> Option<NameText<'a>> {
        self.context().text(name)
    }

    pub(super) fn custom_version(self, of: Guid) -> i32 {
        let stated = |list: CustomVersions<'_>| {
            list.iter().flatten().find(|custom| custom.guid == of).map(|custom| custom.version)
        };
        let known = |custom: &KnownCustomVersions| custom.version_of(of);
        match self {
            Self::Package(package) if package.versions().is_unversioned() => {
                known(&package.layout().custom).or(Some(i32::MAX))
            }
            Self::Package(package) => stated(package.summary().custom_versions),
            Self::Save(save) => stated(save.custom_versions()),
            Self::Standalone(Standalone(context)) => known(&context.layout.custom),
        }
        .unwrap_or(-1)
    }

    /// Returns the kind of error if the file does not have a name or an object.
    pub(super) fn refuses(self, link: Link) -> Option<ErrorKind> {
        match (self, link) {
            (Self::Standalone(_), _) => None,
            (_, Link::Name(name)) if self.context().knows(NameRef::Index(name)) => None,
            (_, Link::Name(name)) => {
                let count = self.context().names.count();
                Some(ErrorKind::NoSuchName { index: name.index, count })
            }
            (_, Link::Object(index)) if self.has_object(index) => None,
            (_, Link::Object(index)) => Some(ErrorKind::NoSuchObject(index.0)),
        }
    }

    fn has_object(self, index: PackageIndex) -> bool {
        let (imports, exports) = match self {
            Self::Package(package) => {
                (package.summary().import_count, package.summary().export_count)
            }
            _ => (0, 0),
        };
        match index.object() {
            Object::Null => true,
            Object::Import(index) => i64::from(index) < i64::from(imports),
            Object::Export(index) => i64::from(index) < i64::from(exports),
        }
    }
}
