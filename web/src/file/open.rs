//! Opens files, and holds what opening them can need.

use super::place::Fault;
use super::session::Session;
use crate::family::Family;
use gamewire::godot::Dialect;
use gamewire::godot::find::Endian;
use gamewire::recognise::Sample;
use gamewire::unreal::{Mappings, Versions};

/// The password, files and choices that opening a file can need besides its bytes.
#[derive(Clone, Default)]
pub struct Extras {
    pub password: Option<String>,
    /// The file with the exports of a package, with its name.
    pub exports: Option<(String, Vec<u8>)>,
    /// The name of that file, if its bytes are in the content already.
    pub exports_name: Option<String>,
    pub mappings: Option<Loaded>,
    /// The engine that the user has chosen for a package that does not state its version.
    pub engine: Option<Engine>,
}

/// The major and minor version of an engine.
pub type Engine = (u16, u16);

/// Mappings, with the versions of the packages that they belong to.
#[derive(Clone, Copy)]
pub struct Loaded {
    pub mappings: &'static Mappings<'static>,
    pub versions: Option<Versions>,
}

/// How values of Godot are read.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub dialect: Dialect,
    pub framing: Option<Endian>,
    /// `true` if it is known that no other choice fits.
    pub is_unique: bool,
}

/// Another file that is needed to show everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Exports,
    Mappings,
}

/// The second file of a package.
pub struct Second {
    pub name: String,
    pub first_size: Box<FirstSize>,
}

/// Returns the size of the first file in the content. The second one begins there.
type FirstSize = dyn Fn(&[u8]) -> usize;

/// A file whose content is compressed or encrypted.
pub struct Wrapped {
    pub file: Vec<u8>,
    pub wrapper: Box<dyn Wrapper>,
}

/// What is around the content of a file.
pub trait Wrapper {
    /// Returns a phrase that can follow the name of a format.
    fn name(&self) -> &'static str;
    /// Returns a file with this content. `iv` is random bytes for an encrypted file.
    fn wrap(&self, content: &[u8], iv: [u8; 16]) -> Result<Vec<u8>, String>;
}

/// The result of opening a file.
pub enum Opened {
    Session(Box<Session>),
    /// The file is encrypted. The bytes are returned, to be opened with a password.
    NeedsPassword(Vec<u8>),
}

/// Opens a file.
pub fn open(name: &str, file: Vec<u8>, extras: &mut Extras) -> Result<Opened, Fault> {
    match Family::of(&sample(name, &file)) {
        #[cfg(feature = "unreal")]
        Family::Unreal => crate::unreal::open::open(name, file, extras),
        #[cfg(feature = "values")]
        Family::Values => crate::values::open::open(name, file, extras),
        family => {
            let text = format!("this file is for the module “{}”", family.name());
            Err(Fault { text, offset: 0 })
        }
    }
}

/// Returns the sample of a file. Only the ends of a large file are examined.
pub fn sample<'a>(name: &'a str, content: &'a [u8]) -> Sample<'a> {
    let tail = content.len().saturating_sub(Sample::TAIL);
    match content.get(..Sample::HEAD) {
        Some(head) => Sample::ends(name, head, &content[tail..]),
        None => Sample::whole(name, content),
    }
}

/// Returns the name of a format without its article, with a capital first letter. The name of the
/// wrapper follows it.
pub fn format_name(name: &str, wrapped: Option<&Wrapped>) -> String {
    let name =
        ["a ", "an ", "the "].iter().find_map(|article| name.strip_prefix(article)).unwrap_or(name);
    let mut chars = name.chars();
    let mut out = String::new();
    out.extend(chars.next().into_iter().flat_map(char::to_uppercase));
    out.extend(chars);
    out + wrapped.map_or("", |wrapped| wrapped.wrapper.name())
}
