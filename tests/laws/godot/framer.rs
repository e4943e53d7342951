//! Law: a stream that is fed in pieces gives the same frames and errors as the whole stream.

use gamewire::godot::Error;
use gamewire::godot::frame::{Framer, Frames, Framing};

/// Splits arbitrary bytes into frames. The first byte selects the framing, and the second byte
/// selects the sizes of the pieces.
pub fn godot_framer(data: &[u8]) {
    let [first, second, stream @ ..] = data else { return };
    let max_len = if first & 2 != 0 { u32::MAX } else { u32::from(*first) };
    let framing = Framing { big_endian: first & 1 != 0, max_len };
    super::frames::agrees_with_oracle(stream, framing);
    let whole = at_once(stream, framing);
    assert_eq!(in_pieces(stream.chunks(stream.len().max(1)), framing), whole);
    let size = usize::from(*second % 16) + 1;
    assert_eq!(in_pieces(stream.chunks(size), framing), whole);
    // Feeds pieces of changing sizes, some of them empty.
    let mut seed = *second;
    let mut rest = stream;
    let uneven = std::iter::from_fn(|| {
        seed = seed.wrapping_mul(5).wrapping_add(89);
        let (piece, after) = rest.split_at(usize::from(seed >> 4).min(rest.len()));
        let more = !rest.is_empty();
        rest = after;
        more.then_some(piece)
    });
    assert_eq!(in_pieces(uneven, framing), whole);
}

type Found = (Vec<(u64, Vec<u8>)>, Option<Error>);

fn at_once(stream: &[u8], framing: Framing) -> Found {
    let (mut found, mut failed) = (Vec::new(), None);
    for frame in Frames::with(stream, framing) {
        match frame {
            Ok(frame) => found.push((frame.offset, frame.bytes.to_vec())),
            Err(error) => failed = Some(error),
        }
    }
    (found, failed)
}

fn in_pieces<'p>(pieces: impl Iterator<Item = &'p [u8]>, framing: Framing) -> Found {
    let mut framer = Framer::new(framing);
    let (mut found, mut fed) = (Vec::new(), 0);
    for mut piece in pieces {
        let place = piece.as_ptr_range();
        fed += piece.len() as u64;
        loop {
            let before = framer.missing();
            match framer.next(&mut piece) {
                Ok(Some(frame)) => {
                    // The frame is borrowed from the piece, unless an earlier piece contained its
                    // start.
                    if before == 0 && !frame.bytes.is_empty() {
                        assert!(place.contains(&frame.bytes.as_ptr()));
                    }
                    found.push((frame.offset, frame.bytes.to_vec()));
                }
                Ok(None) => break,
                Err(error) => {
                    assert_eq!(framer.finish(), Err(error));
                    return (found, Some(error));
                }
            }
        }
        assert!(piece.is_empty() && framer.offset() <= fed);
        let between = framer.offset() == fed;
        assert_eq!((framer.missing() == 0, framer.finish().is_ok()), (between, between));
    }
    (found, framer.finish().err())
}
