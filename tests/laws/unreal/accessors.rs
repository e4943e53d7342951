//! Calls every accessor of properties, and counts the visited values.

use gamewire::unreal::properties::{
    Argument, ArgumentName, DateText, Elements, Format, FormattedText, History, NativeFields,
    NativeValue, NestedText, NumberText, SoftReference,
};
use gamewire::unreal::{
    NameRef, NameText, ObjectProperties, Properties, PropertyType, PropertyValue, StrRef, Tag,
};
use std::fmt::{self, Debug, Display, Write};

/// Counts of the values that were accessed.
pub struct Look {
    /// Number of values, of their components, and of errors in lists.
    pub items: u64,
    /// Length of the `Debug` output of the values, in bytes.
    pub chars: u64,
    /// `true` to compare texts with their printed form, which allocates.
    pub compares: bool,
    /// `true` for properties without tags, whose lists can break off at any value.
    pub may_break: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { items: 0, chars: 0, compares: true, may_break: false }
    }
}

impl Write for Look {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.chars += text.len() as u64;
        Ok(())
    }
}

/// A sink that discards the printed text. The text is not stored because many properties can share
/// the same long text.
struct Nowhere;

impl Write for Nowhere {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        Ok(())
    }
}

pub fn show(what: impl Display) {
    write!(Nowhere, "{what}").unwrap();
}

impl Look {
    /// Counts one value, and prints it.
    pub fn item(&mut self, what: &impl Debug) {
        self.items += 1;
        write!(self, "{what:?}").unwrap();
    }

    /// Asserts that the counts are limited by the length of the bytes: every value, even a nested
    /// value, occupies at least one byte of its own.
    pub fn assert_linear(&self, len: u64) {
        let Self { items, chars, .. } = self;
        assert!(*items <= 2 * len + 8, "{items} items in {len} bytes");
        assert!(*chars <= 4096 * items + 16 * len, "{chars} characters for {items} items");
    }

    pub fn object(&mut self, object: &ObjectProperties<'_>) {
        self.item(object);
        if let Ok(tail) = object.tail() {
            self.item(&tail);
        }
        self.list(object.iter());
    }

    pub fn list(&mut self, list: Properties<'_>) {
        for tag in list {
            match tag {
                Ok(tag) => self.tag(&tag),
                Err(error) => {
                    show(error);
                    self.item(&error);
                }
            }
        }
    }

    /// Visits a list that the reader has already skipped, and asserts that it ends without an
    /// error.
    fn walked(&mut self, mut list: Properties<'_>) {
        self.list(list);
        assert!(self.may_break || list.all(|tag| tag.is_ok()), "it ends as it should");
    }

    pub fn tag(&mut self, tag: &Tag<'_>) {
        self.item(tag);
        self.name(tag.name());
        show(tag.head().of);
        self.of(&tag.head().of);
        if let Some(inner) = tag.inner_tag() {
            self.item(&inner);
            self.name(inner.name());
            show(inner.of);
        }
        self.value(tag.value());
    }

    fn of(&mut self, of: &PropertyType<'_>) {
        self.items += 1;
        show(of.kind_name());
        if let Some(name) = of.name() {
            self.name(name);
        }
        let parameters = [of.inner(), of.value()];
        parameters.iter().flatten().for_each(|parameter| self.of(parameter));
    }

    fn name(&mut self, name: NameText<'_>) {
        show(name);
        if self.compares && name.text().bytes().len() < 64 {
            assert!(name == *name.to_string(), "{name}");
        }
    }

    fn text(&mut self, text: StrRef<'_>) {
        self.item(&text);
        show(text);
        let printed = text.as_str().map_or(0, str::len);
        assert!(printed == 0 || printed == text.chars().count());
        assert_eq!(text.units().count(), text.bytes().len() >> u8::from(text.is_wide()));
    }

