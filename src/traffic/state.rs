//! Stores the state of [`Conversations`], and restores it.

use super::Conversations;
use super::flows::Flows;
use super::options::Options;
use core::fmt;
use serde::de::{DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeTuple, Serializer};

/// Number of elements in the tuple that represents a state.
const ELEMENTS: usize = 3;

/// Serializes the state for [`Conversations::restore`]. The state contains neither the options nor
/// counts of bytes. The same segments always give the same state.
///
/// The serialized form can change with each version of this crate. Store the version with it.
impl Serialize for Conversations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(ELEMENTS)?;
        tuple.serialize_element(&self.time)?;
        tuple.serialize_element(&(self.flows.hand() as u64))?;
        tuple.serialize_element(&FlowList(&self.flows))?;
        tuple.end()
    }
}

struct FlowList<'f>(&'f Flows);

impl Serialize for FlowList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.states())
    }
}

impl Conversations {
    /// Restores a state that was serialized by the same version of this crate. The next segment to
    /// process is the one after the last segment that the original conversations have processed.
    ///
    /// The options may differ from those of the original. The state may come from an untrusted
    /// source: it is checked, it takes no more memory than [`Limits`](super::Limits) allow, and a
    /// state that is wrong can only lead to wrong records. If the restored pairs of addresses need
    /// more memory than the limit, the states of the largest pairs are dropped. In addition to that
    /// memory, restoring takes up to 60 bytes for each byte of one pair's state.
    ///
    /// ```
    /// use gamewire::capture::{Segment, Transport};
    /// use gamewire::traffic::{Conversations, Options};
    ///
    /// let value = Transport::Udp { payload: &[2, 0, 0, 0, 5, 0, 0, 0] }; // put_var(5)
    /// let (source, destination) = ("10.0.0.1:4000".parse()?, "10.0.0.2:5000".parse()?);
    /// let segment = Segment { source, destination, transport: value };
    /// let mut conversations = Conversations::default();
    /// conversations.segment(None, &segment, &mut |_| ());
    ///
    /// let state = serde_json::to_string(&conversations)?;
    /// let mut deserializer = serde_json::Deserializer::from_str(&state);
    /// let restored = Conversations::restore(Options::default(), &mut deserializer)?;
    /// assert_eq!(serde_json::to_string(&restored)?, state);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the deserializer fails, or if the state contradicts itself or exceeds a
    /// limit.
    pub fn restore<'de, D: Deserializer<'de>>(
        options: Options,
        deserializer: D,
    ) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple(ELEMENTS, StateVisitor(options))
    }
}

struct StateVisitor(Options);

impl<'de> Visitor<'de> for StateVisitor {
    type Value = Conversations;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the state of conversations")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut tuple: A) -> Result<Conversations, A::Error> {
        let missing = |index| A::Error::invalid_length(index, &self);
        let time = tuple.next_element()?.ok_or_else(|| missing(0))?;
        let hand = tuple.next_element::<u64>()?.ok_or_else(|| missing(1))?;
        let flows = tuple.next_element_seed(FlowsSeed(&self.0))?.ok_or_else(|| missing(2))?;
        let mut conversations = Conversations { time, flows, ..Conversations::new(self.0) };
        conversations.flows.set_hand(usize::try_from(hand).unwrap_or(0));
        Ok(conversations)
    }
}

/// Restores the flows one by one, so that the memory limit applies to all of them together.
struct FlowsSeed<'o>(&'o Options);

impl<'de> DeserializeSeed<'de> for FlowsSeed<'_> {
    type Value = Flows;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Flows, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for FlowsSeed<'_> {
    type Value = Flows;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of conversations")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Flows, A::Error> {
        let mut flows = Flows::default();
        while let Some(state) = list.next_element()? {
            if flows.restore(state, self.0).is_none() {
                return Err(A::Error::custom(
                    "the state of a conversation contradicts itself or exceeds a limit",
                ));
            }
        }
        Ok(flows)
    }
}
