//! Opens files: recognises the format, and unwraps compressed and encrypted ones.

use super::Session;
use super::formats::{self, Extras};
use crate::godot::Godot;
use crate::place::{Fault, Layout, Source};
use crate::tree::Tree;
use gamewire::compression::Compression;
use gamewire::godot::Dialect;
use gamewire::godot::file::{Compressed, Encrypted, Encryption, Key, compress, encrypt};
use gamewire::godot::find::Endian;
use gamewire::recognise::{Format, Sample, ValuesGuess, recognise};
use gamewire::rems::FileFormat;
use gamewire::unreal::wrapper::Wrapping;

/// How values are read.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub dialect: Dialect,
    pub framing: Option<Endian>,
    /// `true` if it is known that no other choice fits.
    pub is_unique: bool,
}

/// What is around the content of a file.
pub enum Wrapper {
    None,
    Compressed {
        file: Vec<u8>,
        compression: Compression,
    },
    Encrypted {
        file: Vec<u8>,
        key: Key,
        encryption: Encryption,
    },
    /// Headers and compression that a game puts around a save of Unreal Engine.
    Unreal {
        file: Vec<u8>,
        wrapping: Wrapping,
    },
    /// A container of Rem's Engine.
    Rems {
        file: Vec<u8>,
    },
}

impl Wrapper {
    pub fn original(&self) -> Option<&[u8]> {
        match self {
            Self::None => None,
            Self::Compressed { file, .. }
            | Self::Encrypted { file, .. }
            | Self::Unreal { file, .. }
            | Self::Rems { file } => Some(file),
        }
    }

    pub fn wrap(&self, content: &[u8], iv: [u8; 16]) -> Result<Vec<u8>, String> {
        match self {
            Self::None => Ok(content.to_vec()),
            Self::Compressed { compression, .. } => {
                compress(content, *compression).map_err(|error| error.to_string())
            }
            Self::Encrypted { key, encryption, .. } => {
                let encryption = match encryption {
                    Encryption::Godot3 => Encryption::Godot3,
                    Encryption::Godot4 { .. } => Encryption::Godot4 { iv },
                };
                Ok(encrypt(content, key, encryption))
            }
            Self::Unreal { wrapping, .. } => {
                wrapping.wrap(content).map_err(|error| error.kind().to_string())
            }
            Self::Rems { .. } => Ok(gamewire::rems::compress(content, 6)),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::None => "",
            Self::Compressed { .. } => " in a compressed file of Godot",
            Self::Encrypted { .. } => " in an encrypted file of Godot",
            Self::Unreal { .. } => " in the wrapper of a game",
            Self::Rems { .. } => " in a container",
        }
    }
}

/// The result of opening a file.
pub enum Opened {
    Session(Box<Session>),
    /// The file is encrypted. The bytes are returned, to be opened with a password.
    NeedsPassword(Vec<u8>),
}

/// Maximum size of decompressed content, in bytes.
const LIMIT: usize = 1 << 30;

/// Opens a file. `choice` overrides the guess for values of Godot.
pub fn open(
    name: &str,
    mut file: Vec<u8>,
    extras: &mut Extras,
    choice: Option<(Dialect, Option<Endian>)>,
) -> Result<Opened, Fault> {
    let (content, wrapper) = match recognise(&sample(name, &file)) {
        Some(Format::GodotCompressed) => {
            let opened = Compressed::open(&file).map_err(file_fault)?;
            let content = opened.decompress(LIMIT).map_err(file_fault)?;
            let compression = opened.compression();
            (content, Wrapper::Compressed { file, compression })
        }
        Some(Format::GodotEncrypted) => {
            let opened = Encrypted::open(&file).map_err(file_fault)?;
            let Some(password) = &extras.password else { return Ok(Opened::NeedsPassword(file)) };
            let key = key(password);
            let content = opened.decrypt(&key).map_err(file_fault)?;
            let encryption = opened.encryption();
            (content, Wrapper::Encrypted { file, key, encryption })
        }
        Some(Format::UnrealWrappedSave | Format::UnrealCompressed) => {
            let (content, wrapping) = formats::unwrap(&file)?;
            (content, Wrapper::Unreal { file, wrapping })
        }
        Some(Format::Rems(FileFormat::Container)) => {
            let content = gamewire::rems::decompress(&file, LIMIT).map_err(|error| Fault {
                text: error.kind().to_string(),
                offset: error.offset() as usize,
            })?;
            (content, Wrapper::Rems { file })
        }
        Some(Format::UnrealPackage) => {
            formats::append_exports(&mut file, extras);
            (file, Wrapper::None)
        }
        _ => (file, Wrapper::None),
    };
    session(name, content, wrapper, extras, choice)
        .map(|session| Opened::Session(Box::new(session)))
}

/// Returns the key of a password. A password of 64 hexadecimal digits is the key itself.
fn key(password: &str) -> Key {
    let digits = |at: usize| password.get(2 * at..2 * at + 2);
    let byte = |at| digits(at).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    let bytes: Option<Vec<u8>> = (0..32).map(byte).collect();
    match bytes.and_then(|bytes| bytes.try_into().ok()).filter(|_| password.len() == 64) {
        Some(bytes) => Key::from_bytes(bytes),
        None => Key::from_password(password),
    }
}

