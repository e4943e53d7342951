//! What there is to say of saves of Rem's Engine.

use crate::rems::Written;
use clap::Args;

/// What binary saves need, since nothing in them says it.
#[derive(Clone, Copy, Debug, Args)]
pub struct RemsSource {
    /// When the engine was built that wrote a binary save; else the latest that fits
    #[arg(id = "rems-era", long = "era", value_name = "YEAR", value_enum)]
    #[arg(hide_possible_values = true)]
    pub era: Option<Written>,
}
