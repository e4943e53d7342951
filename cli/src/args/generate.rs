//! Arguments of `gamewire completions`, `gamewire man` and `gamewire wireshark-lua`.

use super::help::{COMPLETIONS_DETAILS, MAN_DETAILS, WIRESHARK_DETAILS};
use clap::{Args, ValueHint};
use clap_complete::Shell;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_DETAILS)]
pub struct Completions {
    /// Shell to print the script for
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = WIRESHARK_DETAILS)]
pub struct WiresharkLua {
    /// Print colouring rules instead of the script
    #[arg(long)]
    pub colors: bool,
}

#[derive(Debug, Args)]
#[command(after_help = MAN_DETAILS)]
pub struct Man {
    /// Command whose page to print, such as `show` or `unreal deps`; if missing, gamewire itself
    #[arg(value_name = "COMMAND", conflicts_with = "dir")]
    pub command: Vec<String>,

    /// Write a page for each command into this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: Option<PathBuf>,
}
