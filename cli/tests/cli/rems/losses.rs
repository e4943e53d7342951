//! Tests that `rems convert`, `check` and `show` report what a conversion loses and what engines
//! ignore.

use super::{CONTAINER, bytes_of, has};
use crate::command::{Ran, empty_folder, output_on, run_on, shown};
use std::fs;

fn converted(to: &str, args: &[&str], save: &[u8]) -> Ran {
    run_on(&[&["rems", "convert", "--to", to], args, &["-", "-"]].concat(), save)
}

/// Converts a save to each form. Checks that each conversion prints `message` as its only warning.
fn warned(save: &[u8], forms: &[&str], message: &str) {
    for to in forms {
        let output = output_on(&["rems", "convert", "--to", to, "-", "-"], save);
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{to}: {err}");
        has(&err, &[&format!("warning: <stdin>: {message}\n")]);
        assert_eq!(err.lines().count(), 1, "{err}");
    }
}

/// Checks saves from May 2020. In such a save, the number of an object is its property `l:uuid`,
/// which has 64 bits. The number does not depend on the position of the object in the file. A
/// pointer leads nowhere if its number belongs to no object.
#[test]
fn saves_of_may_2020() {
    let save =
        r#"[{"class":"Aa","l:uuid":5000000001,"Bb:b":{"l:uuid":2,"Aa:up":5000000001,"Cc:c":2}}]"#;
    let text = shown(converted("text-2026", &[], save.as_bytes()));
    let expected = r#"[{"class":"Aa","i:*ptr":1,"l:uuid":5000000001,"Bb:b":{"i:*ptr":2,"l:uuid":2,"Aa:up":1,"Bb:c":2}}]"#;
    assert_eq!(text, expected.replace("Bb:c", "Cc:c"));
    assert_eq!(shown(converted("text-2021", &[], save.as_bytes())), text);
    let binary = output_on(&["rems", "convert", "--to", "binary", "-", "-"], save.as_bytes());
    assert_eq!(shown(converted("text-2026", &[], &binary.stdout)), expected);
    let show = shown(run_on(&["show", "-"], save.as_bytes()));
    has(&show, &["  written           in May 2020 (the numbers of objects are their uuids)\n"]);
    has(&show, &["up: *5000000001 → Aa\n", "c: *2 → Bb\n"]);
    assert_eq!(shown(run_on(&["get", "[0].b.up.class", "-"], save.as_bytes())), "Aa\n");
    assert_eq!(shown(run_on(&["get", "*5000000001.b.uuid", "-"], save.as_bytes())), "2\n");

    let dangling = save.replace(r#""Aa:up":5000000001"#, r#""Aa:up":1"#);
    for to in ["text-2026", "text-2021", "binary", "container"] {
        let ran = converted(to, &[], dangling.as_bytes());
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{to}");
        has(
            &ran.err,
            &[
                "error: <stdin>: no object has the number of this pointer, at offset 62 (0x3e)\n",
                "hint: --force writes it anyway\n",
            ],
        );
    }
    let ran = converted("text-2026", &["--force"], dangling.as_bytes());
    assert_eq!(ran.code, Some(0));
    let warning =
        "warning: <stdin>: a pointer to a number that no object has, at offset 62 (0x3e)\n";
    assert_eq!(ran.err, warning);
    has(&ran.out, &[r#"{"class":"Aa","i:*ptr":3,"#, r#""i:*ptr":2,"l:uuid":2,"Aa:up":1,"#]);
    assert_eq!(converted("json", &[], dangling.as_bytes()).err, warning);
}

/// Checks that a save with pointers that lead nowhere can be converted to the format that it
/// already has. This conversion does not change the numbers of objects. Other formats need
/// `--force`.
#[test]
fn dangling_pointers() {
    let save = br#"[{"class":"Aa","i:*ptr":1,"*[]:all":[3,7,8,1],"Bb:b":{"i:*ptr":2}}]"#;
    let warning =
        "a pointer to a number that no object has, 2 times, at offsets 38 (0x26), 40 (0x28)";
    let ran = converted("text-2026", &[], save);
    assert_eq!((ran.code, ran.out.as_bytes()), (Some(0), &save[..]));
    assert_eq!(ran.err, format!("warning: <stdin>: {warning}\n"));
    let ran = converted("text-2021", &[], save);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    let error =
        "no object has the number of this pointer, 2 times, at offsets 38 (0x26), 40 (0x28)";
    has(&ran.err, &[&format!("error: <stdin>: {error}\n"), "--force"]);
    let ran = converted("text-2021", &["--force"], save);
    assert_eq!((ran.code, ran.out.as_bytes()), (Some(0), &save[..]));
}

#[test]
fn objects_found_by_counting() {
    let save = bytes_of(super::PREFAB);
    let warning = "a pointer to an object whose number is not written, found by counting the objects, \
                   3 times, at offsets 1487 (0x5cf), 1648 (0x670), 1690 (0x69a)";
    warned(&save, &["text-2026", "text-2021", "json"], warning);
}

/// Checks that a save can be read even if other bytes follow its end, and that these bytes are
/// reported. Engines ignore them.
#[test]
fn bytes_after_the_end() {
    let save = b"[{\"class\":\"Aa\",\"i:*ptr\":1}]\n,{\"class\":\"Bb\"}]";
    let message = "offset 28 (0x1c): 16 bytes after the end of the save";
    warned(
        save,
        &["text-2026", "text-2021", "binary", "container", "json"],
        &format!("{message}, which are lost"),
    );
    let check = shown(run_on(&["check", "-"], save));
    has(&check, &[&format!("\n  warning: {message}, which engines ignore\n")]);
    has(&shown(run_on(&["show", "-"], save)), &[&format!("  ignored           {message}\n")]);
    for blank in ["", "\n", " \r\n\t"] {
        let save = format!("[{{\"class\":\"Aa\",\"i:*ptr\":1}}]{blank}");
        assert_eq!(shown(run_on(&["check", "-"], save.as_bytes())).lines().count(), 1);
        shown(converted("text-2021", &[], save.as_bytes()));
    }

    let container = [&bytes_of(CONTAINER)[..], b"\0"].concat();
    let message = "offset 142 (0x8e): 1 byte after the end of the save";
    warned(&container, &["container", "text-2026"], &format!("{message}, which are lost"));
    has(&shown(run_on(&["check", "-"], &container)), &[message]);
    let stream = [&bytes_of("corpus/rems/2026/01_scalars.binary.bin")[..], b"ab"].concat();
    let message = "offset 215 (0xd7): 2 bytes after the end of the save";
    warned(&stream, &["binary", "text-2026"], &format!("{message}, which are lost"));
    has(&shown(run_on(&["check", "-"], &stream)), &[message]);
}

/// Checks that all commands accept an empty list as a save without objects, and refuse any other
/// list that does not begin with an object.
#[test]
fn one_verdict_on_lists() {
    let commands: [&[&str]; 6] = [
        &["check", "-"],
        &["show", "-"],
        &["json", "-"],
        &["get", "", "-"],
        &["rems", "convert", "--to", "text-2026", "-", "-"],
        &["rems", "convert", "--to", "json", "-", "-"],
    ];
    for (text, code) in [("[]", 0), ("[]]x", 0), (" [ ,\n] ", 0), ("[1]", 1), ("[[]]", 1), ("[", 1)]
    {
        for args in commands {
            let ran = run_on(args, text.as_bytes());
            assert_eq!(ran.code, Some(code), "{args:?} {text}: {}", ran.err);
        }
    }
    let check = shown(run_on(&["check", "-"], b"[]]x"));
    has(&check, &["warning: an empty list, which any other program can have written\n"]);
    has(&check, &["warning: offset 2 (0x2): 2 bytes after the end of the save, which engines"]);
    let folder = empty_folder("rems/lists");
    let (empty, tail) = (folder.join("a.json"), folder.join("b.json"));
    fs::write(&empty, "[]").unwrap();
    fs::write(&tail, "[]]x").unwrap();
    shown(run_on(&["diff", empty.to_str().unwrap(), tail.to_str().unwrap()], b""));
    // In a folder, a file with an empty list does not count as a save.
    let ran = run_on(&["check", folder.to_str().unwrap()], b"");
    has(&ran.err, &["saves of Rem's Engine (.rem, .json) in this folder"]);
}

#[test]
fn lost_details() {
    let save = |property: &str| format!(r#"[{{"class":"T","i:*ptr":1,{property}}}]"#).into_bytes();
    let binary = ["binary", "container"];
    warned(
        &save(r#""d:x":-0.0"#),
        &["text-2026"],
        "the sign of a zero is lost, at offset 31 (0x1f)",
    );
    warned(
        &save(r#""mat2:m":[[1,1],[1e-9,1]]"#),
        &["text-2026"],
        "a number in a matrix, tiny compared with others in its row, becomes 0, at offset 34 (0x22)",
    );
    let absent = "a property whose pointer has the number 0 is left out, at offset 25 (0x19)";
    warned(&save(r#""T:t":0"#), &binary, absent);
    let null = "a null in place of a list loses its type, at offset 25 (0x19)";
    warned(&save(r#""i[]:n":null"#), &binary, null);
    let color = "a colour becomes an integer, at offset 25 (0x19)";
    warned(&save(r##""col:tint":"#fff""##), &binary, color);
    warned(
        &save(r#""i:x":1/* a */,"i:y":2// b"#).iter().chain(b"\n}]").copied().collect::<Vec<_>>(),
        &["text-2026", "binary", "json"],
        "one or more comments, which are lost, 2 times, at offsets 32 (0x20), 47 (0x2f)",
    );
    for (to, kept) in [("text-2026", r#""T:t":0"#), ("text-2026", r##""col:tint":"#fff""##)] {
        shown(converted(to, &[], &save(kept)));
    }
    let color = save(r##""col:color":"#fff""##);
    let output = output_on(&["rems", "convert", "--to", "binary", "-", "-"], &color);
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn malformed_values_are_counted() {
    let properties = r#","i:x":5x"#.repeat(150);
    let save = format!(r#"[{{"class":"T"{properties}}}]"#);
    let ran = run_on(&["check", "-"], save.as_bytes());
    assert_eq!(ran.code, Some(1));
    has(&ran.out, &["1 object (1 root), 150 properties, 150 malformed values\n"]);
    has(&ran.out, &["\n  error: and 147 more malformed values\n"]);
    assert_eq!(ran.out.lines().count(), 5);
}
