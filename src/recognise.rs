//! Recognises the format of a file from its first and last bytes and its name.
//!
//! Only the formats of the enabled features are recognised. Most formats have a signature, and
//! [`recognise_signature`] recognises only these. Godot values have none, so [`guess_values`] tries
//! the dialects and framings, and [`ValuesGuess::is_unique`] states whether only one of them fits.
//!
//! ```
//! # #[cfg(feature = "godot")] {
//! use gamewire::godot::Dialect;
//! use gamewire::recognise::{Format, Sample, recognise};
//!
//! let packet = [28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0]; // [5] in Godot 4
//! let Some(Format::GodotValues(guess)) = recognise(&Sample::whole("", &packet)) else { panic!() };
//! assert_eq!((guess.dialect, guess.framing, guess.is_unique), (Dialect::Godot4, None, true));
//! # }
//! ```

#[cfg(feature = "godot")]
mod values;

#[cfg(feature = "godot")]
pub use values::{ValuesGuess, guess_values};

#[cfg(feature = "alloc")]
use core::str;

/// The parts of a file from which its format is recognised.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "some features do not use every part")]
pub struct Sample<'a> {
    head: &'a [u8],
    tail: &'a [u8],
    name: &'a str,
    is_whole: bool,
}

impl<'a> Sample<'a> {
    /// Number of bytes of `head` that are enough to recognise any format.
    pub const HEAD: usize = 64 << 10;
    /// Number of bytes of `tail` that are enough to recognise any format.
    pub const TAIL: usize = 256;

    /// Creates a sample from the whole content of a file.
    pub fn whole(name: &'a str, bytes: &'a [u8]) -> Self {
        let tail = bytes.len().saturating_sub(Self::TAIL);
        Self { head: bytes, tail: bytes.get(tail..).unwrap_or(bytes), name, is_whole: true }
    }

    /// Creates a sample from the first and the last bytes of a longer file. `name` is the name or
    /// path of the file, or empty if it is not known.
    pub fn ends(name: &'a str, head: &'a [u8], tail: &'a [u8]) -> Self {
        Self { head, tail, name, is_whole: false }
    }

    #[cfg(feature = "unreal")]
    fn has_extension(&self, extension: &str) -> bool {
        let name = self.name.rsplit(['/', '\\']).next().unwrap_or_default();
        name.rsplit_once('.').is_some_and(|(_, own)| own.eq_ignore_ascii_case(extension))
    }
}