    pub fn value(&mut self, value: PropertyValue<'_>) {
        self.item(&value);
        match value {
            PropertyValue::Str(text) => self.text(text),
            PropertyValue::Name(NameRef::Text(text)) => self.text(text),
            PropertyValue::Utf8Str(text) if self.compares => {
                let printed = text.to_string();
                assert!(text.as_str().is_none_or(|text| text == printed));
            }
            PropertyValue::Utf8Str(text) => show(text),
            PropertyValue::Soft(SoftReference { sub_path, .. }) => show(sub_path),
            PropertyValue::Delegates(all) => self.exactly(all.len(), all),
            PropertyValue::FieldPath(path) => self.exactly(path.path.len(), path.path),
            PropertyValue::Names(names) => self.exactly(names.len(), names),
            PropertyValue::Optional(value) => {
                assert!(value.len() <= 1);
                self.elements(value);
            }
            PropertyValue::Array(elements) => self.elements(elements),
            PropertyValue::Set(set) => {
                self.elements(set.removed());
                self.elements(set.values());
            }
            PropertyValue::Map(map) => {
                self.elements(map.removed());
                let (len, mut given) = (map.entries().len(), 0);
                for (key, value) in map.entries() {
                    self.value(key);
                    self.value(value);
                    given += 1;
                }
                assert_eq!(given, len);
            }
            PropertyValue::Struct(list) => self.walked(list),
            PropertyValue::Native(_, fields) => self.fields(fields),
            PropertyValue::Instanced(instanced) => self.walked(instanced.properties),
            PropertyValue::Formatted(text) => self.formatted(&text),
            PropertyValue::Opaque(_, reason) => show(reason),
            _ => {}
        }
    }

    fn exactly<T: Debug>(&mut self, len: usize, of: impl Iterator<Item = T>) {
        assert_eq!(of.inspect(|item| self.item(item)).count(), len);
    }

    fn elements(&mut self, elements: Elements<'_>) {
        show(elements.of());
        let (len, mut given) = (elements.len(), 0);
        assert!(len <= elements.bytes().len(), "each takes a byte");
        for element in elements {
            self.value(element);
            given += 1;
        }
        assert_eq!(given, len);
    }

    fn fields(&mut self, fields: NativeFields<'_>) {
        let mut count = 0;
        for (name, value) in fields {
            show(name);
            count += 1;
            self.field(value);
        }
        assert!(count == 0 || !fields.bytes().is_empty());
    }

    fn field(&mut self, value: NativeValue<'_>) {
        match value {
            NativeValue::Group(fields) => self.fields(fields),
            NativeValue::Array(elements) => {
                let (len, mut given) = (elements.len(), 0);
                assert!(len <= elements.bytes().len(), "each takes a byte");
                for element in elements {
                    self.field(element);
                    given += 1;
                }
                assert_eq!(given, len);
            }
            NativeValue::Struct(list) => self.walked(list),
            value => self.item(&value),
        }
    }

    fn formatted(&mut self, text: &FormattedText<'_>) {
        match text.history {
            History::Legacy { source, namespace, key } => {
                let texts = [Some(source), namespace, Some(key)];
                texts.into_iter().flatten().for_each(|text| self.text(text));
            }
            History::None { culture_invariant: Some(text) } => self.text(text),
            History::Base { namespace, key, source, dev_notes } => {
                let texts = [Some(namespace), Some(key), Some(source), dev_notes];
                texts.into_iter().flatten().for_each(|text| self.text(text));
            }
            History::NamedFormat(format)
            | History::OrderedFormat(format)
            | History::ArgumentFormat(format) => self.format(format),
            History::Number(text) | History::Percent(text) | History::Currency(text) => {
                self.number(text);
            }
            History::Date(text) | History::Time(text) | History::DateTime(text) => {
                self.date(text);
            }
            History::Transform { source, .. } => self.nested(source),
            History::StringTable { key, .. } => self.text(key),
            _ => {}
        }
    }

    fn nested(&mut self, text: NestedText<'_>) {
        let text = text.read().expect("the value has been checked");
        self.item(&text);
        self.formatted(&text);
    }

    fn format(&mut self, format: Format<'_>) {
        self.nested(format.format);
        for argument in format.arguments() {
            let (name, argument) = argument.expect("the value has been checked");
            match name {
                Some(ArgumentName::Text(name)) => self.text(name),
                Some(ArgumentName::Formatted(name)) => self.nested(name),
                None => {}
            }
            self.argument(argument);
        }
    }

    fn argument(&mut self, argument: Argument<'_>) {
        self.item(&argument);
        if let Argument::Text(text) = argument {
            self.nested(text);
        }
    }

    fn number(&mut self, text: NumberText<'_>) {
        text.currency.into_iter().for_each(|text| self.text(text));
        self.argument(text.argument);
        self.text(text.culture);
    }

    fn date(&mut self, text: DateText<'_>) {
        let texts = [text.pattern, text.time_zone, Some(text.culture)];
        texts.into_iter().flatten().for_each(|text| self.text(text));
    }
}
