//! Arguments of `gamewire find`.

use super::KeyArgs;
use super::help::FIND_DETAILS;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use gamewire::godot::Dialect;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = super::help::MORE)]
#[command(after_long_help = FIND_DETAILS)]
pub struct Find {
    /// Files to search, of any format; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Find values of one engine only [default: godot4 and godot3]
    #[arg(long = "as", value_name = "ENGINE", value_parser = dialect())]
    #[arg(hide_possible_values = true)]
    pub dialect: Option<Dialect>,

    /// Also list values of the confidence "possible", most of which are not really values
    #[arg(long)]
    pub all: bool,

    /// Print a JSON object for each value
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub key: KeyArgs,
}

/// Returns a parser that accepts the names of all dialects.
fn dialect() -> impl TypedValueParser<Value = Dialect> {
    let names = Dialect::ALL.iter().map(|dialect| dialect.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Dialect>())
}
