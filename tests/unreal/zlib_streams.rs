//! Compares the streams of the encoder for zlib with those of zlib 1.2.13, as `zlib.compress` of
//! Python 3 makes them: their lengths and CRC-32, for contents from a generator of random numbers.

use gamewire::unreal::wrapper::{
    Body, Deflate, DeflateEncoder, Header, Layer, Options, Wrapping, unwrap,
};

/// A linear congruential generator, so that any language can make the same contents.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        let factor = 6_364_136_223_846_793_005;
        self.0 = self.0.wrapping_mul(factor).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn byte(&mut self, end: usize) -> u8 {
        self.below(end) as u8
    }
}

fn content(kind: &str, len: usize) -> Vec<u8> {
    let (mut random, mut bytes) = (Numbers(1), Vec::new());
    let words: Vec<Vec<u8>> = match kind {
        "words" => (0..200)
            .map(|_| (0..2 + random.below(28)).map(|_| random.byte(256)).collect())
            .collect(),
        _ => Vec::new(),
    };
    while bytes.len() < len {
        match kind {
            "noise" => bytes.push(random.byte(256)),
            "skewed" => {
                let numbers = [random.byte(256), random.byte(256), random.byte(64)];
                bytes.extend(numbers.into_iter().min());
            }
            "letters" => bytes.push(b'a' + random.byte(4)),
            "words" => bytes.extend(&words[random.below(200)]),
            "copies" if random.below(2) == 1 && !bytes.is_empty() => {
                let distance = 1 + random.below(bytes.len().min(40_000));
                for _ in 0..3 + random.below(400) {
                    bytes.push(bytes[bytes.len() - distance]);
                }
            }
            "copies" => {
                for _ in 0..1 + random.below(300) {
                    bytes.push(random.byte(256).min(random.byte(256)));
                }
            }
            "zeros" => bytes.push(0),
            other => panic!("{other}"),
        }
    }
    bytes.truncate(len);
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ (0xEDB8_8320 * (crc & 1)))
    })
}