fn file_fault(error: gamewire::godot::file::Error) -> Fault {
    Fault { text: error.kind().to_string(), offset: error.offset() as usize }
}

fn session(
    name: &str,
    content: Vec<u8>,
    wrapper: Wrapper,
    extras: &mut Extras,
    choice: Option<(Dialect, Option<Endian>)>,
) -> Result<Session, Fault> {
    let fault = |text: &str| Fault { text: text.into(), offset: 0 };
    if content.is_empty() {
        return Err(fault("the file is empty"));
    }
    let choice = match choice {
        Some((dialect, framing)) => Choice { dialect, framing, is_unique: false },
        None => match recognise(&sample(name, &content)) {
            Some(Format::GodotValues(guess)) => guess.into(),
            Some(format) => {
                let opened = formats::source(&format, &content, extras)?;
                let format = format!("{}{}", capitalized(format.name()), wrapper.name());
                let source = opened.source;
                let mut session = Session::new(name, format, None, content, wrapper, source)?;
                session.second = extras.exports_name.take();
                (session.needs, session.engines) = (opened.needs, opened.engines);
                session.versions = opened.versions;
                return Ok(session);
            }
            None => {
                let guess = malformed(&content);
                guess.ok_or_else(|| fault("this is not a format that this page reads"))?
            }
        },
    };
    let source = Box::new(Godot { dialect: choice.dialect, layout: layout(choice.framing) });
    let format = format!("{}{}", values_name(&choice), wrapper.name());
    Session::new(name, format, Some(choice), content, wrapper, source)
}

/// Returns the name of a format without its article, with a capital first letter.
fn capitalized(name: &str) -> String {
    let name =
        ["a ", "an ", "the "].iter().find_map(|article| name.strip_prefix(article)).unwrap_or(name);
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Returns the way of reading that gets furthest in a malformed file. Requires more than 8 bytes
/// before the error.
fn malformed(content: &[u8]) -> Option<Choice> {
    let mut best = (8, None);
    for dialect in [Dialect::Godot4, Dialect::Godot3] {
        for framing in [None, Some(Endian::Little), Some(Endian::Big)] {
            let source = Godot { dialect, layout: layout(framing) };
            let offset = source.first_error(content).unwrap_or(content.len());
            if offset > best.0 {
                best = (offset, Some(Choice { dialect, framing, is_unique: false }));
            }
        }
    }
    best.1
}

/// Returns the sample of a file. Only the ends of a large file are examined.
fn sample<'a>(name: &'a str, content: &'a [u8]) -> Sample<'a> {
    let tail = content.len().saturating_sub(Sample::TAIL);
    match content.get(..Sample::HEAD) {
        Some(head) => Sample::ends(name, head, &content[tail..]),
        None => Sample::whole(name, content),
    }
}

impl From<ValuesGuess> for Choice {
    fn from(guess: ValuesGuess) -> Self {
        let ValuesGuess { dialect, framing, is_unique } = guess;
        Self { dialect, framing, is_unique }
    }
}

fn layout(framing: Option<Endian>) -> Layout {
    match framing {
        None => Layout::Values,
        Some(endian) => Layout::Frames { big_endian: endian == Endian::Big },
    }
}

fn values_name(choice: &Choice) -> String {
    let dialect = match choice.dialect {
        Dialect::Godot2 => "Godot 2",
        Dialect::Godot3 => "Godot 3",
        _ => "Godot 4",
    };
    match choice.framing {
        None => format!("Values of {dialect}"),
        Some(Endian::Little) => format!("Frames with values of {dialect}"),
        Some(Endian::Big) => format!("Frames (big-endian) with values of {dialect}"),
    }
}

impl Session {
    /// Reads the content in a different way.
    pub fn reread(self, dialect: Dialect, framing: Option<Endian>) -> Self {
        let choice = Choice { dialect, framing, is_unique: false };
        let source = Box::new(Godot { dialect, layout: layout(framing) });
        let format = format!("{}{}", values_name(&choice), self.wrapper.name());
        match Tree::new(&*source, &self.content) {
            Some(tree) => {
                Self { format, choice: Some(choice), source, tree, search: None, csv: None, ..self }
            }
            None => self,
        }
    }

    fn new(
        name: &str,
        format: String,
        choice: Option<Choice>,
        content: Vec<u8>,
        wrapper: Wrapper,
        source: Box<dyn Source>,
    ) -> Result<Self, Fault> {
        let tree = Tree::new(&*source, &content);
        let tree = tree.ok_or_else(|| Fault { text: "there are no values".into(), offset: 0 })?;
        Ok(Self {
            name: name.into(),
            format,
            choice,
            content,
            wrapper,
            second: None,
            needs: None,
            engines: None,
            versions: None,
            source,
            tree,
            undo: Vec::new(),
            redo: Vec::new(),
            search: None,
            csv: None,
            next_child: 0,
        })
    }
}
