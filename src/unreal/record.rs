//! Records: fields in a row, said once each, in the order of the file. A field that only some
//! versions have says so; in a [`Layout`] that does not have it, it is `None`.

use super::Result;
use super::layout::Layout;
use super::verify::Link;
use super::wire::{Input, Value};
use crate::buffer::{Full, Sink};

/// Fields in a row.
pub trait Record<'a>: Value<'a> + Default {
    /// Reads the fields into `self`; those before an error stay.
    #[doc(hidden)]
    fn fill(&mut self, from: &mut Input<'a>, layout: &Layout) -> Result<()>;

    /// Tells the fields that the layout has, in order.
    #[doc(hidden)]
    fn each<F: Fields<'a>>(&self, layout: &Layout, fields: &mut F) -> Result<(), F::Error>;
}

/// Who is told the fields of a record: a writer, a printer.
pub trait Fields<'a> {
    #[doc(hidden)]
    type Error;

    #[doc(hidden)]
    fn field<T: Value<'a>>(&mut self, name: &'static str, value: &T) -> Result<(), Self::Error>;
}

/// Writes each field.
pub(super) struct Write<'s, S> {
    pub to: &'s mut S,
    pub layout: &'s Layout,
}

impl<'a, S: Sink> Fields<'a> for Write<'_, S> {
    type Error = Full;

    fn field<T: Value<'a>>(&mut self, _: &'static str, value: &T) -> Result<(), Full> {
        value.write(self.to, self.layout)
    }
}

/// Tells the names and objects in each field.
pub(super) struct Links<'f, 'l> {
    pub to: &'f mut dyn FnMut(Link),
    pub layout: &'l Layout,
}

impl<'a> Fields<'a> for Links<'_, '_> {
    type Error = core::convert::Infallible;

    fn field<T: Value<'a>>(&mut self, _: &'static str, value: &T) -> Result<(), Self::Error> {
        value.links(self.layout, self.to);
        Ok(())
    }
}

/// Makes of a list of fields the struct and both directions. After `if` stands in which
/// layouts the field is there: `this` is the record as far as it is known, `layout` the
/// file's. `of a table` are those of which files have many.
macro_rules! records {
    (<$lt:lifetime> ($this:ident, $layout:ident) $(
        $(#[$doc:meta])*
        struct $Name:ident $(<$own:lifetime>)? $(of a $many:ident)? {
            $( $(#[$field_doc:meta])* $field:ident $(as $key:literal)?: $T:ty $(, if $there:expr)?; )*
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $Name $(<$own>)? {
            $( $(#[$field_doc])* pub $field: $crate::unreal::record::records!(@type $T $(, $there)?), )*
        }

        impl<$lt> $crate::unreal::record::Record<$lt> for $Name $(<$own>)? {
            #[inline(always)]
            #[allow(unused, reason = "not every record asks for its version, or for itself")]
            fn fill(&mut self, from: &mut $crate::unreal::wire::Input<$lt>, $layout: &$crate::unreal::Layout) -> $crate::unreal::Result<()> {
                $(
                    let there = { let $this = &*self; true $(&& $there)? };
                    $crate::unreal::record::records!(@fill self.$field, from, $layout, there $(, $there)?);
                )*
                Ok(())
            }

            #[inline]
            #[allow(unused, reason = "not every record asks for its version, or for itself")]
            fn each<F: $crate::unreal::record::Fields<$lt>>(&self, $layout: &$crate::unreal::Layout, fields: &mut F) -> $crate::unreal::Result<(), F::Error> {
                let $this = self;
                $(
                    $crate::unreal::record::records!(@each self.$field, fields, ($($key,)? stringify!($field)) $(, $there)?);
                )*
                Ok(())
            }
        }

        impl<$lt> $crate::unreal::wire::Value<$lt> for $Name $(<$own>)? {
            const LEAST: u64 = 0 $(+ $crate::unreal::record::records!(@least $lt $T $(, $there)?))*;
            $( const IS_MANY: bool = $crate::unreal::record::records!(@$many); )?

            #[inline(always)]
            fn read(from: &mut $crate::unreal::wire::Input<$lt>, layout: &$crate::unreal::Layout) -> $crate::unreal::Result<Self> {
                let mut record = Self::default();
                $crate::unreal::record::Record::fill(&mut record, from, layout)?;
                Ok(record)
            }

            fn write<S: $crate::Sink>(&self, to: &mut S, layout: &$crate::unreal::Layout) -> $crate::unreal::Result<(), $crate::Full> {
                $crate::unreal::record::Record::each(self, layout, &mut $crate::unreal::record::Write { to, layout })
            }

            fn links(&self, layout: &$crate::unreal::Layout, to: &mut dyn FnMut($crate::unreal::verify::Link)) {
                let Ok(()) = $crate::unreal::record::Record::each(self, layout, &mut $crate::unreal::record::Links { to, layout });
            }
        }

        #[cfg(feature = "serde")]
        impl<$lt> $crate::unreal::show::Show<$lt> for $Name $(<$own>)? {
            fn show<S: serde::Serializer>(&self, within: $crate::unreal::show::Context<'_, $lt>, to: S) -> $crate::unreal::Result<S::Ok, S::Error> {
                $crate::unreal::show::record(self, within, to)
            }
        }
    )*};
    (@table) => { true };
    (@type $T:ty) => { $T };
    (@type $T:ty, $there:expr) => { Option<$T> };
    (@least $lt:lifetime $T:ty) => { <$T as $crate::unreal::wire::Value<$lt>>::LEAST };
    (@least $lt:lifetime $T:ty, $there:expr) => { 0 };
    (@fill $place:expr, $from:ident, $layout:ident, $is:ident) => { $place = $from.read($layout)? };
    (@fill $place:expr, $from:ident, $layout:ident, $is:ident, $there:expr) => {
        if $is { $place = Some($from.read($layout)?) }
    };
    (@key $key:literal, $name:expr) => { $key };
    (@each $place:expr, $fields:ident, ($($key:expr),*)) => {
        $fields.field($crate::unreal::record::first(&[$($key),*]), &$place)?
    };
    (@each $place:expr, $fields:ident, ($($key:expr),*), $there:expr) => {
        if $there {
            $fields.field($crate::unreal::record::first(&[$($key),*]), &$place.unwrap_or_default())?
        }
    };
}
pub(super) use records;

/// The name that a field has in print: its own, or the one that was given before it.
#[inline(always)]
pub(super) const fn first(names: &[&'static str]) -> &'static str {
    match names {
        [name, ..] => name,
        [] => "",
    }
}
