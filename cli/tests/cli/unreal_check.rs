//! Runs `check` on packages and saves that are not fully decoded, and on packages that
//! `--unreal-version` does not fit.

use crate::command::{Ran, root, run, run_on, shown};
use crate::unreal::{ALL, PACKAGE, SAVE, UNVERSIONED, has};
use serde_json::Value;
use std::fs;

/// Returns the indented lines that `check` prints below the line for the file.
fn notes(ran: &Ran) -> Vec<&str> {
    ran.out.lines().filter(|line| line.starts_with("  ")).collect()
}

/// Checks that `check` warns of parts that it cannot decode, and that, with `--strict`, it refuses
/// a file that has such parts.
#[test]
fn parts_that_are_not_decoded() {
    for (file, expected) in [
        (PACKAGE, &["not decoded: class-specific data of 8 exports, 4690 bytes"][..]),
        (
            "corpus/unreal/ue5.8-cooked-unversioned-DA_AllProperties.uasset",
            &["not decoded: untagged properties of 2 exports, 2879 bytes (needs --mappings)"],
        ),
        (ALL, &[]),
        (SAVE, &[]),
    ] {
        let args = match file.contains("unversioned") {
            true => vec!["check", "--unreal-version", "5.8", file],
            false => vec!["check", file],
        };
        let ran = run(&args);
        let warnings: Vec<_> = expected.iter().map(|text| format!("  warning: {text}")).collect();
        assert_eq!(
            (ran.code, notes(&ran)),
            (Some(0), warnings.iter().map(|text| &text[..]).collect())
        );
        let ran = run(&[&args[..], &["--strict"]].concat());
        let errors: Vec<_> = expected.iter().map(|text| format!("  error: {text}")).collect();
        let verdict = if errors.is_empty() { "ok      " } else { "refused " };
        assert!(ran.out.starts_with(verdict), "{}", ran.out);
        assert_eq!(notes(&ran), errors);
        assert_eq!(ran.code, Some(i32::from(!errors.is_empty())));
    }
}

/// Returns a save with one property of each of these kinds. The value of each property is one byte.
fn save_with(kinds: impl Iterator<Item = String>, trailer: &[u8]) -> Vec<u8> {
    let text =
        |text: &str| [&(text.len() as i32 + 1).to_le_bytes(), text.as_bytes(), &[0]].concat();
    let save = fs::read(root(SAVE)).unwrap();
    let first = save.windows(4).position(|bytes| bytes == b"u8_t").unwrap() - 4;
    let mut save = save[..first].to_vec();
    for kind in kinds {
        save.extend([text("Name"), text(&kind), vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 7]].concat());
    }
    [&save[..], &text("None"), trailer].concat()
}

