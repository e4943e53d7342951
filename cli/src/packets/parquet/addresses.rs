//! The text of IP addresses.

use std::net::IpAddr;

/// Number of addresses whose text is kept.
const SIZE: usize = 64;

/// The text of the addresses that were used last. Printing an address takes longer than finding it
/// here.
#[derive(Debug, Default)]
pub struct Addresses(Vec<Option<(IpAddr, String)>>);

impl Addresses {
    /// Returns the text of an address.
    pub fn text(&mut self, address: IpAddr) -> &str {
        self.0.resize(SIZE, None);
        let Some(entry) = self.0.get_mut(slot(address)) else { return "" };
        if entry.as_ref().is_none_or(|(known, _)| *known != address) {
            *entry = Some((address, address.to_string()));
        }
        entry.as_ref().map_or("", |(_, text)| text)
    }
}

/// Returns the index at which an address is kept. Most addresses of one network differ in their
/// last byte.
fn slot(address: IpAddr) -> usize {
    let last = match address {
        IpAddr::V4(address) => address.octets().last().copied(),
        IpAddr::V6(address) => address.octets().last().copied(),
    };
    usize::from(last.unwrap_or(0)) % SIZE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_the_same_index_replace_each_other() {
        let mut addresses = Addresses::default();
        for text in ["10.0.0.1", "10.0.0.1", "10.0.0.65", "::1", "10.0.0.1", "fe80::ff"] {
            assert_eq!(addresses.text(text.parse().unwrap()), text);
        }
    }
}
