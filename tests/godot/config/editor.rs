//! Changes single entries of configuration files.

use gamewire::godot::Dialect;
use gamewire::godot::config::{ConfigEditor, ErrorKind};
use gamewire::godot::notation;

fn set(text: &str, section: &str, key: &str, value: &str) -> String {
    let mut editor = ConfigEditor::new(text, Dialect::Godot4).unwrap();
    editor.set_text(section, key, value).unwrap();
    editor.into_string()
}

fn remove(text: &str, section: &str, key: &str) -> String {
    let mut editor = ConfigEditor::new(text, Dialect::Godot4).unwrap();
    editor.remove(section, key).unwrap();
    editor.into_string()
}

#[test]
fn old_values_are_replaced() {
    for (old, new) in [
        ("[a]\nb=1 ; c\n", "[a]\nb=5 ; c\n"),
        ("[a]\r\nb = 1\r\n", "[a]\r\nb = 5\r\n"),
        ("[a]\nb=[1,\n; c\n2]", "[a]\nb=5"),
        ("[a]\nb=1\nb=2\n", "[a]\nb=1\nb=5\n"),
        ("[a]\nb=1\n[c]\nb=2\n[a]\nb=null", "[a]\nb=1\n[c]\nb=2\n[a]\nb=5"),
        ("[a]\nb=\"x\"c=2", "[a]\nb=5\nc=2"),
        ("[a]\nb=\"x\"[c]", "[a]\nb=5\n[c]"),
        ("[a]\n\"b\" = ; c\n1", "[a]\n\"b\" = ; c\n5"),
    ] {
        assert_eq!(set(old, "a", "b", "5"), new);
    }
    assert_eq!(set("[a]\nb=1", "a", "b", "#fff"), "[a]\nb=#fff\n");
    assert_eq!(set("[a]\nb=1\n", "a", "b", " ; c\n[ 1 ] ; d"), "[a]\nb=[ 1 ]\n");
}

#[test]
fn new_keys_follow_the_last_entry_of_their_section() {
    for (old, new) in [
        ("[a]\n\nc=1\n\n[d]\n", "[a]\n\nc=1\nb=5\n\n[d]\n"),
        ("[a]\nc=1 ; x\n; y\n", "[a]\nc=1 ; x\nb=5\n; y\n"),
        ("[a]\nc=1", "[a]\nc=1\nb=5\n"),
        ("[a]\nc=1 ; x", "[a]\nc=1 ; x\nb=5\n"),
        ("[a]\r\nc=1\r\n", "[a]\r\nc=1\r\nb=5\r\n"),
        ("[a]\nc=1 [d]\n", "[a]\nc=1\nb=5\n [d]\n"),
        ("[a]\nc=1\nx", "[a]\nc=1\nb=5\nx"),
        ("[a]\nc=1 x", "[a]\nc=1\nb=5\n x"),
        ("[a]\nc=1\n[d]\n[a]\n", "[a]\nc=1\nb=5\n[d]\n[a]\n"),
        ("[a]\n\n[d]\n", "[a]\n\nb=5\n\n[d]\n"),
        ("[a]\n[d]\n", "[a]\n\nb=5\n\n[d]\n"),
        ("[a]\r\n\r\n[d]\r\n", "[a]\r\n\r\nb=5\r\n\r\n[d]\r\n"),
        ("[a]", "[a]\n\nb=5\n"),
        ("[a]\n", "[a]\n\nb=5\n"),
        ("[a][d]", "[a]\n\nb=5\n[d]"),
        ("[a] ; x\n\n; y\n", "[a] ; x\n\nb=5\n; y\n"),
    ] {
        assert_eq!(set(old, "a", "b", "5"), new, "{old:?}");
    }
}

