//! The Rust types of components, and how to write them to text files and binary streams.

use super::buffer::ItemBuffer;
use super::dialect::Dialect;
use super::unreadable::Verdict;
use super::{letters, numbers};
use crate::rems::Kind;

/// The methods of [`Part`](crate::rems::Part) that writers use.
pub trait Emit: Copy + Default + PartialEq {
    /// Prints the component. Returns an error if the engine of the dialect cannot read the output
    /// back.
    fn print(self, context: PrintContext, to: &mut ItemBuffer) -> Verdict;

    /// Returns `true` for the default value (0, −0 or `false`), which text files omit at the end of
    /// an array.
    #[inline]
    fn is_zero(self) -> bool {
        self == Self::default()
    }

    /// Returns an array that begins with the big-endian bytes of the component, and the number of
    /// these bytes.
    fn big_endian(self) -> ([u8; 8], usize);

    /// Prints several components, each after a separator, which is a comma for all but the first. For
    /// numbers of the most common form, this is faster than printing one at a time. Returns `false`,
    /// and prints nothing, for all others.
    #[inline(always)]
    fn print_row<const N: usize>(
        _: &[Self; N],
        _: u8,
        _: PrintContext,
        _: &mut ItemBuffer,
    ) -> bool {
        false
    }

    /// Sets components of a matrix to 0 if they are tiny compared with others in their row, as
    /// engines do in text files.
    fn clamp(_: &mut [Self], _: Kind) {}
}

/// Options for printing a component.
#[derive(Clone, Copy, Debug)]
pub struct PrintContext {
    pub(crate) dialect: Dialect,
    pub(crate) kind: Kind,
    pub(crate) in_array: bool,
}

/// Implements `Emit`. Each row contains the component type, the type whose bytes are written, a
/// print function and, for floating-point numbers, a clamp function.
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

                #[inline(always)]
                fn print_row<const N: usize>(
                    parts: &[Self; N],
                    separator: u8,
                    context: PrintContext,
                    to: &mut ItemBuffer,
                ) -> bool {
                    // The engine of 2021 prints fewer digits for single precision.
                    let is_double = context.dialect == Dialect::Engine2026 || size_of::<Self>() == 8;
                    is_double && numbers::doubles(parts.map(f64::from), separator, to)
                }
            )?
        }
    )*};
}
emit! {
    bool u8 |value, context, to| numbers::boolean(value, context.in_array, to);
    i8 i8 |value, _, to| numbers::integer(value, to);
    i16 i16 |value, _, to| numbers::integer(value, to);
    i32 i32 |value, context, to| match context.kind {
        Kind::Color => numbers::color(value, to),
        _ => numbers::integer(value, to),
    };
    i64 i64 |value, _, to| numbers::integer(value, to);
    u16 u16 |value, context, to| letters::letter(value, context.dialect, to);
    f32 f32 |value, context, to| numbers::single(value, context.dialect, to), clamp_singles;
    f64 f64 |value, context, to| numbers::double(value, context.dialect, to), clamp_doubles;
}

macro_rules! clamp {
    ($($name:ident $T:ident;)*) => {$(
        #[allow(clippy::disallowed_methods, reason = "the chunk size is at least 1")]
        fn $name(parts: &mut [$T], kind: Kind) {
            // For 3×2 matrices, the engine compares only two columns.
            let compared = match kind {
                Kind::Mat3x2 | Kind::Mat3x2d => 2,
                _ => kind.columns(),
            };
            for row in 0..kind.rows() {
                let column = parts.iter().skip(row).step_by(kind.rows());
                // As in the engine's own `max`, a number replaces a preceding NaN.
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

/// Evaluates `$do` with `$T` as the Rust type of the components, or `$text` for text.
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
pub(crate) use for_scalar;
