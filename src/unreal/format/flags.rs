//! Named bit flags: a macro that defines constants, and a function that returns the names of set
//! flags.

macro_rules! flags {
    ($(#[$doc:meta])* mod $set:ident { $( $(#[$flag_doc:meta])* $FLAG:ident = $bit:literal; )* }) => {
        $(#[$doc])*
        #[allow(missing_docs, reason = "the names of some flags say everything")]
        pub mod $set {
            $( $(#[$flag_doc])* pub const $FLAG: u32 = $bit; )*

            /// Returns the names of the flags that are set in `bits`.
            pub fn names(bits: u32) -> impl Iterator<Item = &'static str> {
                let all = [$( ($FLAG, stringify!($FLAG)), )*];
                all.into_iter().filter(move |(flag, _)| bits & flag != 0).map(|(_, name)| name)
            }
        }
    };
}
pub(crate) use flags;