/// Kind and length of the content; length and CRC-32 of the streams of levels 1 to 9.
type Row = (&'static str, usize, [(usize, u32); 9]);

#[rustfmt::skip]
const STREAMS: &[Row] = &[
    ("noise", 50, [(61, 0x43ebdf9c), (61, 0xcdc78718), (61, 0xcdc78718), (61, 0xcdc78718), (61, 0xcdc78718), (61, 0x36805d73), (61, 0x8975307e), (61, 0x8975307e), (61, 0x8975307e)]),
    ("noise", 3000, [(3011, 0x4b25b906), (3011, 0x02b9fb39), (3011, 0x02b9fb39), (3011, 0x02b9fb39), (3011, 0x02b9fb39), (3011, 0x17512a4f), (3011, 0x52b80260), (3011, 0x52b80260), (3011, 0x52b80260)]),
    ("noise", 70001, [(70032, 0x479d848b), (70032, 0x0a16737a), (70032, 0x0a16737a), (70032, 0xf2b74daf), (70032, 0xf2b74daf), (70032, 0xa4f44cd9), (70032, 0x7e3b7852), (70032, 0x7e3b7852), (70032, 0x7e3b7852)]),
    ("skewed", 0, [(8, 0x4d731cc0), (8, 0x98ee859e), (8, 0x98ee859e), (8, 0x98ee859e), (8, 0x98ee859e), (8, 0xc36c0b3c), (8, 0xe4b74b7f), (8, 0xe4b74b7f), (8, 0xe4b74b7f)]),
    ("skewed", 3, [(11, 0x2c47a89e), (11, 0x6458755b), (11, 0x6458755b), (11, 0x6458755b), (11, 0x6458755b), (11, 0x1812abc7), (11, 0x8bb6dc20), (11, 0x8bb6dc20), (11, 0x8bb6dc20)]),
    ("skewed", 50, [(58, 0x16758be3), (58, 0x55aa81bb), (58, 0x55aa81bb), (58, 0x55aa81bb), (58, 0x55aa81bb), (58, 0x1b8ca9fd), (58, 0xd473c2e0), (58, 0xd473c2e0), (58, 0xd473c2e0)]),
    ("skewed", 3000, [(2284, 0xeddae860), (2284, 0xb60079c8), (2284, 0xb60079c8), (2284, 0xb60079c8), (2284, 0xb60079c8), (2284, 0x8cbde765), (2284, 0xfa68b98e), (2284, 0xfa68b98e), (2284, 0xfa68b98e)]),
    ("skewed", 70001, [(53645, 0x959ace2b), (53644, 0x92e098e9), (53644, 0x92e098e9), (52829, 0xeb016412), (52829, 0xeb016412), (52829, 0xe815bb1c), (52829, 0x62c48a83), (52829, 0x62c48a83), (52829, 0x62c48a83)]),
    ("letters", 50, [(37, 0x907a70f7), (37, 0x6ecc051e), (37, 0x6ecc051e), (37, 0xb09e2ab8), (37, 0xb09e2ab8), (37, 0x15260bc5), (37, 0xef0179cb), (37, 0xef0179cb), (37, 0xef0179cb)]),
    ("letters", 3000, [(1058, 0xbbba67bd), (1023, 0x01aa8281), (1034, 0x23da8ee0), (998, 0xae2fd03a), (1003, 0x312e48d1), (1010, 0xee7c5f94), (1010, 0x1bf63b0a), (1010, 0x1bf63b0a), (1010, 0x1bf63b0a)]),
    ("letters", 70001, [(23347, 0x81c2d1e1), (22308, 0x00b48c30), (21486, 0xdd585f40), (21483, 0x4a0671fc), (21094, 0x0a1138e7), (20812, 0xa0eb404f), (20906, 0x7b4f31ba), (21041, 0x2bc3d147), (21041, 0x2bc3d147)]),
    ("words", 50, [(61, 0x3a37b21a), (61, 0xb41bea9e), (61, 0xb41bea9e), (61, 0xb41bea9e), (61, 0xb41bea9e), (61, 0x4f5c30f5), (61, 0xf0a95df8), (61, 0xf0a95df8), (61, 0xf0a95df8)]),
    ("words", 3000, [(2240, 0xe01ce239), (2240, 0xe835a517), (2240, 0xe835a517), (2240, 0xe835a517), (2240, 0xe835a517), (2240, 0x5cf887a3), (2240, 0xdee4566e), (2240, 0xdee4566e), (2240, 0xdee4566e)]),
    ("words", 70001, [(13709, 0xa51a81fd), (13743, 0xa07fef7a), (13949, 0xec8c3b9a), (13362, 0xcedd3af1), (13314, 0x0b5e90c0), (13314, 0x250eb06e), (13314, 0x30f2f8ff), (13314, 0x30f2f8ff), (13314, 0x30f2f8ff)]),
    ("copies", 50, [(59, 0x4f308e61), (59, 0x2ac388ad), (59, 0x2ac388ad), (59, 0x2ac388ad), (59, 0x2ac388ad), (59, 0xb5324a20), (59, 0xd6fbd992), (59, 0xd6fbd992), (59, 0xd6fbd992)]),
    ("copies", 3000, [(1034, 0x5292df83), (1034, 0x4fb3da68), (1034, 0x4fb3da68), (1051, 0xcd48f8ab), (1046, 0xc204a48e), (1032, 0x2b7bcf17), (1032, 0x97b2c045), (1026, 0x3cfda0b6), (1026, 0x3cfda0b6)]),
    ("copies", 70001, [(29703, 0x21696986), (29700, 0xcc1d959e), (29641, 0x17291786), (28472, 0x55dae6eb), (28283, 0x31a4b0ce), (27949, 0x386d3c50), (27949, 0x47b79ced), (27901, 0x95f75815), (27901, 0x95f75815)]),
    ("copies", 200000, [(98657, 0x1d259436), (98637, 0x6d3a3cc6), (98451, 0x415473e1), (90330, 0x3acf0ae5), (90054, 0x0ea51f22), (89511, 0x863b540c), (89511, 0xe93dcb75), (89427, 0xddb03b5c), (89427, 0xddb03b5c)]),
    ("zeros", 50, [(12, 0x62d60025), (12, 0x899029c7), (12, 0x899029c7), (12, 0x899029c7), (12, 0x899029c7), (12, 0x7055bc76), (12, 0x4ea86fda), (12, 0x4ea86fda), (12, 0x4ea86fda)]),
    ("zeros", 3000, [(37, 0x9b8c02a9), (37, 0x653a7740), (37, 0x653a7740), (26, 0x67171bad), (26, 0x67171bad), (26, 0xe17697ba), (26, 0x318060e5), (26, 0x318060e5), (26, 0x318060e5)]),
    ("zeros", 70001, [(329, 0x1a36c38c), (329, 0xc448e500), (329, 0xc448e500), (91, 0xbd7f2a6c), (91, 0xbd7f2a6c), (91, 0x8b116f75), (91, 0xb59fcdd6), (91, 0xb59fcdd6), (91, 0xb59fcdd6)]),
];

fn wrapping(encoder: DeflateEncoder, level: u8) -> Wrapping {
    let mut deflate = Deflate::default();
    (deflate.encoder, deflate.level) = (encoder, level);
    let (header, body) = (Header::None, Body::Zlib(deflate));
    Wrapping { layers: vec![Layer { header, body, rest: Vec::new() }] }
}

#[test]
fn streams_are_those_of_zlib() {
    for (kind, len, streams) in STREAMS {
        let content = content(kind, *len);
        for (level, expected) in (1..).zip(streams) {
            let stream = wrapping(DeflateEncoder::Zlib, level).wrap(&content).unwrap();
            let found = (stream.len(), crc32(&stream));
            assert_eq!(found, *expected, "{kind}, {len} bytes, level {level}");
        }
    }
}

/// The compressor of a save is found, and the save is then written without the original.
#[test]
fn compressors_are_found() {
    let head = b"GVAS\x02\0\0\0\x0A\x02\0\0\x04\0\x1B\0\x02\0\0\0\0\0\0\0\0\0";
    let save = [&head[..], &content("copies", 100_000)].concat();
    for (encoder, level) in [
        (DeflateEncoder::Zlib, 1),
        (DeflateEncoder::Zlib, 6),
        (DeflateEncoder::Zlib, 9),
        (DeflateEncoder::Miniz, 3),
    ] {
        let expected = wrapping(encoder, level);
        let file = expected.wrap(&save).unwrap();
        let mut unwrapped = unwrap(&file, &Options::default()).unwrap().unwrap();
        assert!(unwrapped.bytes == save);
        assert!(unwrapped.wrapping.find_compressors(&file));
        assert_eq!(unwrapped.wrapping, expected);
    }
}
