/// The type of the first header in each packet, as its `LINKTYPE_` number in libpcap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinkType(pub u16);

impl LinkType {
    /// BSD loopback: an address family, in the byte order of the machine.
    pub const NULL: Self = Self(0);
    /// Ethernet.
    pub const ETHERNET: Self = Self(1);
    /// IP without a header before it.
    pub const RAW: Self = Self(101);
    /// OpenBSD loopback: like [`Self::NULL`], but always big-endian.
    pub const LOOP: Self = Self(108);
    /// Linux "cooked" header, for captures on all interfaces.
    pub const LINUX_SLL: Self = Self(113);
    /// IPv4 without a header before it.
    pub const IPV4: Self = Self(228);
    /// IPv6 without a header before it.
    pub const IPV6: Self = Self(229);
    /// Data of any protocol, after tags that describe them ([`ExportedPdu`](super::ExportedPdu)).
    pub const UPPER_PDU: Self = Self(252);
    /// Linux "cooked" header, version 2.
    pub const LINUX_SLL2: Self = Self(276);
}
