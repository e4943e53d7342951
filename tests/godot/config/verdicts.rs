//! Compares results for configuration files with the verdicts of Godot 4.6.3 and 3.6.2, which
//! `tests/engines/config4.gd` and `config3.gd` recorded.

use crate::laws;
use crate::support::corpus;
use crate::support::native_json::Json;
use gamewire::godot::config::{Config, ConfigReader, Entry, ErrorKind, Item};
use gamewire::godot::notation::Reading;
use gamewire::godot::{Dialect, Reader};

const ENGINES: [(&str, Dialect); 2] = [("godot4", Dialect::Godot4), ("godot3", Dialect::Godot3)];

/// An engine's verdict on a configuration file: whether the engine loads the file, which values the
/// engine has after loading, and the text that it saves.
struct Verdict {
    text: String,
    ok: bool,
    values: Vec<[String; 3]>,
    saved: Option<String>,
}

fn verdicts(engine: &str) -> Vec<Verdict> {
    let text = |json: &Json| json.as_str().unwrap().to_owned();
    let verdict = |line: Json| Verdict {
        text: text(line.get("text").unwrap()),
        ok: line.get("ok") == Some(&Json::Bool(true)),
        values: line
            .get("values")
            .and_then(Json::as_array)
            .unwrap()
            .iter()
            .map(|value| [0, 1, 2].map(|part| text(&value.as_array().unwrap()[part])))
            .collect(),
        saved: line.get("saved").map(text),
    };
    corpus::lines(&format!("config/{engine}/verdicts.jsonl")).into_iter().map(verdict).collect()
}

/// Returns `true` for values that depend on the classes and resources that an engine knows, and for
/// escapes of characters that are not ASCII, which an engine misreads in a file.
fn is_excepted(text: &str) -> bool {
    ["Object(", "Nope", "Resource(", "\\ud83d", "\\U01F600"]
        .iter()
        .any(|needle| text.contains(needle))
}

fn printed(entry: Entry<'_>, dialect: Dialect) -> String {
    let value = entry.read_with(Reading::of(dialect).as_the_engine()).unwrap();
    let packet = value.to_bytes(dialect).unwrap();
    Reader::new(&packet, dialect).read_encoded().unwrap().to_string()
}

/// Returns the text before the first item that the engine rejects, and `true` if there is none.
fn accepted(text: &str, dialect: Dialect) -> (&str, bool) {
    let mut end = 0;
    for item in ConfigReader::of(text, dialect) {
        let Ok(item) = item else { return (&text[..end], false) };
        if let Item::Entry(entry) = item
            && entry.read_with(Reading::of(dialect).as_the_engine()).is_err()
        {
            return (&text[..end], false);
        }
        end += item.text().len();
    }
    (text, true)
}

/// Checks all verdicts except those for which `is_excepted` returns `true`. `check` returns a
/// message about a difference.
fn compare(check: impl Fn(&Verdict, Dialect) -> Result<(), String>) {
    for (engine, dialect) in ENGINES {
        let verdicts = verdicts(engine);
        assert!(verdicts.len() >= 300);
        let ours = verdicts.iter().filter(|verdict| !is_excepted(&verdict.text));
        let differences: Vec<_> = ours
            .filter_map(|verdict| {
                let difference = check(verdict, dialect).err()?;
                Some(format!("{:?}: {difference}", verdict.text))
            })
            .collect();
        let (count, shown) = (differences.len(), differences.len().min(10));
        assert_eq!(count, 0, "{engine}: {}", differences[..shown].join("\n"));
    }
}

#[test]
fn engines_load_the_same_values() {
    compare(|verdict, dialect| {
        let (accepted, ok) = accepted(&verdict.text, dialect);
        // Without the line end, a colour could be at the very end of the text, where engines reject
        // it.
        let accepted = format!("{accepted}\n");
        let config = Config::parse(accepted.as_bytes(), dialect).map_err(|e| e.to_string())?;
        let mut values = Vec::new();
        for section in config.sections() {
            values.extend(section.entries().map(|(key, entry)| {
                [section.name().to_owned(), key.to_owned(), printed(entry, dialect)]
            }));
        }
        match ok == verdict.ok && values == verdict.values {
            true => Ok(()),
            false => Err(format!("{ok} {values:?}, not {} {:?}", verdict.ok, verdict.values)),
        }
    });
}

#[test]
fn engines_save_the_same_text() {
    compare(|verdict, dialect| {
        let Some(saved) = &verdict.saved else { return Ok(()) };
        let ours = Config::parse(verdict.text.as_bytes(), dialect).unwrap().save();
        // Godot 3's `get_as_text`, with which the script reads the file, drops carriage returns.
        let ours = ours.map(|text| match dialect {
            Dialect::Godot3 => text.replace('\r', ""),
            _ => text,
        });
        match &ours {
            // The engine writes such a name, but does not read it back.
            Err(error) if *error.kind() == ErrorKind::UnwritableSection => Ok(()),
            ours if ours.as_ref() == Ok(saved) => Ok(()),
            ours => Err(format!("{ours:?}, not {saved:?}")),
        }
    });
}

#[test]
fn laws_hold_for_the_texts() {
    for (index, verdict) in verdicts("godot4").iter().enumerate() {
        laws::godot_config(verdict.text.as_bytes());
        if index % 6 != 0 {
            continue;
        }
        for end in 0..verdict.text.len() {
            laws::godot_config(&verdict.text.as_bytes()[..end]);
        }
    }
}

#[test]
fn laws_hold_for_changed_entries() {
    for (engine, dialect) in ENGINES {
        for verdict in verdicts(engine).iter().filter(|verdict| verdict.ok) {
            for [section, key, _] in &verdict.values {
                laws::change(&verdict.text, section, key, dialect);
                laws::change(&verdict.text, section, "new", dialect);
            }
            laws::change(&verdict.text, "", "b", dialect);
            laws::change(&verdict.text, "c", "b c", dialect);
        }
    }
}
