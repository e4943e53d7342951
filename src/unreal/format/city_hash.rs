//! The hash function `CityHash64`, version 1.1, which engines use for names and paths in packages
//! from `IoStore` containers, and for the keys of localized texts.
//!
//! A function supplies the bytes, so it can convert text to lower case without a buffer.

const K0: u64 = 0xC3A5_C85C_97CB_3127;
const K1: u64 = 0xB492_B66F_BE98_F273;
const K2: u64 = 0x9AE1_6A3B_2F90_404F;

/// Returns the hash of `len` bytes. `byte` returns the byte at a position.
pub(crate) fn city_hash_64(len: usize, byte: impl Fn(usize) -> u8) -> u64 {
    let text = Bytes { len, byte };
    match len {
        0..=16 => text.short(),
        17..=32 => text.up_to_32(),
        33..=64 => text.up_to_64(),
        _ => text.long(),
    }
}

struct Bytes<F> {
    len: usize,
    byte: F,
}

impl<F: Fn(usize) -> u8> Bytes<F> {
    /// Returns the little-endian number at a position.
    fn word(&self, at: usize) -> u64 {
        u64::from_le_bytes(core::array::from_fn(|index| (self.byte)(at.wrapping_add(index))))
    }

    fn half_word(&self, at: usize) -> u64 {
        self.word(at) & 0xFFFF_FFFF
    }

    /// Returns the number that begins `before` bytes before the end.
    fn before_end(&self, before: usize) -> u64 {
        self.word(self.len.wrapping_sub(before))
    }

    fn multiplier(&self) -> u64 {
        K2.wrapping_add(self.len as u64).wrapping_add(self.len as u64)
    }

    fn short(&self) -> u64 {
        let (len, mul) = (self.len as u64, self.multiplier());
        match self.len {
            0 => K2,
            1..4 => {
                let at = |index: usize| u64::from((self.byte)(index));
                let y = at(0).wrapping_add(at(self.len >> 1) << 8);
                let z = len.wrapping_add(at(self.len.wrapping_sub(1)) << 2);
                mix(y.wrapping_mul(K2) ^ z.wrapping_mul(K0)).wrapping_mul(K2)
            }
            4..8 => {
                let last = self.half_word(self.len.wrapping_sub(4));
                join(len.wrapping_add(self.half_word(0) << 3), last, mul)
            }
            _ => {
                let (a, b) = (self.word(0).wrapping_add(K2), self.before_end(8));
                let c = b.rotate_right(37).wrapping_mul(mul).wrapping_add(a);
                let d = a.rotate_right(25).wrapping_add(b).wrapping_mul(mul);
                join(c, d, mul)
            }
        }
    }

    fn up_to_32(&self) -> u64 {
        let mul = self.multiplier();
        let a = self.word(0).wrapping_mul(K1);
        let b = self.word(8);
        let c = self.before_end(8).wrapping_mul(mul);
        let d = self.before_end(16).wrapping_mul(K2);
        let u = a.wrapping_add(b).rotate_right(43).wrapping_add(c.rotate_right(30));
        let v = a.wrapping_add(b.wrapping_add(K2).rotate_right(18)).wrapping_add(c);
        join(u.wrapping_add(d), v, mul)
    }

    fn up_to_64(&self) -> u64 {
        let mul = self.multiplier();
        let a = self.word(0).wrapping_mul(K2);
        let b = self.word(8);
        let c = self.before_end(24);
        let d = self.before_end(32);
        let e = self.word(16).wrapping_mul(K2);
        let f = self.word(24).wrapping_mul(9);
        let g = self.before_end(8);
        let h = self.before_end(16).wrapping_mul(mul);
        let ag = a.wrapping_add(g);
        let bc = b.rotate_right(30).wrapping_add(c).wrapping_mul(9);
        let u = ag.rotate_right(43).wrapping_add(bc);
        let v = (ag ^ d).wrapping_add(f).wrapping_add(1);
        let w = u.wrapping_add(v).wrapping_mul(mul).swap_bytes().wrapping_add(h);
        let x = e.wrapping_add(f).rotate_right(42).wrapping_add(c);
        let y = v.wrapping_add(w).wrapping_mul(mul).swap_bytes();
        let y = y.wrapping_add(g).wrapping_mul(mul);
        let z = e.wrapping_add(f).wrapping_add(c);
        let a = x.wrapping_add(z).wrapping_mul(mul).wrapping_add(y).swap_bytes().wrapping_add(b);
        let b = z.wrapping_add(a).wrapping_mul(mul).wrapping_add(d).wrapping_add(h);
        mix(b).wrapping_mul(mul).wrapping_add(x)
    }

