//! Parts of values: context each is printed into a text, and what it is in binary.

use super::Dialect;
use super::output::ItemBuffer;
use super::print::{self, Verdict};
use crate::rems::Kind;

/// What [`Part`](crate::rems::Part) is to writers.
pub trait Emit: Copy + Default + PartialEq {
    /// Prints it. What is printed may be something that no engine reads.
    fn print(self, context: PrintContext, to: &mut ItemBuffer) -> Verdict;

    /// Whether it is left out at the end of an array in text; -0 is.
    #[inline]
    fn is_zero(self) -> bool {
        self == Self::default()
    }

    /// Big-endian, with context many bytes of these.
    fn big_endian(self) -> ([u8; 8], usize);

    /// Matrices in text: what is tiny beside the others of its row is taken to be 0.
    fn clamp(_: &mut [Self], _: Kind) {}
}

/// How parts are printed.
#[derive(Clone, Copy, Debug)]
pub struct PrintContext {
    pub(super) dialect: Dialect,
    pub(super) kind: Kind,
    pub(super) in_array: bool,
}

/// By what each is printed, and for bytes taken as; of reals what is tiny.
macro_rules! emit {
    ($($T:ident $bytes:ident $print:expr $(, $clamp:ident)?;)*) => {$(
        impl Emit for $T {
            #[inline]
            fn print(self, context: PrintContext, to: &mut ItemBuffer) -> Verdict {
                let print: fn(Self, PrintContext, &mut ItemBuffer) -> Verdict = $print;
                print(self, context, to)
            }

            #[inline]
            fn big_endian(self) -> ([u8; 8], usize) {
                let bytes = $bytes::from(self).to_be_bytes();
                let mut eight = [0; 8];
                eight.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte);
                (eight, bytes.len())
            }
            $(
                fn clamp(parts: &mut [Self], kind: Kind) {
                    $clamp(parts, kind);
                }
            )?
        }
    )*};
}
emit! {
    bool u8 |value, context, to| print::boolean(value, context.in_array, to);
    i8 i8 |value, _, to| print::integer(value, to);
    i16 i16 |value, _, to| print::integer(value, to);
    i32 i32 |value, context, to| match context.kind {
        Kind::Color => print::color(value, to),
        _ => print::integer(value, to),
    };
    i64 i64 |value, _, to| print::integer(value, to);
    u16 u16 |value, context, to| print::letter(value, context.dialect, to);
    f32 f32 |value, context, to| print::single(value, context.dialect, to), clamp_singles;
    f64 f64 |value, context, to| print::double(value, context.dialect, to), clamp_doubles;
}

macro_rules! clamp {
    ($($name:ident $T:ident;)*) => {$(
        #[allow(clippy::disallowed_methods, reason = "every kind has rows")]
        fn $name(parts: &mut [$T], kind: Kind) {
            // Of a 3×2 the engine compares with two columns only.
            let compared = match kind {
                Kind::Mat3x2 | Kind::Mat3x2d => 2,
                _ => kind.columns(),
            };
            for row in 0..kind.rows() {
                let column = parts.iter().skip(row).step_by(kind.rows());
                // As the engine's greater of two: what is behind NaN takes its place.
                let largest = column.take(compared).fold(0.0, |largest: $T, part| {
                    if part.abs() <= largest { largest } else { part.abs() }
                });
                let column = parts.iter_mut().skip(row).step_by(kind.rows());
                column.filter(|part| part.abs() < largest * 1e-7).for_each(|part| *part = 0.0);
            }
        }
    )*};
}
clamp! { clamp_singles f32; clamp_doubles f64; }

/// Does the same for whatever a kind's parts are: `$do` with what `$T` then is.
macro_rules! for_scalar {
    ($scalar:expr, $T:ident => $do:expr, $text:expr) => {
        for_scalar!(@ $scalar, $T, $do, $text; Bool bool, I8 i8, Char u16, I16 i16, I32 i32, I64 i64,
            F32 f32, F64 f64)
    };
    (@ $scalar:expr, $T:ident, $do:expr, $text:expr; $($name:ident $part:ident),*) => {
        match $scalar {
            Scalar::Text => $text,
            $(Scalar::$name => {
                type $T = $part;
                $do
            })*
        }
    };
}
pub(super) use for_scalar;
