//! Laws of lazy views: they yield what a visitor receives, up to the same error.

use super::SHALLOW;
use gamewire::godot::{
    Dialect, Error, Kind, LazyRef, Leaf, Limits, Open, Property, Reader, Result, VariantRef,
    Visitor,
};

/// Asserts that lazy views of the first value have the same items and the same error as one walk.
/// The views walk nested containers once per level, so only the first values of a large packet are
/// compared.
pub fn lazy_as(data: &[u8], dialect: Dialect, limits: Limits) {
    let reader = || Reader::new(data, dialect).limits(limits).origin(1 << 40);
    let mut visited = Events { list: Vec::new(), most: MOST };
    let end = reader().visit(&mut visited);
    let mut seen = Events { list: Vec::new(), most: MOST };
    let lazy = reader().lazy().and_then(|value| seen.value(value));
    if visited.list.len() < MOST {
        assert_eq!(lazy, end, "{dialect}");
    }
    if end.is_err() {
        // A visitor receives the name of a property before its value is read, and a container before
        // its depth is checked.
        let more = visited.list.split_off(seen.list.len().min(visited.list.len()));
        assert!(more.len() <= 2 && !more.iter().any(|event| matches!(event, Event::Leaf(_))));
    }
    assert_eq!(seen.list, visited.list, "{dialect}");

    let read = reader().read();
    assert_eq!(reader().lazy().and_then(|value| value.read()).map(kind), read.map(kind));
    if let (Ok(value), Ok(lazy)) = (read, reader().lazy()) {
        lookups(value, lazy, SHALLOW);
    }
}

fn kind(value: VariantRef<'_>) -> Kind {
    value.kind()
}

/// Asserts that lookups in a valid value have the same results as those in its checked view.
fn lookups(value: VariantRef<'_>, lazy: LazyRef<'_>, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match (value, lazy) {
        (VariantRef::Array(array), LazyRef::Array(lazy)) => {
            assert_eq!(lazy.len(), array.len());
            assert_eq!(lazy.element_type(), array.element_type());
            for (index, value) in array.iter().enumerate().take(3) {
                lookups(value, lazy.get(index).unwrap().unwrap(), depth);
            }
            assert!(lazy.get(array.len()).unwrap().is_none());
        }
        (VariantRef::Dictionary(dictionary), LazyRef::Dictionary(lazy)) => {
            assert_eq!(lazy.len(), dictionary.len());
            assert_eq!(lazy.key_type(), dictionary.key_type());
            assert_eq!(lazy.value_type(), dictionary.value_type());
            let keys = dictionary.iter().filter_map(|(key, _)| key.as_str()?.to_str().ok());
            for key in keys.take(4).chain(["no such key"]) {
                let (checked, lazy) = (dictionary.get(key), lazy.get(key).unwrap());
                assert_eq!(checked.is_some(), lazy.is_some(), "{key:?}");
                if let (Some(value), Some(lazy)) = (checked, lazy) {
                    lookups(value, lazy, depth);
                }
            }
        }
        (VariantRef::Object(_), LazyRef::Object(lazy)) => {
            for property in lazy.iter().take(3) {
                let (name, _) = property.unwrap();
                if let Ok(name) = name.to_str() {
                    assert!(lazy.get(name).unwrap().is_some(), "{name:?}");
                }
            }
        }
        (value, LazyRef::Leaf(leaf)) => assert_eq!(format!("{value:?}"), format!("{leaf:?}")),
        (value, lazy) => panic!("{value:?} is not {lazy:?}"),
    }
}

/// Maximum number of events that are compared.
const MOST: usize = 300;

/// What a visitor receives.
#[derive(Debug, PartialEq)]
enum Event {
    Leaf(String),
    Open(Kind, u32),
    Name(Vec<u8>),
}

struct Events {
    list: Vec<Event>,
    most: usize,
}

impl Events {
    fn push(&mut self, event: Event) {
        if self.list.len() < self.most {
            self.list.push(event);
        }
    }

    /// Reads all items of a value.
    fn value(&mut self, value: LazyRef<'_>) -> Result<()> {
        let open = |kind, len: usize| Event::Open(kind, len as u32);
        match value {
            _ if self.list.len() == self.most => {}
            LazyRef::Leaf(leaf) => self.push(Event::Leaf(format!("{leaf:?}"))),
            LazyRef::Array(array) => {
                self.push(open(Kind::Array, array.len()));
                for item in array.iter() {
                    self.value(item?)?;
                }
            }
            LazyRef::Dictionary(dictionary) => {
                self.push(open(Kind::Dictionary, dictionary.len()));
                for item in dictionary.flat() {
                    self.value(item?)?;
                }
            }
            LazyRef::Object(object) => {
                self.push(open(Kind::Object, object.len()));
                for property in object.iter() {
                    let (name, value) = property?;
                    self.push(Event::Name(name.as_bytes().to_vec()));
                    self.value(value)?;
                }
            }
        }
        Ok(())
    }
}

impl<'a> Visitor<'a> for Events {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<()> {
        if self.list.len() < self.most {
            self.push(Event::Leaf(format!("{:?}", leaf.value)));
        }
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<()> {
        self.push(Event::Open(open.container.kind(), open.container.len()));
        Ok(())
    }

    fn property(&mut self, property: Property<'a>) -> Result<()> {
        self.push(Event::Name(property.name.as_bytes().to_vec()));
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<()> {
        Ok(())
    }
}
