//! Records: sequences of fields in file order. `records!` declares each field once, together with
//! its condition. A field that the [`Layout`] does not have is `None`.

use super::cursor::FileCursor;
use super::error::Result;
use super::layout::Layout;
use super::link::Link;
use super::value::Value;
use crate::buffer::{Full, Sink};

/// A sequence of fields.
pub trait Record<'a>: Value<'a> + Default {
    /// Reads the fields into `self`. If a field cannot be read, the fields before it are set.
    #[doc(hidden)]
    fn fill(&mut self, from: &mut FileCursor<'a>, layout: &Layout) -> Result<()>;

    /// Visits the fields that the layout has, in order.
    #[doc(hidden)]
    fn each<F: FieldVisitor<'a>>(&self, layout: &Layout, fields: &mut F) -> Result<(), F::Error>;
}

/// A visitor of the fields of a record, such as a writer or a serializer.
pub trait FieldVisitor<'a> {
    #[doc(hidden)]
    type Error;

    #[doc(hidden)]
    fn field<T: Value<'a>>(&mut self, name: &'static str, value: &T) -> Result<(), Self::Error>;
}

/// A visitor that writes each field of a record.
pub(crate) struct WriteFields<'s, S> {
    pub to: &'s mut S,
    pub layout: &'s Layout,
}

impl<'a, S: Sink> FieldVisitor<'a> for WriteFields<'_, S> {
    type Error = Full;

    fn field<T: Value<'a>>(&mut self, _: &'static str, value: &T) -> Result<(), Full> {
        value.write(self.to, self.layout)
    }
}

/// A visitor that reports the names and objects in each field of a record.
pub(crate) struct LinkCollector<'f, 'l> {
    pub to: &'f mut dyn FnMut(Link),
    pub layout: &'l Layout,
}

impl<'a> FieldVisitor<'a> for LinkCollector<'_, '_> {
    type Error = core::convert::Infallible;

    fn field<T: Value<'a>>(&mut self, _: &'static str, value: &T) -> Result<(), Self::Error> {
        value.links(self.layout, self.to);
        Ok(())
    }
}

/// Generates structs from lists of fields. The structs can be read, written, visited and
/// serialized.
///
/// A condition follows `if`. It can refer to `this`, the record with the fields that have been read
/// so far, and to `layout`, the layout of the file. `: Specialized` marks records of large tables,
/// whose reader is compiled once for each range of versions.
macro_rules! records {
    (<$lt:lifetime> ($this:ident, $layout:ident) $(
        $(#[$doc:meta])*
        struct $Name:ident $(<$own:lifetime>)? $(: $class:ident)? {
            $( $(#[$field_doc:meta])* $field:ident $(as $key:literal)?: $T:ty $(, if $present:expr)?; )*
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $Name $(<$own>)? {
            $( $(#[$field_doc])* pub $field: $crate::unreal::format::records!(@type $T $(, $present)?), )*
        }

        impl<$lt> $crate::unreal::format::Record<$lt> for $Name $(<$own>)? {
            #[inline(always)]
            #[allow(unused, reason = "not every condition uses the layout or the record")]
            fn fill(&mut self, from: &mut $crate::unreal::format::FileCursor<$lt>, $layout: &$crate::unreal::format::Layout) -> $crate::unreal::format::Result<()> {
                $(
                    let is_present = { let $this = &*self; true $(&& $present)? };
                    $crate::unreal::format::records!(@fill self.$field, from, $layout, is_present $(, $present)?);
                )*
                Ok(())
            }

            #[inline]
            #[allow(unused, reason = "not every condition uses the layout or the record")]
            fn each<F: $crate::unreal::format::FieldVisitor<$lt>>(&self, $layout: &$crate::unreal::format::Layout, fields: &mut F) -> $crate::unreal::format::Result<(), F::Error> {
                let $this = self;
                $(
                    $crate::unreal::format::records!(@each self.$field, fields, ($($key,)? stringify!($field)) $(, $present)?);
                )*
                Ok(())
            }
        }

        impl<$lt> $crate::unreal::format::Value<$lt> for $Name $(<$own>)? {
            const LEAST: u64 = 0 $(+ $crate::unreal::format::records!(@least $lt $T $(, $present)?))*;
            $( const IS_SPECIALIZED: bool = $crate::unreal::format::records!(@$class); )?

            #[inline(always)]
            fn read(from: &mut $crate::unreal::format::FileCursor<$lt>, layout: &$crate::unreal::format::Layout) -> $crate::unreal::format::Result<Self> {
                let mut record = Self::default();
                $crate::unreal::format::Record::fill(&mut record, from, layout)?;
                Ok(record)
            }

            fn write<S: $crate::Sink>(&self, to: &mut S, layout: &$crate::unreal::format::Layout) -> $crate::unreal::format::Result<(), $crate::Full> {
                $crate::unreal::format::Record::each(self, layout, &mut $crate::unreal::format::WriteFields { to, layout })
            }

            fn links(&self, layout: &$crate::unreal::format::Layout, to: &mut dyn FnMut($crate::unreal::format::Link)) {
                let Ok(()) = $crate::unreal::format::Record::each(self, layout, &mut $crate::unreal::format::LinkCollector { to, layout });
            }
        }

        #[cfg(feature = "serde")]
        impl<$lt> $crate::unreal::format::SerializeIn<$lt> for $Name $(<$own>)? {
            fn serialize_in<S: serde::Serializer>(&self, context: $crate::unreal::format::SerializeContext<'_, $lt>, to: S) -> $crate::unreal::format::Result<S::Ok, S::Error> {
                $crate::unreal::format::serialize_record(self, context, to)
            }
        }
    )*};
    (@Specialized) => { true };
    (@type $T:ty) => { $T };
    (@type $T:ty, $present:expr) => { Option<$T> };
    (@least $lt:lifetime $T:ty) => { <$T as $crate::unreal::format::Value<$lt>>::LEAST };
    (@least $lt:lifetime $T:ty, $present:expr) => { 0 };
    (@fill $place:expr, $from:ident, $layout:ident, $is:ident) => { $place = $from.read($layout)? };
    (@fill $place:expr, $from:ident, $layout:ident, $is:ident, $present:expr) => {
        if $is { $place = Some($from.read($layout)?) }
    };
    (@key $key:literal, $name:expr) => { $key };
    (@each $place:expr, $fields:ident, ($($key:expr),*)) => {
        $fields.field($crate::unreal::format::field_name(&[$($key),*]), &$place)?
    };
    (@each $place:expr, $fields:ident, ($($key:expr),*), $present:expr) => {
        if $present {
            $fields.field($crate::unreal::format::field_name(&[$($key),*]), &$place.unwrap_or_default())?
        }
    };
}
pub(crate) use records;

/// Returns the name under which a field is serialized: the explicit name if there is one, otherwise
/// the name of the struct field.
#[inline(always)]
pub(crate) const fn field_name(names: &[&'static str]) -> &'static str {
    match names {
        [name, ..] => name,
        [] => "",
    }
}