macro_rules! formats {
    (signature { $($signature:tt)* } content { $($content:tt)* }) => {
        formats! { @enum $($signature)* $($content)* }
        formats! {
            /// Returns the format of a file that has a signature, or whose name states its format.
            /// Returns `None` for values of Godot, its configuration files and saves of Rem's
            /// Engine, which [`recognise`] finds by reading the beginning of the file.
            ///
            /// ```
            /// use gamewire::recognise::{Sample, recognise_signature};
            ///
            /// let packet = [28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0]; // [5] in Godot 4
            /// assert_eq!(recognise_signature(&Sample::whole("", &packet)), None);
            /// # #[cfg(feature = "unreal")] {
            /// let name = Sample::whole("Game.locres", b"");
            /// assert!(recognise_signature(&name).is_some());
            /// # }
            /// ```
            @tests pub recognise_signature $($signature)*
        }
        formats! {
            /// Returns the format of a file that has no signature.
            @tests recognise_content $($content)*
        }
    };
    (@enum $(
        $(#[doc = $doc:literal])* #[cfg($condition:meta)]
        $Name:ident $(($guess:ty))?, $name:literal, $test:expr;
    )*) => {
        /// A format that this library reads. The formats of disabled features are missing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Format {
            $($(#[doc = $doc])* #[cfg($condition)] $Name $(($guess))?,)*
        }

        impl Format {
            /// Returns a phrase that can follow "this is": `a capture of network traffic`.
            pub const fn name(&self) -> &'static str {
                match *self {
                    $(#[cfg($condition)] Self::$Name { .. } => $name,)*
                }
            }
        }
    };
    ($(#[doc = $about:literal])* @tests $visibility:vis $function:ident $(
        $(#[doc = $doc:literal])* #[cfg($condition:meta)]
        $Name:ident $(($guess:ty))?, $name:literal, $test:expr;
    )*) => {
        $(#[doc = $about])*
        $visibility fn $function(sample: &Sample<'_>) -> Option<Format> {
            $(#[cfg($condition)] {
                let test: fn(&Sample<'_>) -> Option<Format> = $test;
                if let Some(format) = test(sample) {
                    return Some(format);
                }
            })*
            let _ = sample;
            None
        }
    };
}

/// Returns the format of a file, or `None` if no enabled format fits.
pub fn recognise(sample: &Sample<'_>) -> Option<Format> {
    recognise_signature(sample).or_else(|| recognise_content(sample))
}

#[allow(dead_code, reason = "not used without any format")]
fn when(is_it: bool, format: Format) -> Option<Format> {
    is_it.then_some(format)
}

// Formats are tested in this order.
formats! {
    signature {
        /// A capture: pcap or pcapng.
        #[cfg(feature = "capture")]
        Capture, "a capture of network traffic", |sample| when(crate::capture::is_capture(sample.head), Format::Capture);
        /// A compressed file of Godot (`GCPF`).
        #[cfg(feature = "godot-file")]
        GodotCompressed, "a compressed file of Godot", |sample| {
            use crate::godot::file::Container;
            let container = Container::recognise(sample.head);
            when(container == Some(Container::Compressed), Format::GodotCompressed)
        };
        /// An encrypted file of Godot (`GDEC`).
        #[cfg(feature = "godot-file")]
        GodotEncrypted, "an encrypted file of Godot", |sample| {
            use crate::godot::file::Container;
            let container = Container::recognise(sample.head);
            when(container == Some(Container::Encrypted), Format::GodotEncrypted)
        };
        /// A package with a header (`.uasset`, `.umap`).
        #[cfg(feature = "unreal")]
        UnrealPackage, "a package of Unreal Engine", |sample| {
            let is_package = crate::unreal::Package::is_package(sample.head);
            when(is_package && !is_block_container(sample.head), Format::UnrealPackage)
        };
        /// Data compressed in blocks, such as a compressed package or save.
        #[cfg(feature = "unreal")]
        UnrealCompressed, "data of Unreal Engine, compressed in blocks", |sample| {
            when(is_block_container(sample.head), Format::UnrealCompressed)
        };
        /// A saved game (`GVAS`).
        #[cfg(feature = "unreal")]
        UnrealSave, "a save of Unreal Engine", |sample| {
            when(crate::unreal::Save::is_save(sample.head), Format::UnrealSave)
        };
        /// A package from an IoStore container.
        #[cfg(feature = "unreal")]
        UnrealZenPackage, "a package of Unreal Engine from an IoStore container", |sample| {
            when(crate::unreal::ZenPackage::is_zen(sample.head), Format::UnrealZenPackage)
        };
        /// An archive (`.pak`).
        #[cfg(feature = "unreal")]
        UnrealPak, "a pak of Unreal Engine", |sample| {
            when(crate::unreal::pak::Footer::is_pak(sample.tail), Format::UnrealPak)
        };
        /// The table of contents of an IoStore container (`.utoc`).
        #[cfg(feature = "unreal")]
        UnrealToc, "the table of contents of an IoStore container of Unreal Engine", |sample| {
            when(sample.head.starts_with(b"-==--==--==--==-"), Format::UnrealToc)
        };
        /// Localized texts (`.locres`). A file with this extension also counts without the signature,
        /// which version 0 does not have.
        #[cfg(feature = "unreal")]
        UnrealLocres, "localized texts of Unreal Engine", |sample| {
            let is_old = sample.has_extension("locres");
            let is_locres = crate::unreal::Locres::is_locres(sample.head);
            when(is_locres || is_old, Format::UnrealLocres)
        };
        /// An asset registry (`AssetRegistry.bin`).
        #[cfg(feature = "unreal")]
        UnrealRegistry, "an asset registry of Unreal Engine", |sample| {
            let is_registry = crate::unreal::registry::Registry::is_registry(sample.head);
            when(is_registry, Format::UnrealRegistry)
        };
        /// Mappings of unversioned properties (`.usmap`).
        #[cfg(feature = "unreal")]
        UnrealMappings, "mappings of Unreal Engine", |sample| {
            // The magic number, the version, and the compression or a flag.
            let is_mappings = matches!(
                sample.head,
                [0xC4, 0x30, 0, 0..=3, ..] | [0xC4, 0x30, 1..=4, 0 | 1, 0, 0, 0, ..]
            );
            when(is_mappings, Format::UnrealMappings)
        };
        /// A save in the wrapper of a game.
        #[cfg(all(feature = "alloc", feature = "unreal-compression"))]
        UnrealWrappedSave, "a save of Unreal Engine in a wrapper of a game", |sample| {
            use crate::unreal::wrapper::{Options, is_wrapped};
            when(is_wrapped(sample.head, &Options::default()), Format::UnrealWrappedSave)
        };
    }
    content {
        /// A save of Rem's Engine: text, a binary stream or a container.
        #[cfg(feature = "rems")]
        Rems(crate::rems::FileFormat), "a save of Rem's Engine", |sample| {
            crate::rems::FileFormat::detect(sample.head).map(Format::Rems)
        };
        /// Values of Godot, alone or in frames.
        #[cfg(feature = "godot")]
        GodotValues(ValuesGuess), "values of Godot", |sample| {
            guess_values(sample.head, sample.is_whole).map(Format::GodotValues)
        };
        /// A configuration file of Godot, such as `project.godot`.
        #[cfg(all(feature = "alloc", feature = "godot"))]
        GodotConfig, "a configuration file of Godot", |sample| {
            when(is_configuration(sample), Format::GodotConfig)
        };
    }
}

/// Returns `true` for data that is compressed in blocks. Such data begins with the same tag as a
/// package. The tag is followed by the block size or by the upper half of a 64-bit tag; in a
/// package, it is followed by a negative version.
#[cfg(feature = "unreal")]
fn is_block_container(bytes: &[u8]) -> bool {
    const TAG: [u8; 4] = [0xC1, 0x83, 0x2A, 0x9E];
    let Some((&[a, b, c, d, rest @ ..], _)) = bytes.split_first_chunk::<8>() else { return false };
    [a, b, c, d] == TAG && matches!(u32::from_le_bytes(rest), 0 | 0x2222_2222 | 0x0002_0000)
}

/// Maximum number of bytes of a configuration file that are examined.
#[cfg(all(feature = "alloc", feature = "godot"))]
const CONFIGURATION: usize = 16 << 10;

/// Returns `true` for a text file with more values in Godot's notation than other values. A file
/// without values must have at least one section.
#[cfg(all(feature = "alloc", feature = "godot"))]
fn is_configuration(sample: &Sample<'_>) -> bool {
    use crate::godot::Dialect;
    use crate::godot::config::{ConfigReader, Item};

    let is_cut = sample.head.len() > CONFIGURATION || !sample.is_whole;
    let head = sample.head.get(..CONFIGURATION).unwrap_or(sample.head);
    let text = match str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if is_cut && error.error_len().is_none() => {
            let valid = head.get(..error.valid_up_to()).unwrap_or_default();
            str::from_utf8(valid).unwrap_or_default()
        }
        Err(_) => return false,
    };
    let is_control = |char: char| char.is_control() && !"\t\r\n\u{c}".contains(char);
    let is_other = ["[gd_scene", "[gd_resource", "<", "{"]
        .iter()
        .any(|start| text.trim_start().starts_with(start));
    if text.is_empty() || text.contains(is_control) || is_other {
        return false;
    }
    let (mut values, mut others, mut sections) = (0_usize, 0_usize, 0_usize);
    for item in ConfigReader::of(text, Dialect::Godot4) {
        let count = match item {
            Ok(Item::Section(_)) => &mut sections,
            Ok(Item::Entry(entry)) if entry.read().is_ok() => &mut values,
            Ok(Item::Entry(_)) => &mut others,
            Ok(_) => continue,
            Err(_) if is_cut => break,
            Err(_) => &mut others,
        };
        *count = count.saturating_add(1);
    }
    let is_json = sections > 0 && values == 0 && text.trim_start().starts_with("[\"");
    values > others || (others == 0 && sections > 0 && !is_json)
}