#[test]
fn new_sections_are_at_the_end() {
    for (old, new) in [
        ("", "[a]\n\nb=5\n"),
        ("c=1\n", "c=1\n\n[a]\n\nb=5\n"),
        ("c=1", "c=1\n\n[a]\n\nb=5\n"),
        ("[c]\n\nd=1\n\n", "[c]\n\nd=1\n\n[a]\n\nb=5\n"),
        ("; c\r\n", "; c\r\n\r\n[a]\r\n\r\nb=5\r\n"),
        ("; c", "; c\n\n[a]\n\nb=5\n"),
        ("c=1\nx", "c=1\n\n[a]\n\nb=5\nx"),
    ] {
        assert_eq!(set(old, "a", "b", "5"), new, "{old:?}");
    }
    assert_eq!(set("", "a]b", "c d", "1"), "[a\\]b]\n\n\"c d\"=1\n");
}

#[test]
fn entries_outside_of_sections_come_first() {
    for (old, new) in [
        ("", "b=5\n"),
        ("c=1\n\n[a]\n", "c=1\nb=5\n\n[a]\n"),
        ("; x\n\n[a]\nc=1\n", "; x\n\nb=5\n\n[a]\nc=1\n"),
        ("; x", "; x\nb=5\n"),
        ("x", "b=5\nx"),
    ] {
        assert_eq!(set(old, "", "b", "5"), new, "{old:?}");
    }
}

#[test]
fn removed_entries_leave_comments() {
    for (old, new) in [
        ("[a]\nb=1\nc=2\n", "[a]\nc=2\n"),
        ("[a]\r\nb=1\r\nc=2\r\n", "[a]\r\nc=2\r\n"),
        ("[a]\nc=2\n\tb = [1,\n2] \n; x\n", "[a]\nc=2\n; x\n"),
        ("[a]\nb=1 ; x\nc=2\n", "[a]\n ; x\nc=2\n"),
        ("[a]\nc=inf\"b\"=1d=2\n", "[a]\nc=inf\nd=2\n"),
        ("[a]\nb=1\n[c]\nb=2\n[a]\nb=3", "[a]\n[c]\nb=2\n[a]\n"),
        ("[a]\nb=1", "[a]\n"),
        ("[c]\nb=1\n", "[c]\nb=1\n"),
    ] {
        assert_eq!(remove(old, "a", "b"), new, "{old:?}");
    }
}

#[test]
fn values_are_printed_as_the_engine_prints_them() {
    let mut editor = ConfigEditor::new("[a]\nb=1\n", Dialect::Godot3).unwrap();
    editor.set("a", "b", &[1.5_f32, 2.0][..]).unwrap();
    editor.set("a", "c", ()).unwrap();
    assert_eq!(editor.as_str(), "[a]\nb=PoolRealArray( 1.5, 2 )\nc=null\n");
}

#[test]
fn a_wrong_change_changes_nothing() {
    let text = "[a]\nb=1\n";
    let mut editor = ConfigEditor::new(text, Dialect::Godot4).unwrap();
    let kind = |value| ErrorKind::Notation(value);
    for (section, key, value, expected) in [
        ("a", "", "1", ErrorKind::UnwritableKey),
        ("a", "\0", "1", ErrorKind::UnwritableKey),
        (" c", "b", "1", ErrorKind::UnwritableSection),
        ("a", "b", "foo", kind(notation::ErrorKind::UnknownName)),
        ("a", "b", "1 2", kind(notation::ErrorKind::TrailingText)),
        ("a", "b", "1\nc=2", kind(notation::ErrorKind::TrailingText)),
        ("a", "b", "Resource(\"x\") c=2", kind(notation::ErrorKind::TrailingText)),
        ("a", "b", "", kind(notation::ErrorKind::Expected("a value"))),
    ] {
        let error = editor.set_text(section, key, value).unwrap_err();
        assert_eq!(*error.kind(), expected, "{section:?} {key:?} {value:?}");
        assert_eq!(editor.as_str(), text);
    }
    editor.set_text("a", "b", "Resource(\"res://x.tres\") ; c").unwrap();
    assert_eq!(editor.as_str(), "[a]\nb=Resource(\"res://x.tres\")\n");
    assert!(ConfigEditor::new("[a", Dialect::Godot4).is_err());
}
