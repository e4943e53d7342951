//! Tests paths of `get` that select values in saves. Some paths lead to elements or parts of
//! values. Others lead nowhere, and `get` reports this.

use super::{SHARED, bytes_of, has};
use crate::command::{output_on, run_on, shown, together};

const NESTED: &[u8] = br#"[{"class":"A","i[][]:a":[2,[2,5,6],[1,7]],"K[]:k":[3,{"i:v":8}],"K[][]:n":[2,[1,{}]],"v2:v":[1,2],
    "v3:w":[1,2,3],"mat2:m":[[1,2],[3,4]],"AABBf:b":[[1,2,3],[4,5,6]],"i:x":4x,"i:y":5}]"#;

#[test]
fn elements_and_parts() {
    for (path, expected) in [
        ("A.a[0][1]", "6\n"),
        ("A.a[1]", "[7]\n"),
        ("A.a[-2][-1]", "6\n"),
        ("A.k[2]", "null\n"),
        ("A.n[1]", "[]\n"),
        ("A.v.y", "2.0\n"),
        ("A.m[1].x", "3.0\n"),
        ("A.b.min.z", "3.0\n"),
        ("A.offset", "1\n"),
        ("A.k[0].offset", "53\n"),
        ("A.k[0].class", "K\n"),
    ] {
        assert_eq!(shown(run_on(&["get", path, "-"], NESTED)), expected, "{path}");
    }
    let raw = |path: &str| output_on(&["get", "--raw", path, "-"], NESTED).stdout;
    assert_eq!(raw("A.a[0]"), b"[2,5,6]");
    assert_eq!(raw("A.a[0][1]"), b"6");
}

#[test]
fn what_lies_beyond() {
    for (path, why) in [
        ("A.k[1].v", "no `v` in `A.k[1]` (it has no elements)"),
        ("A.n[1][0]", "no index `0` in `A.n[1]` (elements: 0)"),
        ("A.v.z", "no `z` in `A.v` (parts: x, y)"),
        ("A.w.q", "no `q` in `A.w` (parts: x, y, z)"),
        ("A.m.x", "no index `x` in `A.m` (elements: 2)"),
        ("A.b.x", "no `x` in `A.b` (parts: min, max)"),
        ("A.m[0].z", "no `z` in `A.m[0]` (parts: x, y)"),
        ("A.x.y", "no `y` in `A.x` (its value is malformed: malformed number)"),
        ("A.a[2]", "no index `2` in `A.a` (elements: 2)"),
        (
            "A.pointer",
            "no property `pointer` in `A` (properties: a, k, n, v, w, m, b, x and 1 more)",
        ),
    ] {
        let ran = run_on(&["get", path, "-"], NESTED);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{path}");
        let expected = format!("error: <stdin>: {why}\n");
        assert!(ran.err.starts_with(&expected), "{path}: {}", ran.err);
    }
}

/// Checks names with brackets, quotes and backslashes, and indices in quotes.
#[test]
fn names_with_special_characters() {
    let text =
        br#"[{"class":"A","i:a]b":1,"i:a[b":2,"i:a\"]c":3,"i:a\\]d":4,"i:a\\":5,"i:x y":6,"i:":7,
        "i:b[c]":8,"i[]:l":[2,10,20],"K[]:k":[1,{}]}]"#;
    for (path, value) in [
        (r#"A["a]b"]"#, "1"),
        (r#"A["a[b"]"#, "2"),
        (r#"A["a\"]c"]"#, "3"),
        (r#"A["a\\]d"]"#, "4"),
        (r#"A["a\\"]"#, "5"),
        (r"A[a\]", "5"),
        ("A[x y]", "6"),
        (r#"A."""#, "7"),
        (r#"A[""]"#, "7"),
        ("A[b[c]]", "8"),
        ("A.l[1]", "20"),
        (r#"A."x y""#, "6"),
    ] {
        assert_eq!(shown(run_on(&["get", path, "-"], text)), format!("{value}\n"), "{path}");
    }
    for (path, why) in [
        (r#"A.l."1""#, r#"no index `"1"` in `A.l` (elements: 2)"#),
        ("A.l[1][#0]", "no index `1[#0]` in `A.l` (elements: 2)"),
        (r#"A.k."0""#, r#"no index `"0"` in `A.k` (elements: 1)"#),
        (r#"A["a]b"#, r#"cannot read the path at `["a]b`: the bracket is not closed"#),
        (
            r#"A["a"b]"#,
            r#"cannot read the path at `["a"b]`: the quotes are not closed, or followed by other text"#,
        ),
    ] {
        let ran = run_on(&["get", path, "-"], text);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{path}");
        assert_eq!(ran.err.lines().next(), Some(&*format!("error: <stdin>: {why}")), "{path}");
    }
}

/// Checks the names that a message lists. Up to eight names are listed in order. If there are more,
/// only the eight most similar names are listed. Long names are shortened.
#[test]
fn names_in_messages() {
    let says = |names: &[String]| {
        let properties: String = names.iter().map(|name| format!(",\"i:{name}\":1")).collect();
        let text = format!("[{{\"class\":\"A\"{properties}}}]");
        let ran = run_on(&["get", "A.zz", "-"], text.as_bytes());
        let list = ran.err.split_once("(properties: ").unwrap().1.split_once(')').unwrap().0;
        list.to_owned()
    };
    let names: Vec<_> = ["zzy", "a", "b", "c", "d", "e", "f", "zzx"].map(String::from).to_vec();
    assert_eq!(says(&names), "zzy, a, b, c, d, e, f, zzx");
    let more = [&names[..], &["g".into()]].concat();
    assert_eq!(says(&more), "zzy, zzx, a, b, c, d, e, f and 1 more");
    assert_eq!(says(&["n".repeat(256)]), "n".repeat(256));
    assert_eq!(says(&["n".repeat(257)]), "n".repeat(256) + "…");
}

/// Checks that `get` fails if one of several values is malformed, but still prints the other
/// values. The error appears after the values that were requested before the malformed one.
#[test]
fn malformed_values_among_others() {
    for form in [&[][..], &["--json"]] {
        let args = [&["get"], form, &["--also", "A.x", "--also", "A.y", "A.v.x", "-"]].concat();
        let ran = run_on(&args, NESTED);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), "1.0\nnull\n5\n"));
        assert_eq!(ran.err, "error: <stdin>: offset 175 (0xaf): malformed number\n");
        let (all, _) = together(&args, NESTED);
        assert_eq!(all, "1.0\nnull\nerror: <stdin>: offset 175 (0xaf): malformed number\n5\n");
    }
}

/// Checks the message for a path to a property whose value is missing because the file ends before
/// it.
#[test]
fn a_property_without_its_value() {
    let text = &bytes_of(&format!("{SHARED}.text.json"))[..58];
    let ran = run_on(&["get", "Outer.c1.x", "-"], text);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    has(&ran.err, &["error: <stdin>: no `x` in `Outer.c1` (the file ends before it)\n"]);
}
