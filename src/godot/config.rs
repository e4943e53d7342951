//! Configuration files: the text that Godot's `ConfigFile` saves and loads. The engine also keeps
//! `project.godot`, `*.import`, `export_presets.cfg` and `override.cfg` in this form.
//!
//! # The text
//!
//! ```text
//! ; a comment
//! config_version=5
//!
//! [player]
//!
//! name="Ada"
//! position=Vector3(1, 2, 3)
//! "key with spaces"={
//! "hp": 5
//! }
//! ```
//!
//! A file is UTF-8. `[NAME]` starts a section; entries before the first section belong to the
//! section `""`. An entry is a key, `=`, and a value in Godot's [text notation](super::notation).
//! `;` starts a comment, which ends with the line. Otherwise, line ends are ordinary white space.
//! The details:
//!
//! * A value ends where its notation is complete, not at the end of a line. It can span several
//!   lines. A further entry or a section can follow it on the same line: `a=1 b=2 [c]`.
//! * White space, line ends and comments inside a key are dropped. A key without `=` therefore
//!   becomes part of the next key: `a`, line end, `b=1` sets the key `ab`. If no key follows, a
//!   key without `=` is ignored.
//! * A string in quotes replaces the part of the key before it: `a "b c" d=1` sets the key `b cd`.
//!   Outside of quotes, the engine reads each byte of a key as a character of Latin-1. Therefore,
//!   `ü=1` sets the key `Ã¼`. A byte order mark is not skipped; its bytes are read in the same way.
//! * In a section name, Godot 4 reads `\]` as `]`. Spaces around the name are ignored. An
//!   empty name does not change the section.
//! * An entry with an empty key is ignored. `null` removes the key. If a key has several values,
//!   the engine keeps the last one.
//!
//! Each of these rules was confirmed with Godot 4.6.3 and 3.6.2. This module differs from the
//! engines in two ways. First, text that is not UTF-8 is an error; the engines replace the
//! malformed bytes. Second, it decodes escapes of characters that are not ASCII, such as `\u00e9`;
//! the engines misread such escapes. The engines never write such text or such escapes.
//!
//! # The types
//!
//! [`ConfigReader`] yields the items of a file in order, including comments. The items borrow their
//! texts from the file. [`Config`] contains the values that the engine has after it has loaded the
//! file. [`ConfigEditor`] changes entries and keeps every other byte. [`ConfigWriter`] writes a
//! file as `ConfigFile.save` does.
//!
//! ```
//! use gamewire::godot::Dialect;
//! use gamewire::godot::config::{Config, ConfigEditor};
//!
//! let text = "[player]\n\nname=\"Ada\" ; the first\nhp=5\n";
//! let config = Config::parse(text.as_bytes(), Dialect::Godot4)?;
//! let name = config.get("player", "name").unwrap();
//! assert_eq!(name.value(), "\"Ada\"");
//! assert!(name.read()?.as_str().unwrap() == "Ada");
//!
//! let mut editor = ConfigEditor::new(text, Dialect::Godot4)?;
//! editor.set("player", "name", "Bob")?;
//! editor.set("player", "level", 2)?;
//! assert_eq!(editor.as_str(), "[player]\n\nname=\"Bob\" ; the first\nhp=5\nlevel=2\n");
//! # Ok::<(), gamewire::godot::config::Error>(())
//! ```

mod contents;
mod detect;
mod editor;
mod error;
mod names;
mod reader;
mod writer;

pub use contents::{Config, ConfigSection};
pub use detect::detect_dialect;
pub use editor::ConfigEditor;
pub use error::{Error, ErrorKind};
pub use names::encode_key;
pub use reader::{ConfigReader, Entry, Item, Section};
pub use writer::ConfigWriter;
