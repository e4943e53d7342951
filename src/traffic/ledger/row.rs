use super::account::Account;
use super::rows::{RowMember, RowNode};
use crate::transport::Sum;
use core::fmt;

/// A row of a [`Ledger`](super::Ledger): the total of an account, or of a node or member in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row<'l> {
    /// The account to which the bytes belong.
    pub account: Account,
    /// The node, if the row counts the packets of a node.
    pub node: Option<RowNode<'l>>,
    /// The member of the node, if the row is about a method or property. For replicated state, the
    /// row without a member counts the headers of the node's states.
    pub member: Option<RowMember<'l>>,
    /// Number of packets, headers, messages or values.
    pub count: u64,
    /// Number of bytes. Only [`Account::Compression`] can be negative.
    pub bytes: i64,
}

impl<'l> Row<'l> {
    pub(super) fn new(
        account: Account,
        node: Option<RowNode<'l>>,
        member: Option<RowMember<'l>>,
        sum: Sum,
    ) -> Self {
        Self { account, node, member, count: sum.count, bytes: sum.bytes.cast_signed() }
    }

    pub(super) fn of_account((account, count, bytes): (Account, u64, i64)) -> Self {
        Self { account, node: None, member: None, count, bytes }
    }

    /// Returns the name of the row, such as `rpc Main.chat` or `sync Main/Sync:property #0`. It
    /// consists of the name of the account and, if the row has them, the node and the member of the
    /// node. Bytes that are not UTF-8 are replaced.
    pub fn name(&self) -> impl fmt::Display + use<'l> {
        RowName(*self)
    }
}

struct RowName<'l>(Row<'l>);

impl fmt::Display for RowName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(row) = self;
        write!(f, "{}", row.account)?;
        if let Some(node) = row.node {
            write!(f, " {}", node.name())?;
        }
        if let Some(member) = row.member {
            write!(f, "{member}")?;
        }
        row.node.map_or(Ok(()), |node| node.origin(f))
    }
}

impl RowNode<'_> {
    fn name(&self) -> impl fmt::Display + use<'_> {
        NodeName(self)
    }

    /// Writes which peer assigned the number of the node.
    fn origin(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sender, relay) = match self {
            Self::Path(_) | Self::Others => return Ok(()),
            Self::Number { sender, relay, .. } => (sender, *relay),
            Self::NetId { sender, .. } => (sender, None),
        };
        if let Some(sender) = sender {
            write!(f, " from {sender}")?;
        }
        relay.map_or(Ok(()), |peer| write!(f, ", by {peer}"))
    }
}

struct NodeName<'n, 'l>(&'n RowNode<'l>);

impl fmt::Display for NodeName<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            RowNode::Path(path) => lossy(path, f),
            RowNode::Others => f.write_str("others"),
            RowNode::Number { number, .. } => write!(f, "#{number}"),
            RowNode::NetId { id, .. } => write!(f, "net id {id}"),
        }
    }
}

/// Writes the path, or the number and who assigned it: `Main/Sync`, `#3 from 10.0.0.1:4000`.
impl fmt::Display for RowNode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name())?;
        self.origin(f)
    }
}

/// Writes the member as it follows the name of the node: `.chat`, `:property #0`.
impl fmt::Display for RowMember<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => {
                f.write_str(".")?;
                lossy(name, f)
            }
            Self::Property(index) => write!(f, ":property #{index}"),
        }
    }
}

/// Writes text with a replacement character for bytes that are not UTF-8.
fn lossy(text: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    text.utf8_chunks().try_for_each(|chunk| {
        f.write_str(chunk.valid())?;
        if chunk.invalid().is_empty() { Ok(()) } else { f.write_str("\u{FFFD}") }
    })
}
