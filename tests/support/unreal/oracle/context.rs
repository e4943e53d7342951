//! Information about a file on which the reading of properties depends.

use super::bytes::{Bad, Cursor, Out, Text};
use super::node::Node;
use super::versions::Versions;

/// A hint about structs that the file does not name. Contains the name of a property, the struct
/// name of its keys, and the struct name of its values or elements.
pub type Hint<'a> = (&'a str, Option<&'a str>, Option<&'a str>);

const KNOWN: [Hint<'static>; 11] = [
    ("PropertyGuids", None, Some("Guid")),
    ("BindingIdToReferences", Some("Guid"), None),
    ("UserParameterRedirects", Some("NiagaraVariable"), Some("NiagaraVariable")),
    ("Tracks", Some("MovieSceneTrackIdentifier"), None),
    ("TrackReferenceCounts", Some("MovieSceneTrackIdentifier"), None),
    ("SubSequences", Some("MovieSceneSequenceID"), None),
    ("Hierarchy", Some("MovieSceneSequenceID"), None),
    ("TrackSignatureToTrackIdentifier", Some("Guid"), Some("MovieSceneTrackIdentifier")),
    ("ColorDatabase", None, Some("LinearColor")),
    ("AnimSequenceInstances", None, Some("Guid")),
    ("PostProcessInstances", None, Some("Guid")),
];

pub struct Context<'a> {
    pub versions: &'a Versions,
    /// The texts of the package's names; `None` for unreadable names.
    pub names: &'a [Option<Text>],
    /// The rows of the table of soft object paths.
    pub soft_paths: Vec<Node>,
    pub hints: &'a [Hint<'a>],
}

/// A name, with its text.
#[derive(Clone)]
pub struct Name {
    pub node: Node,
    pub text: Text,
    pub number: i32,
}

impl Name {
    /// Returns `true` if the name is this word without a number, ignoring case.
    pub fn is(&self, word: &str) -> bool {
        self.number == 0 && same_letters(&self.text.units, word)
    }

    /// Returns `true` if the name is `None`. In a save, an empty text also means `None`.
    pub fn is_none(&self) -> bool {
        self.is("None") || matches!(self.node, Node::Text(..)) && self.text.units.is_empty()
    }

    /// Returns the text of the name with its number, as it is printed.
    pub fn print(&self) -> String {
        let text = match self.is_none() {
            true if self.text.units.is_empty() => "None".to_owned(),
            _ => String::from_utf16_lossy(&self.text.units),
        };
        match self.number {
            0 => text,
            number => format!("{text}_{}", i64::from(number) - 1),
        }
    }
}

pub fn same_letters(units: &[u16], word: &str) -> bool {
    let lower = |unit: u16| match unit {
        0x41..=0x5A => unit + 0x20,
        other => other,
    };
    units.iter().map(|unit| lower(*unit)).eq(word.encode_utf16().map(lower))
}

impl Context<'_> {
    /// Reads a name: an index and a number, or a text in a save. The package must have a name with
    /// this index.
    pub fn name(&self, from: &mut Cursor<'_>) -> Out<Name> {
        if self.versions.save {
            let text = from.text()?;
            return Ok(Name { node: text.clone().node(), text, number: 0 });
        }
        let (index, number) = (from.i32()?, from.i32()?);
        let text = usize::try_from(index).ok().and_then(|index| self.names.get(index));
        let text = text.ok_or(Bad)?.clone();
        // A name with unreadable text is printed as an empty text.
        let print = number * i32::from(text.is_some());
        let text = text.unwrap_or(Text { wide: false, units: Vec::new() });
        Ok(Name { node: Node::Name(index, number), text, number: print })
    }

    /// Reads a name as a value.
    pub fn name_node(&self, from: &mut Cursor<'_>) -> Out<Node> {
        self.name(from).map(|name| name.node)
    }

    /// Reads a name in a type. Returns `None` if the package does not have the name.
    pub fn parameter(&self, from: &mut Cursor<'_>) -> Out<Option<Name>> {
        let mut at = *from;
        let name = self.name(&mut at).ok();
        match self.versions.save {
            true => from.text().map(drop)?,
            false => from.name().map(drop)?,
        }
        Ok(name)
    }

    /// Reads a reference to an object: an index, or a path in a save.
    pub fn object(&self, from: &mut Cursor<'_>) -> Out<Node> {
        if self.versions.save { from.string() } else { from.number() }
    }

    /// Returns the hint for a property. The flag is `true` if it is a hint that every reader knows.
    pub fn hint(&self, name: &Name) -> (bool, (Option<&str>, Option<&str>)) {
        let is = |(property, ..): &&Hint<'_>| name.is(property);
        if let Some((_, key, value)) = self.hints.iter().find(is) {
            return (false, (*key, *value));
        }
        let found = KNOWN.iter().find(is);
        (found.is_some(), found.map_or((None, None), |(_, key, value)| (*key, *value)))
    }
}
