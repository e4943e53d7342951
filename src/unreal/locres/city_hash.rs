//! `CityHash64` of the UTF-16 units of a string, in little-endian byte order.

use crate::unreal::format::StrRef;

const K0: u64 = 0xC3A5_C85C_97CB_3127;
const K1: u64 = 0xB492_B66F_BE98_F273;
const K2: u64 = 0x9AE1_6A3B_2F90_404F;
const MUL: u64 = 0x9DDF_EA08_EB38_2D69;

/// Returns the hash of a string.
pub(super) fn city_hash(text: &StrRef<'_>) -> u64 {
    let bytes = Units { bytes: text.bytes(), is_wide: text.is_wide() };
    match bytes.len() {
        0..=16 => up_to_16(&bytes),
        17..=32 => up_to_32(&bytes),
        33..=64 => up_to_64(&bytes),
        _ => longer(&bytes),
    }
}

/// The units of a string as bytes. A string of 8-bit units has a zero after each.
struct Units<'a> {
    bytes: &'a [u8],
    is_wide: bool,
}

impl Units<'_> {
    fn len(&self) -> usize {
        if self.is_wide { self.bytes.len() } else { self.bytes.len().saturating_mul(2) }
    }

    fn byte(&self, at: usize) -> u64 {
        let at = match self.is_wide {
            true => at,
            false if at & 1 == 1 => return 0,
            false => at >> 1,
        };
        self.bytes.get(at).copied().unwrap_or_default().into()
    }

    /// Returns a number of eight bytes.
    fn word(&self, at: usize) -> u64 {
        (0..8).rev().fold(0, |word, byte| word << 8 | self.byte(at.wrapping_add(byte)))
    }

    /// Returns a number of four bytes.
    fn half(&self, at: usize) -> u64 {
        self.word(at) & 0xFFFF_FFFF
    }

    /// Returns the number of eight bytes that begins this many bytes before the end.
    fn word_before_end(&self, before: usize) -> u64 {
        self.word(self.len().wrapping_sub(before))
    }

    /// Returns a multiplier that depends on the length.
    fn multiplier(&self) -> u64 {
        K2.wrapping_add((self.len() as u64).wrapping_mul(2))
    }
}

const fn mix(value: u64) -> u64 {
    value ^ (value >> 47)
}

/// Combines two numbers.
const fn combine(low: u64, high: u64, mul: u64) -> u64 {
    let first = mix((low ^ high).wrapping_mul(mul));
    mix((high ^ first).wrapping_mul(mul)).wrapping_mul(mul)
}

fn up_to_16(bytes: &Units<'_>) -> u64 {
    let (len, mul) = (bytes.len() as u64, bytes.multiplier());
    match len {
        8.. => {
            let (a, b) = (bytes.word(0).wrapping_add(K2), bytes.word_before_end(8));
            let c = b.rotate_right(37).wrapping_mul(mul).wrapping_add(a);
            let d = a.rotate_right(25).wrapping_add(b).wrapping_mul(mul);
            combine(c, d, mul)
        }
        4.. => {
            let last = bytes.half(bytes.len().wrapping_sub(4));
            combine(len.wrapping_add(bytes.half(0) << 3), last, mul)
        }
        1.. => {
            let (middle, last) = (bytes.len() >> 1, bytes.len().wrapping_sub(1));
            let y = bytes.byte(0).wrapping_add(bytes.byte(middle) << 8);
            let z = len.wrapping_add(bytes.byte(last) << 2);
            mix(y.wrapping_mul(K2) ^ z.wrapping_mul(K0)).wrapping_mul(K2)
        }
        0 => K2,
    }
}

fn up_to_32(bytes: &Units<'_>) -> u64 {
    let mul = bytes.multiplier();
    let (a, b) = (bytes.word(0).wrapping_mul(K1), bytes.word(8));
    let (c, d) =
        (bytes.word_before_end(8).wrapping_mul(mul), bytes.word_before_end(16).wrapping_mul(K2));
    let low = a.wrapping_add(b).rotate_right(43).wrapping_add(c.rotate_right(30)).wrapping_add(d);
    let high = a.wrapping_add(b.wrapping_add(K2).rotate_right(18)).wrapping_add(c);
    combine(low, high, mul)
}

