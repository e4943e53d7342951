//! The Rust types of components, and how to read them from text files and binary streams.

/// A Rust type for components of values: `bool`, `i8` to `i64`, `u16` (a UTF-16 code unit), `f32`
/// and `f64`.
pub trait Part: sealed::Part {}

impl<T: sealed::Part> Part for T {}

/// Components of one or several values, as a slice of their Rust type. A [`Visitor`](super::Visitor)
/// receives numbers, booleans and UTF-16 code units as such a slice.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PartSlice<'s> {
    /// Booleans.
    Bool(&'s [bool]),
    /// Signed 8-bit integers.
    I8(&'s [i8]),
    /// UTF-16 code units.
    Char(&'s [u16]),
    /// Signed 16-bit integers.
    I16(&'s [i16]),
    /// Signed 32-bit integers, or colours.
    I32(&'s [i32]),
    /// Signed 64-bit integers.
    I64(&'s [i64]),
    /// Single-precision numbers.
    F32(&'s [f32]),
    /// Double-precision numbers.
    F64(&'s [f64]),
}

impl<'s> PartSlice<'s> {
    #[inline(always)]
    pub(super) fn of<T: Part>(parts: &'s [T]) -> Self {
        T::slice(parts)
    }
}

mod sealed {
    use crate::rems::text::{TextOptions, digits, number};
    use crate::rems::{ErrorKind, Kind, PartSlice, Scalar};

    pub trait Part: Copy + Default + crate::rems::print::Emit {
        const SCALAR: Scalar;
        /// Value on the diagonal of an identity matrix.
        const ONE: Self;
        /// Fourth component of a vector whose text contains only three. For integers, it is the
        /// alpha of a colour.
        const FULL: Self;
        /// Minimum and maximum of an empty box.
        const EMPTY: [Self; 2];
        fn of_text(token: &[u8], kind: Kind, options: TextOptions) -> Result<Self, ErrorKind>;
        /// Reads a number in its most common form, and returns the number and its length. `bytes`
        /// may continue after the number, so the caller must check the delimiter.
        #[inline(always)]
        fn fast_path(_: &[u8]) -> Option<(Self, usize)> {
            None
        }
        /// Reads a component from its big-endian bytes.
        fn of_bytes(bytes: &[u8]) -> Option<Self>;
        fn slice(parts: &[Self]) -> PartSlice<'_>;
    }

    macro_rules! parts {
        ($($T:ident $scalar:ident $one:literal $full:literal $empty:expr, $read:expr, $fast_path:expr;)*) => {$(
            impl Part for $T {
                const SCALAR: Scalar = Scalar::$scalar;
                const ONE: Self = $one;
                const FULL: Self = $full;
                const EMPTY: [Self; 2] = $empty;

                #[inline]
                fn of_text(
                    token: &[u8],
                    kind: Kind,
                    options: TextOptions,
                ) -> Result<Self, ErrorKind> {
                    let read: fn(&[u8], Kind, TextOptions) -> Result<Self, ErrorKind> = $read;
                    read(token, kind, options)
                }

                #[inline(always)]
                fn fast_path(bytes: &[u8]) -> Option<(Self, usize)> {
                    let read: fn(&[u8]) -> Option<(Self, usize)> = $fast_path;
                    read(bytes)
                }

                #[inline(always)]
                fn of_bytes(bytes: &[u8]) -> Option<Self> {
                    Some(Self::from_be_bytes(*bytes.first_chunk()?))
                }

                #[inline(always)]
                fn slice(parts: &[Self]) -> PartSlice<'_> {
                    PartSlice::$scalar(parts)
                }
            }
        )*};
    }
    parts! {
        i8 I8 1 127 [0; 2], |token, _, how| number::integer(token, 8, how).map(|n| n as i8),
            |bytes| digits::fast_integer(bytes, 8).map(|(n, len)| (n as i8, len));
        i16 I16 1 255 [0; 2], |token, _, how| number::integer(token, 16, how).map(|n| n as i16),
            |bytes| digits::fast_integer(bytes, 16).map(|(n, len)| (n as i16, len));
        i32 I32 1 255 [0; 2], |token, kind, how| match kind {
            Kind::Color => number::color(token, how),
            _ => number::integer(token, 32, how).map(|n| n as i32),
        }, |bytes| digits::fast_integer(bytes, 32).map(|(n, len)| (n as i32, len));
        i64 I64 1 255 [0; 2], |token, _, how| number::integer(token, 64, how),
            |bytes| digits::fast_integer(bytes, 64);
        u16 Char 1 255 [0; 2], |token, _, how| number::unit(token, how), |_| None;
        f32 F32 1.0 1.0 [f32::INFINITY, f32::NEG_INFINITY], |token, _, _| number::single(token), digits::fast_single;
        f64 F64 1.0 1.0 [f64::INFINITY, f64::NEG_INFINITY], |token, _, _| number::double(token), digits::fast_double;
    }

    impl Part for bool {
        const SCALAR: Scalar = Scalar::Bool;
        const ONE: Self = true;
        const FULL: Self = true;
        const EMPTY: [Self; 2] = [false; 2];

        fn of_text(token: &[u8], _: Kind, _: TextOptions) -> Result<Self, ErrorKind> {
            number::boolean(token)
        }

        fn of_bytes(bytes: &[u8]) -> Option<Self> {
            bytes.first().map(|byte| *byte != 0)
        }

        #[inline(always)]
        fn slice(parts: &[Self]) -> PartSlice<'_> {
            PartSlice::Bool(parts)
        }
    }
}