#[test]
fn values_of_saves_that_are_not_decoded() {
    let kinds = |count: u32| (0..count * 2).map(move |n| format!("X{}Property", n % count));
    let lines = |count, trailer: &[u8]| {
        let save = save_with(kinds(count), trailer);
        let strict = run_on(&["check", "--strict", "-"], &save);
        let ran = run_on(&["check", "-"], &save);
        assert_eq!(ran.code, Some(0), "{}", ran.out);
        assert_eq!(strict.code, Some(i32::from(!notes(&ran).is_empty())));
        notes(&ran).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let offset = save_with(kinds(0), b"").len() - 9;
    let second = offset + 34;
    let line = format!(
        "  warning: not decoded: X0Property: unknown kind of property, 2 times, at offsets {offset} \
         ({offset:#x}), {second} ({second:#x})",
    );
    assert_eq!(lines(1, &[0; 4]), [line]);
    let many = lines(11, &[0; 4]);
    assert_eq!(
        (many.len(), &many[8][..]),
        (9, "  warning: not decoded: 6 values of further types")
    );

    let end = offset + 9;
    let after = |size| {
        format!("  warning: not decoded: {size} after the properties, at offset {end} ({end:#x})")
    };
    for (trailer, line) in [
        (&[0; 4][..], None),
        (&[], None),
        (&[0, 0, 0, 1], Some(after("4 bytes"))),
        (&[0; 5], Some(after("5 bytes"))),
        (&[0], Some(after("1 byte"))),
    ] {
        assert_eq!(lines(0, trailer), Vec::from_iter(line), "{trailer:?}");
    }
}

/// Checks that `check` names the first three exports whose properties cannot be read, and counts
/// the others.
#[test]
fn properties_that_cannot_be_read() {
    let mut bytes = fs::read(root(PACKAGE)).unwrap();
    let json: Value = serde_json::from_str(&shown(run(&["json", PACKAGE]))).unwrap();
    let exports = json["exports"].as_array().unwrap();
    let with_properties = exports.iter().filter(|export| export["properties"][0].is_object());
    let mut damaged = 0;
    for export in with_properties {
        let at = export["properties"][0]["at"].as_u64().unwrap() as usize;
        bytes[at..at + 4].copy_from_slice(&99_999i32.to_le_bytes());
        damaged += 1;
    }
    assert!(damaged > 4, "{damaged}");
    let ran = run_on(&["check", "-"], &bytes);
    assert_eq!(ran.code, Some(0));
    let lists: Vec<_> = notes(&ran).into_iter().filter(|line| !line.contains("decoded")).collect();
    has(lists[0], &["  warning: properties of export ", "name index 99999 is out of range"]);
    assert_eq!(
        (lists.len(), lists[3]),
        (4, &*format!("  warning: and {} more exports", damaged - 3))
    );
    assert_eq!(run_on(&["check", "--strict", "-"], &bytes).code, Some(1));
}

/// Checks that `check` says that it ignores `--unreal-version` if the package states a different
/// version, and that it refuses the package with `--strict`.
#[test]
fn the_version_of_a_package_that_states_its_own() {
    let file = "corpus/unreal/ue4.18-SimpleRefsRoot.uasset";
    let ran = run(&["check", "--unreal-version", "4.27", file]);
    let line = "the package states its version, 514: --unreal-version (version 522) is ignored";
    assert_eq!((ran.code, notes(&ran)[0]), (Some(0), &*format!("  warning: {line}")));
    let ran = run(&["check", "--strict", "--unreal-version", "4.27", ALL]);
    assert_eq!((ran.code, notes(&ran).len()), (Some(1), 1));
    let ran = run(&["check", "--strict", "--unreal-version", "5.8", ALL]);
    assert_eq!((ran.code, notes(&ran).len()), (Some(0), 0));
}

/// Checks that `check` names the engines whose versions fit an unversioned package.
#[test]
fn fitting_versions_of_an_unversioned_package() {
    let hint = "  hint: its tables fit --unreal-version 5.2, 5.3, 5.4 or 5.5";
    let unused = "  error: names: offset 241 (0xf1): bytes that belong to no table: 4  [Unused]";
    for (version, expected) in
        [(None, &[hint][..]), (Some("5.8"), &[hint]), (Some("5.1"), &[unused, hint])]
    {
        let mut args = vec!["check", UNVERSIONED];
        args.extend(version.into_iter().flat_map(|version| ["--unreal-version", version]));
        let ran = run(&args);
        assert_eq!((ran.code, &notes(&ran)[..]), (Some(1), expected));
    }
    let file = "corpus/unreal/ue5.1-cooked-NewDataTable.uasset";
    let ran = run(&["check", file]);
    assert_eq!(notes(&ran), ["  hint: its tables fit --unreal-version 5.1"]);
    let cut = run_on(&["check", "-"], &fs::read(root(file)).unwrap()[..100]);
    assert_eq!(notes(&cut), [""; 0]);
}

/// Checks that the output states as which version a licensee's version is read, and that
/// `--unreal-version` is ignored for a save.
#[test]
fn the_version_of_a_licensee() {
    let file = "corpus/unreal-small/version_524.sav";
    let ran = run(&["check", "--unreal-version", "4.26", file]);
    has(&ran.out, &["save 524 of a licensee, read as 522 by engine 4.27.2"]);
    assert_eq!((ran.code, notes(&ran).len()), (Some(0), 0));
    let ran = run(&["check", "--unreal-version", "5.0", file]);
    has(notes(&ran)[0], &["the save states its version, 524: --unreal-version (version 522/1004)"]);
    let ran = run(&["show", "--unreal-version", "5.0", file]);
    has(&ran.out, &["524 of a licensee, read as 522 (save version 2)"]);
    has(&ran.err, &["--unreal-version (version 522/1004) is ignored"]);
    assert_eq!(ran.code, Some(0));
}

/// Checks that `show`, `json` and `get` report a version that cannot be right.
#[test]
fn a_version_that_cannot_be_right() {
    let file = "corpus/unreal/ue5.4-cooked-BP_CubePawn.uasset";
    for command in [&["show"][..], &["json"], &["get", "summary"]] {
        let mut args = command.to_vec();
        args.extend(["--unreal-version", "5.1", file]);
        let ran = run(&args);
        assert_eq!(ran.code, Some(1), "{command:?}");
        has(
            &ran.err,
            &["--unreal-version cannot be right", "hint: its tables fit --unreal-version"],
        );
        args[command.len() + 1] = "5.4";
        assert_eq!((run(&args).code, &*run(&args).err), (Some(0), ""), "{command:?}");
    }
}
