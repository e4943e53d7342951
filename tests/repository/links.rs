//! Checks that relative links in the pages of the repository lead to existing files and headings.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that contain no pages of this repository.
const SKIPPED: [&str; 4] = ["target", "artifacts", ".git", "node_modules"];

/// Collects the pages in a folder and its subfolders.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !SKIPPED.contains(&name.as_str()) {
            pages(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// Returns the targets of the relative links in a page. Ignores code blocks.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split("```").step_by(2);
    let targets = prose.flat_map(|prose| prose.split("](").skip(1));
    let targets = targets.filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://") && !target.contains(char::is_whitespace))
}

/// Returns the anchor of a heading: the heading in lower case, with hyphens for spaces and without
/// punctuation.
fn anchor(heading: &str) -> String {
    let letters = heading.trim().to_lowercase();
    let kept = letters.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().replace(' ', "-")
}

fn has_anchor(page: &Path, wanted: &str) -> bool {
    let text = fs::read_to_string(page).expect("a readable page");
    let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
    headings.map(|line| line.trim_start_matches('#')).any(|heading| anchor(heading) == wanted)
}

#[test]
fn relative_links_lead_to_files_and_headings() {
    let mut found = Vec::new();
    pages(Path::new(env!("CARGO_MANIFEST_DIR")), &mut found);
    assert!(found.len() > 10);
    let mut dead = Vec::new();
    for page in &found {
        let text = fs::read_to_string(page).expect("a readable page");
        for link in links(&text) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                _ => page.parent().expect("a folder").join(file),
            };
            let leads = target.exists() && (heading.is_empty() || has_anchor(&target, heading));
            if !leads {
                dead.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(dead.is_empty(), "dead links:\n{}", dead.join("\n"));
}
