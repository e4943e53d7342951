//! Tests the changes that `diff` prints for two saves: pointers, repeated names, arrays and
//! malformed values.

use crate::command::{Ran, empty_folder, run, write_file};

fn diff(name: &str, args: &[&str], old: &str, new: &str) -> Ran {
    let folder = empty_folder(&format!("rems/{name}"));
    let [old, new] =
        [("old", old), ("new", new)].map(|(name, text)| write_file(&folder, name, text.as_bytes()));
    run(&[&["diff"], args, &[&old, &new]].concat())
}

#[track_caller]
fn same(name: &str, old: &str, new: &str) {
    let ran = diff(name, &[], old, new);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""));
}

#[track_caller]
fn differ(name: &str, old: &str, new: &str, expected: &str) {
    let ran = diff(name, &[], old, new);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(1), expected, ""));
}

/// Returns a save with one object that has these properties.
fn one(properties: &str) -> String {
    format!(r#"[{{"class":"A",{properties}}}]"#)
}

#[test]
fn pointers_to_no_object() {
    let pointer = |number: u32| one(&format!(r#""K:p":{number}"#));
    same("dangling", &pointer(8), &pointer(8));
    differ("dangling", &pointer(8), &pointer(9), "~ [0].p: *8 → *9\n");
}

#[test]
fn properties_of_the_same_name() {
    let old = one(r#""i:x":1,"i:x":2,"i:y":3"#);
    let new = one(r#""i:x":1,"i:x":5,"i:y":4"#);
    differ("repeated", &old, &new, "~ [0].x[#1]: 2 → 5\n~ [0].y: 3 → 4\n");
    let more = one(r#""i:x":1,"i:x":2,"i:x":3,"i:y":3"#);
    differ("repeated", &old, &more, "+ [0].x[#2]: 3\n");
    differ(
        "repeated",
        &one(r#""i:x":1"#),
        &one(r#""i:x":2,"i:x":3"#),
        "~ [0].x[#0]: 1 → 2\n+ [0].x[#1]: 3\n",
    );
}

#[test]
fn arrays_of_other_lengths() {
    let array = |value: &str| one(&format!(r#""i[]:a":{value}"#));
    differ("lengths", &array("[2,1,2]"), &array("[3,1,2]"), "~ [0].a: [1, 2] → [1, 2, 0]\n");
    same("lengths", &array("[3,1,2]"), &array("[3,1,2,0]"));
    let nested = |value: &str| one(&format!(r#""i[][]:a":{value}"#));
    differ(
        "lengths",
        &nested("[1,[2,1,2]]"),
        &nested("[1,[3,1,2]]"),
        "~ [0].a: [[1, 2]] → [[1, 2, 0]]\n",
    );
    same("lengths", &nested("[1,[2,1,0]]"), &nested("[1,[2,1]]"));
}

/// Checks that malformed values are equal if their bytes are.
#[test]
fn malformed_values() {
    const UNSEEN: &str =
        "(malformed number) → (malformed number) (they differ in something that is not shown)";
    for (ty, value, other, path) in [
        ("i", "5x", "6x", "a"),
        ("i[]", "[2,1,3x]", "[2,1,4x]", "a[1]"),
        ("i[][]", "[1,[2,1,3x]]", "[1,[2,1,4x]]", "a"),
        ("i[]", "[x]", "[y]", "a"),
        ("i[][]", "[1,[x]]", "[1,[y]]", "a"),
    ] {
        let of = |value: &str| one(&format!(r#""{ty}:a":{value}"#));
        same("malformed", &of(value), &of(value));
        differ("malformed", &of(value), &of(other), &format!("~ [0].{path}: {UNSEEN}\n"));
    }
    let of = |value: &str| one(&format!(r#""i:a":{value}"#));
    differ("malformed", &of("5x"), &of("5"), "~ [0].a: (malformed number) → 5\n");
    let of = |value: &str| one(&format!(r#""i[][]:a":[1,{value}]"#));
    differ("malformed", &of("[1,x]"), &of("[1,5]"), "~ [0].a: (malformed number) → [[5]]\n");
    differ("malformed", &of("[x]"), &of("[1]"), "~ [0].a: (malformed number) → [[0]]\n");
}

/// Checks that `diff` matches the elements of two lists by their entire content, including the
/// names of properties and the properties after a nested list.
#[test]
fn elements_are_matched_by_their_content() {
    let elements = |all: &[&str]| one(&format!(r#""K[]:k":[{},{}]"#, all.len(), all.join(",")));
    let [zero, one, two] = ["0", "1", "2"].map(|v| format!(r#"{{"T[]:l":[1,{{}}],"i:v":{v}}}"#));
    differ(
        "matched",
        &elements(&[&one, &two]),
        &elements(&[&zero, &one, &two]),
        "+ [0].k[0]: K {l: [T {}], v: 0}\n",
    );
    let [a, b] = ["a", "b"].map(|name| format!(r#"{{"i:{name}":1}}"#));
    differ("matched", &elements(&[&a]), &elements(&[&b, &a]), "+ [0].k[0]: K {b: 1}\n");
}

/// Checks that long values are printed whole with `--full`.
#[test]
fn long_values() {
    let element = format!(r#"{{"S:s":"{}","S:t":"{}","i:u":1}}"#, "s".repeat(300), "t".repeat(300));
    let list =
        |count: usize| one(&format!(r#""K[]:k":[{count}{}]"#, format!(",{element}").repeat(count)));
    let expected = format!("K {{s: \"{}\", t: \"{}\", u: 1}}", "s".repeat(300), "t".repeat(300));
    let ran = diff("long", &["--full"], &list(1), &list(2));
    assert_eq!(ran.out, format!("+ [0].k[1]: {expected}\n"));
    let short = format!("K {{s: \"{}\"… 300 bytes,…", "s".repeat(80));
    differ("long", &list(1), &list(2), &format!("+ [0].k[1]: {short}\n"));
    // Only the ends of the strings differ.
    let [old, new] = ["x", "y"].map(|end| one(&format!(r#""S:s":"{}{end}""#, "s".repeat(300))));
    let shown = format!("\"{}\"… 301 bytes", "s".repeat(80));
    let expected =
        format!("~ [0].s: {shown} → {shown} (they differ in something that is not shown)\n");
    differ("long", &old, &new, &expected);
}
