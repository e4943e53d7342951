//! The result of decoding: trees of owned values.

use std::fmt;

/// An owned value. Floats are stored as bits, because a conversion could change them.
#[derive(Clone, PartialEq, Eq)]
pub enum Node {
    Truth(bool),
    /// An integer of any width.
    Number(i128),
    /// The bits of an `f32`.
    Single(u32),
    /// The bits of an `f64`.
    Double(u64),
    Guid([u32; 4]),
    /// A name of a package: its index, and its number.
    Name(i32, i32),
    /// `true` if the text has 16-bit units, and its units without the NUL.
    Text(bool, Vec<u16>),
    /// The bytes of a text that has a length and no NUL.
    Utf8(Vec<u8>),
    Bytes(Vec<u8>),
    /// A word, such as the name of a struct or the mark of a malformed value.
    Word(String),
    /// The reason why a value is opaque, or `None` if it is malformed. If one of two readers
    /// reports a malformed value, the reasons are not compared.
    Reason(Option<String>),
    List(Vec<Node>),
    /// Fields with their names, except those that the version of the file lacks.
    Record(Vec<(&'static str, Node)>),
}

impl Node {
    pub fn number(number: impl Into<i128>) -> Self {
        Self::Number(number.into())
    }

    pub fn word(word: impl fmt::Display) -> Self {
        Self::Word(word.to_string())
    }

    /// Returns the number of values in the tree.
    pub fn len(&self) -> usize {
        match self {
            Self::List(nodes) => nodes.iter().map(Self::len).sum(),
            Self::Record(fields) => fields.iter().map(|(_, node)| node.len()).sum(),
            _ => 1,
        }
    }

    /// Returns the node of a value that can have several forms; `word` names the form.
    pub fn form(word: &'static str, node: Self) -> Self {
        Self::Record(vec![(word, node)])
    }
}

/// Fields in their order in the file.
#[derive(Default)]
pub struct Fields(Vec<(&'static str, Node)>);

impl Fields {
    pub fn put(&mut self, name: &'static str, node: Node) {
        self.0.push((name, node));
    }

    pub fn put_some(&mut self, name: &'static str, node: Option<Node>) {
        self.0.extend(node.map(|node| (name, node)));
    }

    pub fn done(self) -> Node {
        Node::Record(self.0)
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Single(bits) => write!(f, "{:?}f32", f32::from_bits(*bits)),
            Self::Double(bits) => write!(f, "{:?}f64", f64::from_bits(*bits)),
            Self::Guid(words) => write!(f, "{words:08X?}"),
            Self::Name(index, number) => write!(f, "name {index}.{number}"),
            Self::Text(wide, units) => {
                write!(f, "{}{:?}", if *wide { "L" } else { "" }, String::from_utf16_lossy(units))
            }
            Self::Utf8(bytes) => write!(f, "u8{:?}", String::from_utf8_lossy(bytes)),
            Self::Bytes(bytes) => write!(f, "{bytes:02x?}"),
            Self::Word(word) => write!(f, "{word}"),
            Self::Reason(reason) => write!(f, "{}", reason.as_deref().unwrap_or("malformed")),
            Self::List(nodes) => f.debug_list().entries(nodes).finish(),
            Self::Record(fields) => {
                f.debug_map().entries(fields.iter().map(|(name, node)| (name, node))).finish()
            }
        }
    }
}

/// Returns a description of the first difference between two trees, or `None` if they are equal.
pub fn difference(ours: &Node, theirs: &Node) -> Option<String> {
    match (ours, theirs) {
        (Node::List(a), Node::List(b)) if a.len() == b.len() => {
            let mut both = a.iter().zip(b).enumerate();
            both.find_map(|(at, (a, b))| Some(format!("[{at}]{}", difference(a, b)?)))
        }
        (Node::Record(a), Node::Record(b)) if same_names(a, b) => {
            let mut both = a.iter().zip(b);
            both.find_map(|((name, a), (_, b))| {
                Some(format!(".{name}{}{}", kind_of(ours), difference(a, b)?))
            })
        }
        (Node::Reason(a), Node::Reason(b)) if a.is_none() || b.is_none() => None,
        (a, b) if a == b => None,
        (a, b) => Some(format!(": {} against {}", short(a), short(b))),
    }
}

/// Returns the type of a property in brackets, if the node is a property.
fn kind_of(node: &Node) -> String {
    match node {
        Node::Record(fields) => match fields.iter().find(|(name, _)| *name == "type") {
            Some((_, Node::Word(of))) => format!(" ({of})"),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

fn same_names(a: &[(&str, Node)], b: &[(&str, Node)]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|((a, _), (b, _))| a == b)
}

fn short(node: &Node) -> String {
    let text = format!("{node:?}");
    match text.char_indices().nth(600) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text,
    }
}