fn up_to_64(bytes: &Units<'_>) -> u64 {
    let mul = bytes.multiplier();
    let (a, b) = (bytes.word(0).wrapping_mul(K2), bytes.word(8));
    let (c, d) = (bytes.word_before_end(24), bytes.word_before_end(32));
    let (e, f) = (bytes.word(16).wrapping_mul(K2), bytes.word(24).wrapping_mul(9));
    let (g, h) = (bytes.word_before_end(8), bytes.word_before_end(16).wrapping_mul(mul));
    let ag = a.wrapping_add(g);
    let bc = b.rotate_right(30).wrapping_add(c).wrapping_mul(9);
    let u = ag.rotate_right(43).wrapping_add(bc);
    let v = (ag ^ d).wrapping_add(f).wrapping_add(1);
    let w = u.wrapping_add(v).wrapping_mul(mul).swap_bytes().wrapping_add(h);
    let ef = e.wrapping_add(f);
    let x = ef.rotate_right(42).wrapping_add(c);
    let y = v.wrapping_add(w).wrapping_mul(mul).swap_bytes().wrapping_add(g).wrapping_mul(mul);
    let z = ef.wrapping_add(c);
    let a = x.wrapping_add(z).wrapping_mul(mul).wrapping_add(y).swap_bytes().wrapping_add(b);
    let b = z.wrapping_add(a).wrapping_mul(mul).wrapping_add(d).wrapping_add(h);
    mix(b).wrapping_mul(mul).wrapping_add(x)
}

/// Hashes 32 bytes together with two seeds.
fn weak(bytes: &Units<'_>, at: usize, a: u64, b: u64) -> (u64, u64) {
    let [w, x, y, z] = [0, 8, 16, 24].map(|offset| bytes.word(at.wrapping_add(offset)));
    let a = a.wrapping_add(w);
    let b = b.wrapping_add(a).wrapping_add(z).rotate_right(21);
    let sum = a.wrapping_add(x).wrapping_add(y);
    (sum.wrapping_add(z), b.wrapping_add(sum.rotate_right(44)).wrapping_add(a))
}

fn longer(bytes: &Units<'_>) -> u64 {
    let len = bytes.len();
    let end = |before: usize| len.wrapping_sub(before);
    let mut x = bytes.word_before_end(40);
    let mut y = bytes.word_before_end(16).wrapping_add(bytes.word_before_end(56));
    let first = bytes.word_before_end(48).wrapping_add(len as u64);
    let mut z = combine(first, bytes.word_before_end(24), MUL);
    let mut v = weak(bytes, end(64), len as u64, z);
    let mut w = weak(bytes, end(32), y.wrapping_add(K1), x);
    x = x.wrapping_mul(K1).wrapping_add(bytes.word(0));
    let blocks = len.wrapping_sub(1) >> 6;
    for block in 0..blocks {
        let at = |offset: usize| block.wrapping_shl(6).wrapping_add(offset);
        let word = |offset: usize| bytes.word(at(offset));
        let sum = x.wrapping_add(y).wrapping_add(v.0).wrapping_add(word(8));
        x = sum.rotate_right(37).wrapping_mul(K1) ^ w.1;
        let sum = y.wrapping_add(v.1).wrapping_add(word(48));
        y = sum.rotate_right(42).wrapping_mul(K1).wrapping_add(v.0).wrapping_add(word(40));
        z = z.wrapping_add(w.0).rotate_right(33).wrapping_mul(K1);
        v = weak(bytes, at(0), v.1.wrapping_mul(K1), x.wrapping_add(w.0));
        w = weak(bytes, at(32), z.wrapping_add(w.1), y.wrapping_add(word(16)));
        (x, z) = (z, x);
    }
    let low = combine(v.0, w.0, MUL).wrapping_add(mix(y).wrapping_mul(K1)).wrapping_add(z);
    combine(low, combine(v.1, w.1, MUL).wrapping_add(x), MUL)
}
