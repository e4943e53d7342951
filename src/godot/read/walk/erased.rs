//! A visitor that is called through a vtable. With it, the walk is compiled only once and not for
//! each visitor.

use super::{Leaf, Open, Property, Visitor};
use crate::godot::{Error, ErrorKind, Kind};

/// A [`Visitor`] whose type the walk does not know.
pub(crate) struct Erased<'e, 'a> {
    events: &'e mut (dyn Events<'a> + 'e),
    cuts_off: bool,
}

/// The reason why a walk with an [`Erased`] visitor ended early.
pub(crate) enum Stop {
    Malformed(Error),
    /// The visitor returned an error, which its [`Stopper`] holds.
    Visitor,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Malformed(error)
    }
}

/// The object-safe half of [`Visitor`].
trait Events<'a> {
    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Stop>;
    fn open(&mut self, open: Open<'a>) -> Result<(), Stop>;
    fn property(&mut self, property: Property<'a>) -> Result<(), Stop>;
    fn close_at(&mut self, kind: Kind, end: u64) -> Result<(), Stop>;
}

/// A visitor, and the error with which it stopped the walk.
struct Stopper<'v, V, E> {
    visitor: &'v mut V,
    error: Option<E>,
}

impl<V, E> Stopper<'_, V, E> {
    fn stop(&mut self, result: Result<(), E>) -> Result<(), Stop> {
        result.map_err(|error| {
            self.error = Some(error);
            Stop::Visitor
        })
    }
}

impl<'a, V: Visitor<'a>> Events<'a> for Stopper<'_, V, V::Error> {
    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Stop> {
        let result = self.visitor.leaf(leaf);
        self.stop(result)
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Stop> {
        let result = self.visitor.open(open);
        self.stop(result)
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Stop> {
        let result = self.visitor.property(property);
        self.stop(result)
    }

    fn close_at(&mut self, kind: Kind, end: u64) -> Result<(), Stop> {
        let result = self.visitor.close_at(kind, end);
        self.stop(result)
    }
}

/// Calls `walk` with a visitor that calls `visitor` through a vtable.
pub(crate) fn erase<'a, V: Visitor<'a>, T>(
    visitor: &mut V,
    walk: impl FnOnce(&mut Erased<'_, 'a>) -> Result<T, Stop>,
) -> Result<T, V::Error> {
    let cuts_off = visitor.cuts_off();
    let mut events = Stopper { visitor, error: None };
    let walked = walk(&mut Erased { events: &mut events, cuts_off });
    walked.map_err(|stop| match (stop, events.error) {
        (Stop::Malformed(error), _) => error.into(),
        (Stop::Visitor, Some(error)) => error,
        (Stop::Visitor, None) => Error::new(ErrorKind::NoSuchPath, 0).into(), // unreachable
    })
}

impl<'a> Visitor<'a> for Erased<'_, 'a> {
    type Error = Stop;

    fn cuts_off(&self) -> bool {
        self.cuts_off
    }

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Stop> {
        self.events.leaf(leaf)
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Stop> {
        self.events.open(open)
    }

    fn property(&mut self, property: Property<'a>) -> Result<(), Stop> {
        self.events.property(property)
    }

    fn close(&mut self, kind: Kind) -> Result<(), Stop> {
        self.events.close_at(kind, 0) // never called: the walk calls only `close_at`
    }

    fn close_at(&mut self, kind: Kind, end: u64) -> Result<(), Stop> {
        self.events.close_at(kind, end)
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::godot::{Dialect, Reader};
    use alloc::vec::Vec;

    #[derive(Debug, PartialEq)]
    enum Failed {
        Malformed(Error),
        AfterEvents,
    }

    impl From<Error> for Failed {
        fn from(error: Error) -> Self {
            Self::Malformed(error)
        }
    }

    /// A visitor that records the offset of each event. The first `left` events succeed, and the
    /// next one fails.
    struct Record<const CUT_OFF: bool> {
        events: Vec<(char, u64)>,
        left: usize,
    }

    impl<const CUT_OFF: bool> Record<CUT_OFF> {
        fn add(&mut self, event: char, offset: u64) -> Result<(), Failed> {
            self.events.push((event, offset));
            self.left = self.left.checked_sub(1).ok_or(Failed::AfterEvents)?;
            Ok(())
        }
    }

    impl<'a, const CUT_OFF: bool> Visitor<'a> for Record<CUT_OFF> {
        type Error = Failed;
        const CUT_OFF: bool = CUT_OFF;

        fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Failed> {
            self.add('l', leaf.offset)
        }

        fn open(&mut self, open: Open<'a>) -> Result<(), Failed> {
            self.add('o', open.offset)
        }

        fn property(&mut self, property: Property<'a>) -> Result<(), Failed> {
            self.add('p', property.offset)
        }

        fn close(&mut self, _: Kind) -> Result<(), Failed> {
            self.add('c', 0)
        }
    }

    /// An array of an int and an object with one property.
    const PACKET: &[u8] = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x05\0\0\0\
        \x18\0\0\0\x01\0\0\0A\0\0\0\x01\0\0\0\x01\0\0\0x\0\0\0\0\0\0\0";

    fn same<const CUT_OFF: bool>(packet: &[u8], left: usize) -> usize {
        let record = || Record::<CUT_OFF> { events: Vec::new(), left };
        let (mut direct, mut erased) = (record(), record());
        let mut readers = [packet; 2].map(|packet| Reader::new(packet, Dialect::Godot4));
        let results = [readers[0].visit(&mut direct), readers[1].visit_dyn(&mut erased)];
        assert_eq!(results[0], results[1]);
        assert_eq!(direct.events, erased.events);
        assert_eq!(readers[0].offset(), readers[1].offset());
        direct.events.len()
    }

    #[test]
    fn a_vtable_changes_neither_events_nor_errors() {
        for left in 0..8 {
            assert_eq!(same::<false>(PACKET, left), 7.min(left + 1));
        }
        for end in 0..PACKET.len() {
            same::<false>(&PACKET[..end], 9);
            same::<true>(&PACKET[..end], 9);
        }
        // The array's count is too large for the bytes after it.
        assert_eq!(same::<false>(&PACKET[..15], 9), 0);
        assert_eq!(same::<true>(&PACKET[..15], 9), 1);
    }
}
