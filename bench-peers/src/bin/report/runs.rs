//! All runs side by side.

use crate::format::{median, ratio};
use crate::{CONTENTS, OPERATIONS, STATE, closest};
use gamewire_bench_peers::results::{Figure, Results};
use std::fmt::Write;

/// Number of runs that the page shows.
const SHOWN: usize = 3;

/// Returns a table with a column for each of the latest runs. Its rows show how far gamewire is
/// ahead of the closest peer.
pub fn of(all: &[Results]) -> String {
    let shown = &all[all.len().saturating_sub(SHOWN)..];
    let mut text = String::from("| content | operation |");
    shown.iter().for_each(|run| _ = write!(text, " {} |", run.machine.time_and_cpu()));
    text += "\n|---|---|";
    shown.iter().for_each(|_| text += "--:|");
    text.push('\n');
    for (content, label) in contents() {
        for (what, operation) in OPERATIONS {
            let closest = |run| closest(run, content, what);
            if shown.iter().all(|run| closest(run).is_none()) {
                continue;
            }
            let _ = write!(text, "| {label} | {operation} |");
            for of in shown.iter().map(closest) {
                let peer = of.map_or(String::new(), |of| format!(" `{}`", of.peer));
                let _ = write!(text, " {}{peer} |", ratio(of));
            }
            text.push('\n');
        }
    }
    text
}

fn contents() -> impl Iterator<Item = (&'static str, &'static str)> {
    std::iter::once((STATE, "state of a game")).chain(CONTENTS)
}

/// Prints every ratio of the latest run, and the medians of the same ratio in earlier runs.
pub fn print(all: &[Results]) {
    let Some((last, earlier)) = all.split_last() else { return };
    println!("times as long as gamewire, in {}; then in earlier runs", last.machine.date_and_cpu());
    for figure in last.figures.iter().filter(|figure| figure.ratio.is_some()) {
        let Figure { content, peer, what, .. } = figure;
        print!("{:48} {:26}", format!("{content}, {what}, {peer}"), ratio(Some(figure)));
        earlier.iter().rev().for_each(|run| print!("{:>10}", median(run.get(content, peer, what))));
        println!();
    }
}
