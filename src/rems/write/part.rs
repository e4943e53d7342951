//! Parts of values: how each is printed into a text, and what it is in binary.

use super::Dialect;
use super::print::{self, Printed, Verdict};
use crate::rems::Kind;

/// What [`Part`](crate::rems::Part) is to writers.
pub trait Emit: Copy + PartialEq {
    /// Prints it. What is printed may be something that no engine reads.
    fn print(self, how: How, to: &mut Printed) -> Verdict;

    /// Whether it is left out at the end of an array in text; -0 is.
    fn is_zero(self) -> bool;

    /// Big-endian, with how many bytes of these.
    fn big_endian(self) -> ([u8; 8], usize);

    /// Matrices in text: what is tiny beside the others of its row is taken to be 0.
    fn clamp(_: &mut [Self], _: Kind) {}
}

/// How parts are printed.
#[derive(Clone, Copy, Debug)]
pub struct How {
    pub(super) dialect: Dialect,
    pub(super) kind: Kind,
    pub(super) in_array: bool,
}

macro_rules! big_endian {
    ($value:expr) => {{
        let bytes = $value.to_be_bytes();
        let mut eight = [0; 8];
        eight.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte);
        (eight, bytes.len())
    }};
}

macro_rules! integers {
    ($($T:ident)*) => {$(
        impl Emit for $T {
            #[inline]
            fn print(self, _: How, to: &mut Printed) -> Verdict {
                print::integer(self, to);
                Ok(())
            }

            #[inline]
            fn is_zero(self) -> bool {
                self == 0
            }

            #[inline]
            fn big_endian(self) -> ([u8; 8], usize) {
                big_endian!(self)
            }
        }
    )*};
}
integers!(i8 i16 i64);

impl Emit for i32 {
    #[inline]
    fn print(self, how: How, to: &mut Printed) -> Verdict {
        match how.kind {
            Kind::Color => print::color(self, to),
            _ => print::integer(self, to),
        }
        Ok(())
    }

    #[inline]
    fn is_zero(self) -> bool {
        self == 0
    }

    #[inline]
    fn big_endian(self) -> ([u8; 8], usize) {
        big_endian!(self)
    }
}

impl Emit for u16 {
    fn print(self, how: How, to: &mut Printed) -> Verdict {
        print::letter(self, how.dialect, to)
    }

    fn is_zero(self) -> bool {
        self == 0
    }

    fn big_endian(self) -> ([u8; 8], usize) {
        big_endian!(self)
    }
}

impl Emit for bool {
    fn print(self, how: How, to: &mut Printed) -> Verdict {
        print::boolean(self, how.in_array, to);
        Ok(())
    }

    fn is_zero(self) -> bool {
        !self
    }

    fn big_endian(self) -> ([u8; 8], usize) {
        big_endian!(u8::from(self))
    }
}

macro_rules! reals {
    ($($T:ident $print:ident;)*) => {$(
        impl Emit for $T {
            #[inline]
            fn print(self, how: How, to: &mut Printed) -> Verdict {
                print::$print(self, how.dialect, to)
            }

            #[inline]
            fn is_zero(self) -> bool {
                self == 0.0
            }

            #[inline]
            fn big_endian(self) -> ([u8; 8], usize) {
                big_endian!(self)
            }

            fn clamp(parts: &mut [Self], kind: Kind) {
                // Of a 3×2 the engine compares with two columns only.
                let compared = match kind {
                    Kind::Mat3x2 | Kind::Mat3x2d => 2,
                    _ => kind.columns(),
                };
                for row in 0..kind.rows() {
                    let column = parts.iter().skip(row).step_by(kind.rows());
                    // NaN stays, so that nothing is less.
                    let largest = column.take(compared).fold(0.0, |largest: $T, part| {
                        if part.abs() <= largest { largest } else { part.abs() }
                    });
                    let column = parts.iter_mut().skip(row).step_by(kind.rows());
                    column.filter(|part| part.abs() < largest * 1e-7).for_each(|part| *part = 0.0);
                }
            }
        }
    )*};
}
reals! { f32 single; f64 double; }

/// Does the same for whatever a kind's parts are: calls a function of `T`.
macro_rules! for_scalar {
    ($scalar:expr, $T:ident => $do:expr, $text:expr) => {
        match $scalar {
            Scalar::Text => $text,
            Scalar::Bool => {
                type $T = bool;
                $do
            }
            Scalar::I8 => {
                type $T = i8;
                $do
            }
            Scalar::Char => {
                type $T = u16;
                $do
            }
            Scalar::I16 => {
                type $T = i16;
                $do
            }
            Scalar::I32 => {
                type $T = i32;
                $do
            }
            Scalar::I64 => {
                type $T = i64;
                $do
            }
            Scalar::F32 => {
                type $T = f32;
                $do
            }
            Scalar::F64 => {
                type $T = f64;
                $do
            }
        }
    };
}
pub(super) use for_scalar;
