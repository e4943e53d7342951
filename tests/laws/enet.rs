//! ENet: the range coder and its second opinion.

use crate::support::range_coder::{self as naive, Bad};
use gamewire::net::enet::{ErrorKind, RangeCoder};

/// ENet's limit for a datagram.
const LARGEST: usize = 4096;

/// Any bytes, as something to decode and as something to encode.
pub fn enet_range_coder(data: &[u8]) {
    // (One for all, as a listener has it: nothing may stay behind from the last datagram.)
    thread_local!(static CODER: std::cell::RefCell<RangeCoder> = RangeCoder::new().into());
    CODER.with_borrow_mut(|coder| {
        decodes_as_the_second_opinion(coder, data);
        comes_back(coder, data);
    });
}

fn decodes_as_the_second_opinion(coder: &mut RangeCoder, data: &[u8]) {
    for limit in [LARGEST - 4, 100] {
        let mut memory = vec![0; limit];
        let ours = coder.decode(data, &mut memory).map_err(|error| {
            assert!(error.offset() <= data.len() as u64);
            match *error.kind() {
                ErrorKind::BadCode => Bad::Code,
                ErrorKind::Empty => Bad::Empty,
                ErrorKind::TooLong => Bad::TooLong,
                kind => panic!("{kind:?}"),
            }
        });
        let theirs = naive::decode(data, limit);
        assert_eq!(ours, theirs.as_deref().map_err(|bad| *bad));
    }
    let ours = coder.decode_datagram(data, 4).ok().map(<[u8]>::to_vec);
    assert_eq!(ours, naive::decode(data, LARGEST - 4).ok());
}

fn comes_back(coder: &mut RangeCoder, data: &[u8]) {
    let mut memory = vec![0; 2 * data.len() + 64];
    let coded = coder.encode(data, &mut memory).unwrap().to_vec();
    assert_eq!(coded, naive::encode(data).0);
    if let Some(short) = coded.len().checked_sub(1) {
        assert!(coder.encode(data, &mut memory[..short]).is_err());
    }
    match coder.decode(&coded, &mut memory) {
        Ok(plain) => assert_eq!(plain, data),
        Err(error) => assert!(data.is_empty(), "{error}"),
    }
}
