//! A law for visitors: they receive what iterators return, in the same order, up to the same error.

use gamewire::unreal::properties::{Elements, NativeFields, NativeValue};
use gamewire::unreal::{Error, Properties, PropertyValue, PropertyVisitor, Tag};

/// Asserts that visiting the list agrees with iterating over it.
pub fn visit_as(list: Properties<'_>) {
    let (mut visited, mut iterated) = (Events::default(), Events::default());
    let results = (list.visit(&mut visited), iterated.list(list));
    assert_eq!(results.0, results.1);
    assert_eq!(visited.0, iterated.0);
}

/// Tags and values, printed with their complete state.
#[derive(Default)]
struct Events(Vec<String>);

impl<'p> PropertyVisitor<'p> for Events {
    fn enter(&mut self, tag: &Tag<'p>) -> bool {
        let (name, head) = (tag.name(), tag.head());
        self.0.push(format!("{name:?} {head:?} {} {}", tag.value_offset(), tag.bytes().len()));
        true
    }

    fn value(&mut self, value: &PropertyValue<'p>) {
        self.0.push(match value {
            // The end of a struct in an array is not known before it is visited.
            PropertyValue::Struct(list) => format!("struct at {}", list.offset()),
            other => format!("{other:?}"),
        });
    }
}

impl Events {
    fn list(&mut self, list: Properties<'_>) -> Result<(), Error> {
        for tag in list {
            let tag = tag?;
            self.enter(&tag);
            self.inside(&tag.value())?;
        }
        Ok(())
    }

    fn inside(&mut self, value: &PropertyValue<'_>) -> Result<(), Error> {
        self.value(value);
        match *value {
            PropertyValue::Struct(list) => self.list(list),
            PropertyValue::Instanced(of) if of.size > 0 => self.list(of.properties),
            PropertyValue::Native(_, fields) => self.fields(fields),
            PropertyValue::Array(of) | PropertyValue::Optional(of) => self.elements(of),
            PropertyValue::Set(set) => {
                self.elements(set.removed())?;
                self.elements(set.values())
            }
            PropertyValue::Map(map) => {
                self.elements(map.removed())?;
                map.entries().try_for_each(|(key, value)| {
                    self.inside(&key)?;
                    self.inside(&value)
                })
            }
            _ => Ok(()),
        }
    }

    fn elements(&mut self, mut elements: Elements<'_>) -> Result<(), Error> {
        elements.try_for_each(|element| self.inside(&element))
    }

    fn fields(&mut self, mut fields: NativeFields<'_>) -> Result<(), Error> {
        fields.try_for_each(|(_, value)| self.native(value))
    }

    fn native(&mut self, value: NativeValue<'_>) -> Result<(), Error> {
        match value {
            NativeValue::Group(fields) => self.fields(fields),
            NativeValue::Array(mut all) => all.try_for_each(|value| self.native(value)),
            NativeValue::Struct(list) => self.list(list),
            _ => Ok(()),
        }
    }
}
