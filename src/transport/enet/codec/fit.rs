use crate::transport::enet::Commands;

/// How well bytes fit to the commands of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// Not a run of commands.
    Invalid,
    /// A run of commands, but not as ENet sends them.
    Valid,
    /// A run of commands with flags and channels as ENet sends them.
    Plausible,
}

impl Fit {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut fit = if bytes.is_empty() { Self::Invalid } else { Self::Plausible };
        for command in Commands::new(bytes, 0) {
            fit = match command {
                Ok(command) if command.is_plausible() => fit,
                Ok(_) => fit.min(Self::Valid),
                Err(_) => return Self::Invalid,
            };
        }
        fit
    }
}