    fn long(&self) -> u64 {
        let mut x = self.before_end(40);
        let mut y = self.before_end(16).wrapping_add(self.before_end(56));
        let mut z =
            join_two(self.before_end(48).wrapping_add(self.len as u64), self.before_end(24));
        let mut v = self.weak(self.len.wrapping_sub(64), self.len as u64, z);
        let mut w = self.weak(self.len.wrapping_sub(32), y.wrapping_add(K1), x);
        x = x.wrapping_mul(K1).wrapping_add(self.word(0));
        let blocks = self.len.wrapping_sub(1) >> 6;
        for block in 0..blocks {
            let at = block << 6;
            let word = |place: usize| self.word(at.wrapping_add(place));
            let sum = x.wrapping_add(y).wrapping_add(v.0).wrapping_add(word(8));
            x = sum.rotate_right(37).wrapping_mul(K1) ^ w.1;
            let sum = y.wrapping_add(v.1).wrapping_add(word(48));
            y = sum.rotate_right(42).wrapping_mul(K1).wrapping_add(v.0).wrapping_add(word(40));
            z = z.wrapping_add(w.0).rotate_right(33).wrapping_mul(K1);
            v = self.weak(at, v.1.wrapping_mul(K1), x.wrapping_add(w.0));
            let seed = y.wrapping_add(word(16));
            w = self.weak(at.wrapping_add(32), z.wrapping_add(w.1), seed);
            (x, z) = (z, x);
        }
        let first = join_two(v.0, w.0).wrapping_add(mix(y).wrapping_mul(K1)).wrapping_add(z);
        join_two(first, join_two(v.1, w.1).wrapping_add(x))
    }

    /// Hashes 32 bytes with two seeds.
    fn weak(&self, at: usize, a: u64, b: u64) -> (u64, u64) {
        let [w, x, y, z] =
            core::array::from_fn(|index: usize| self.word(at.wrapping_add(index << 3)));
        let a = a.wrapping_add(w);
        let b = b.wrapping_add(a).wrapping_add(z).rotate_right(21);
        let sum = a.wrapping_add(x).wrapping_add(y);
        (sum.wrapping_add(z), b.wrapping_add(sum.rotate_right(44)).wrapping_add(a))
    }
}

fn mix(value: u64) -> u64 {
    value ^ (value >> 47)
}

fn join(u: u64, v: u64, mul: u64) -> u64 {
    let a = mix((u ^ v).wrapping_mul(mul));
    mix((v ^ a).wrapping_mul(mul)).wrapping_mul(mul)
}

fn join_two(u: u64, v: u64) -> u64 {
    join(u, v, 0x9DDF_EA08_EB38_2D69)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(bytes: &[u8]) -> u64 {
        city_hash_64(bytes.len(), |at| bytes.get(at).copied().unwrap_or(0))
    }

    /// The algorithm differs between ranges of lengths, and this covers all of them. The crate
    /// `cityhasher` supplies the expected hashes.
    #[test]
    fn every_length_agrees_with_another_implementation() {
        let mut state = 1_u32;
        let bytes: [u8; 600] = core::array::from_fn(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        });
        for len in 0..bytes.len() {
            let bytes = bytes.get(..len).unwrap_or_default();
            assert_eq!(hash(bytes), cityhasher::hash::<u64>(bytes), "{len}");
        }
    }

    /// Hashes in a package that engine 4.27 wrote.
    #[test]
    fn names_of_engines() {
        assert_eq!(hash(b"none"), 0x7537_0F5B_A635_2DC2);
        assert_eq!(hash(b"class"), 0x6BDB_B66E_823A_2BAD);
        assert_eq!(hash(b"default__texture2d"), 0xBDCA_80CC_2996_9E78);
        assert_eq!(hash(b"/engine/engine_mi_shaders/t_emissive"), 0xF62C_AD4D_1901_5B37);
    }
}
