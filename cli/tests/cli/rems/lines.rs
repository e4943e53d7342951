//! Tests the lines that `show`, `check` and `json` print: how much of a long value they show, how
//! they are indented, and how they report the age of a save, ignored pointers and malformed values.

use super::has;
use crate::command::{run_on, shown};

fn show(args: &[&str], properties: &str) -> String {
    let text = format!(r#"[{{"class":"A",{properties}}}]"#);
    shown(run_on(&[&["show"], args, &["-"]].concat(), text.as_bytes()))
}

/// Returns the text of a property whose value is an array of `count` numbers with two digits. Also
/// returns these numbers as `show` prints them.
fn numbers(count: usize) -> (String, String) {
    let numbers: Vec<_> = (0..count).map(|number| (number + 10).to_string()).collect();
    (format!(r#""i[]:a":[{count},{}]"#, numbers.join(",")), numbers.join(", "))
}

/// Checks that arrays are cut after 64 columns. With `--full`, they are cut only after 256 elements
/// that are declared but not written.
#[test]
fn arrays_on_a_line() {
    // 17 numbers and the separators between them take 66 columns, and 16 numbers take 62.
    let (array, text) = numbers(16);
    has(&show(&[], &array), &[&format!("a: i[] [{text}]\n")]);
    let (array, full) = numbers(17);
    has(&show(&[], &array), &[&format!("a: i[] [{text}, … 17 elements]\n")]);
    has(&show(&["--full"], &array), &[&format!("a: i[] [{full}]\n")]);
    // Exactly 64 columns still fit.
    let array = format!(r#""i[]:a":[17,{}1000,10]"#, "10,".repeat(15));
    let expected = format!("a: i[] [{}1000, … 17 elements]\n", "10, ".repeat(15));
    has(&show(&[], &array), &[&expected]);
    // The first element is always shown.
    let matrix = "[1000000,1000000,1000000,1000000]";
    let array = format!(r#""mat4[]:a":[2,[{matrix},{matrix},{matrix},{matrix}]]"#);
    let column = "(1000000.0, 1000000.0, 1000000.0, 1000000.0)";
    let expected = format!("a: mat4[] [{column} {column} {column} {column}, … 2 elements]\n");
    has(&show(&[], &array), &[&expected]);
    for (count, more) in [(256, ""), (257, ", … 257 elements")] {
        let expected = format!("a: i[] [{}{more}]\n", vec!["0"; 256].join(", "));
        has(&show(&["--full"], &format!(r#""i[]:a":[{count}]"#)), &[&expected]);
    }
}

#[test]
fn values_that_are_null() {
    let out = show(&[], r#""K:k":null,"?:n":null,"K[]:l":[2,null,0],"K:p":0"#);
    let lines = [
        "      14    k: null",
        "      25    n: null",
        "      36    l: K[], 2 elements",
        "      46      [0] null",
        "      51      [1] *0",
        "      55    p: *0",
    ];
    assert!(out.ends_with(&format!("\n{}\n", lines.join("\n"))), "{out}");
}

/// Checks that `show` states the age of a text save only if the age can be derived from the numbers
/// of its objects.
#[test]
fn ages_of_texts() {
    const OLD: Option<&str> = Some("until 2022 (not every object has a number)");
    const NEW: Option<&str> = Some("since 2023 (every object has a number)");
    for (text, age) in [
        (r#"[{"class":"A","i:*ptr":1,"K:k":{"i:*ptr":2},"K:p":2}]"#, None),
        (r#"[{"class":"A","i:*ptr":1,"K:k":{"i:*ptr":2}}]"#, NEW),
        (r#"[{"class":"A","i:*ptr":1}]"#, None),
        (r#"[{"class":"A"}]"#, OLD),
    ] {
        let out = shown(run_on(&["show", "-"], text.as_bytes()));
        let written = out.lines().find_map(|line| line.strip_prefix("  written           "));
        assert_eq!(written, age, "{text}");
        assert!(out.contains("\n  objects           "), "{out}");
        assert!(!out.contains("\n  era  "), "{out}");
    }
}

/// Checks that lines are indented by at most 16 levels, and that deeper ones begin with their
/// depth.
#[test]
fn deep_objects() {
    let (open, close) = (r#","K:k":{"i:x":1"#.repeat(18), "}".repeat(18));
    let out = show(&[], &format!(r#""i:x":1{open}{close}"#));
    for (depth, line) in [(16, "k: K\n"), (17, "depth 17 > x: i 1\n"), (19, "depth 19 > x: i 1\n")]
    {
        has(&out, &[&format!("  {}{line}", " ".repeat(2 * depth.min(16)))]);
    }
    assert!(!out.contains("depth 16"), "{out}");
}

/// Checks that `check` warns of pointers in lists only if they refer to a later object. Engines
/// read such pointers as null.
#[test]
fn pointers_in_lists() {
    const LATER: &str = "  warning: a pointer in a list to a later object, which engines read as null, at \
                         offset 35 (0x23)\n";
    for (text, roots, warning) in [
        (r#"[{"class":"A","i:*ptr":1,"A[]:l":[1,1]}]"#, "(1 root)", ""),
        (
            r#"[{"class":"A","i:*ptr":1,"A[]:l":[1,2]},{"class":"A","i:*ptr":2}]"#,
            "(2 roots)",
            LATER,
        ),
        (r#"[{"class":"A","i:*ptr":1,"A:l":2},{"class":"A","i:*ptr":2}]"#, "(2 roots)", ""),
        (
            r#"[{"class":"A","i:*ptr":1,"K[]:l":[1,{}],"A:m":2},{"class":"A","i:*ptr":2}]"#,
            "(2 roots)",
            "",
        ),
    ] {
        let out = shown(run_on(&["check", "-"], text.as_bytes()));
        let (line, warnings) = out.split_once('\n').unwrap();
        has(line, &[roots]);
        assert_eq!(warnings, warning, "{text}");
    }
}

/// Checks that `json` lists the first ten malformed values, and counts the others.
#[test]
fn many_malformed_values() {
    for (count, last) in [
        (10, "error: <stdin>: offset 101 (0x65): malformed number"),
        (11, "error: <stdin>: and 1 more malformed value"),
        (12, "error: <stdin>: and 2 more malformed values"),
    ] {
        let text = format!(r#"[{{"class":"A"{}}}]"#, r#","i:x":5x"#.repeat(count));
        let ran = run_on(&["json", "-"], text.as_bytes());
        assert_eq!(ran.code, Some(1));
        assert_eq!((ran.err.lines().count(), ran.err.lines().last()), (count.min(11), Some(last)));
    }
}

/// Checks that names are in quotes if they are empty, long or have unusual characters.
#[test]
fn unusual_names() {
    let [fits, long] = [80, 81].map(|len| "n".repeat(len));
    let cut = format!("\"{}\"… 81 bytes", "n".repeat(80));
    for (name, shown) in [
        ("a_b/c.D9", "a_b/c.D9"),
        ("", "\"\""),
        ("a b", "\"a b\""),
        ("é", "\"é\""),
        (&fits, &fits),
        (&long, &cut),
    ] {
        has(
            &show(&[], &format!("\"i:{name}\":1")),
            &[&format!("       14    {shown}: i 1\n")[1..]],
        );
    }
}
