//! Numbers that nobody can predict without the seed: session bits, clocks and connect ids of ENet, the
//! secrets of hash tables, keys and masks of WebSockets, ids of clients.

/// SipHash-2-4 of a counter. The seed is the key.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    key: [u64; 2],
    counter: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { key: [seed, seed.rotate_left(32) ^ 0x9E37_79B9_7F4A_7C15], counter: 0 }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(1);
        self.hash([self.counter, 0, 0])
    }

    /// Hashes three words.
    pub(crate) fn hash(&self, words: [u64; 3]) -> u64 {
        let [k0, k1] = self.key;
        // The constants of the definition: "somepseudorandomlygeneratedbytes".
        let mut v = [
            k0 ^ 0x736f_6d65_7073_6575,
            k1 ^ 0x646f_7261_6e64_6f6d,
            k0 ^ 0x6c79_6765_6e65_7261,
            k1 ^ 0x7465_6462_7974_6573,
        ];
        for word in words.into_iter().chain([24 << 56]) {
            v[3] ^= word;
            round(&mut v);
            round(&mut v);
            v[0] ^= word;
        }
        v[2] ^= 0xFF;
        for _ in 0..4 {
            round(&mut v);
        }
        v[0] ^ v[1] ^ v[2] ^ v[3]
    }
}

fn round(v: &mut [u64; 4]) {
    let [mut a, mut b, mut c, mut d] = *v;
    a = a.wrapping_add(b);
    b = b.rotate_left(13) ^ a;
    a = a.rotate_left(32);
    c = c.wrapping_add(d);
    d = d.rotate_left(16) ^ c;
    a = a.wrapping_add(d);
    d = d.rotate_left(21) ^ a;
    c = c.wrapping_add(b);
    b = b.rotate_left(17) ^ c;
    c = c.rotate_left(32);
    *v = [a, b, c, d];
}
