//! Checks messages about Unreal packages (errors, reasons, names of files), the comments for
//! translators in the tables of packages, and the serialized form of files that cannot be opened.

use crate::support::unreal::samples;
use crate::support::unreal::saves::{Bytes, In, UE4_27};
use gamewire::unreal::bulk::BulkFile;
use gamewire::unreal::compression::CodecError;
use gamewire::unreal::properties::OpaqueReason;
use gamewire::unreal::tables::{
    GatherableText, SaveVersions, TextMetadata, TextMetadataValue, TextSite,
};
use gamewire::unreal::{
    Error, ErrorKind, Layout, ListBuf, Package, PackageEditor, PackageName, PackageReference,
    PartialDocument, ReferenceKind, Save, StrBuf, Versions,
};
use serde_json::{Value as Json, json};

fn json_of(of: &impl serde::Serialize) -> Json {
    serde_json::to_value(of).unwrap()
}

#[test]
fn errors() {
    let versions = Versions { ue4: 522, ue5: 1019 };
    let codec = "the compression method is not supported";
    let bulk = "the bytes are in a file that was not supplied (.ubulk)";
    for (kind, text) in [
        (ErrorKind::UnexpectedEnd { missing: 3 }, "unexpected end of data (bytes missing: 3)"),
        (ErrorKind::NotAPackage(7), "0x00000007 is not the tag of a package (0x9e2a83c1)"),
        (ErrorKind::NotASave, "not a saved game: the file does not begin with GVAS"),
        (
            ErrorKind::CompressedBlock,
            "compressed data instead of a package: the tag is followed by a block size",
        ),
        (ErrorKind::CompressedPackage, "the package is compressed; decompress its chunks first"),
        (
            ErrorKind::UnknownLegacyVersion(-1),
            "-1 is not a legacy version of engine 4 or 5 (-2 to -9)",
        ),
        (
            ErrorKind::NeedsVersion,
            "the package does not state its version: supply the version of its engine",
        ),
        (
            ErrorKind::OlderVersion(Versions { ue4: 213, ue5: 0 }),
            "version 213 is older than engine 4.0",
        ),
        (
            ErrorKind::NewerVersion(versions),
            "version 522/1019 is newer than the newest supported one (522/1018, engine 5.8)",
        ),
        (
            ErrorKind::BadCount(-1),
            "invalid count -1: the remaining bytes cannot hold as many items",
        ),
        (ErrorKind::BadBool(0x20), "invalid boolean 0x20: expected 0 or 1"),
        (ErrorKind::BadTextLength(-9), "invalid string length -9"),
        (ErrorKind::BadOffset(-4), "offset -4 is outside of the file"),
        (ErrorKind::BadSize(-5), "invalid size -5"),
        (ErrorKind::SizesDiffer { declared: 3, found: 4 }, "found 4 bytes, but 3 are declared"),
        (ErrorKind::TooLarge { size: 9, limit: 8 }, "9 bytes are more than the limit of 8"),
        (
            ErrorKind::ChunkOutOfPlace { expected: 5, found: -6 },
            "found a chunk for offset -6, but expected one for 5",
        ),
        (ErrorKind::Codec(CodecError::Unsupported), codec),
        (ErrorKind::Codec(CodecError::Damaged), "the compressed bytes are damaged"),
        (ErrorKind::NotAtHand(BulkFile::Separate), bulk),
        (ErrorKind::NoSuchName { index: 7, count: 3 }, "name index 7 is out of range (names: 3)"),
        (ErrorKind::NoSuchObject(-8), "object index -8 is out of range"),
        (
            ErrorKind::BadMark { expected: 0x10, found: 0x20 },
            "found 0x20 instead of the magic number 0x10",
        ),
        (ErrorKind::TooDeep { limit: 32 }, "values are nested more than 32 levels deep"),
        (ErrorKind::SinkFull { missing: 2 }, "the sink is full (bytes missing: 2)"),
        (ErrorKind::DoesNotFit, "the value does not fit its property or field"),
        (ErrorKind::Unknown { what: "form", value: -3 }, "unknown form: -3"),
        (ErrorKind::Overlap, "two parts of the package overlap"),
        (ErrorKind::Unused(3), "bytes that belong to no table: 3"),
        (
            ErrorKind::CountsDiffer { what: "usage flags of imports", found: 5, there: 7 },
            "usage flags of imports: the file states 5, but there are 7",
        ),
        (
            ErrorKind::LegacyVersionDiffers {
                legacy: -7,
                versions: Versions { ue4: 522, ue5: 1004 },
            },
            "legacy version -7 does not match package version 522/1004",
        ),
        (
            ErrorKind::FieldTooSmall(1 << 40),
            "1099511627776 is too large for its field in this version",
        ),
        (ErrorKind::NoSuchTable("depends"), "a package of this version has no such table: depends"),
        (ErrorKind::NotReadBack, "the table would not be read back as it was written"),
    ] {
        assert_eq!(kind.to_string(), text);
        let error = Error::new(kind, 18);
        assert_eq!(error.to_string(), format!("{text} at offset 18 (0x12)"));
        assert_eq!(OpaqueReason::from(error).to_string(), error.to_string());
    }
    for (reason, text) in [
        (OpaqueReason::UnknownKind, "unknown kind of property"),
        (OpaqueReason::NativeStruct, "a struct with unknown native serialization"),
        (OpaqueReason::UnknownElements, "a container without known element types"),
        (OpaqueReason::LeftOver(4), "bytes left over: 4"),
    ] {
        assert_eq!(reason.to_string(), text);
    }
}

#[test]
fn files_of_bulk_data() {
    for (file, text) in [
        (BulkFile::Inline, "the package"),
        (BulkFile::EndOfFile, "the package"),
        (BulkFile::Separate, ".ubulk"),
        (BulkFile::Optional, ".uptnl"),
        (BulkFile::MemoryMapped, ".m.ubulk"),
        (BulkFile::Workspace, "the editor's package"),
    ] {
        assert_eq!(file.to_string(), text);
        assert_eq!(format!("{file:>22}"), format!("{text:>22}"));
    }
}

/// Packages of code have the prefix `/Script/`, which is case-sensitive.
#[test]
fn references_to_code() {
    for (name, is_code) in [
        ("/Script/", true),
        ("/Script/Engine", true),
        ("/Script/Engine.Actor", true),
        ("/Script", false),
        ("/Script.", false),
        ("/Scripts/Engine", false),
        ("/Game/Script/A", false),
        ("Script/Engine", false),
        ("/", false),
        ("", false),
        ("/Scr.ipt/", false),
        ("/Scripß/", false),
        ("名/Script/", false),
    ] {
        for kind in [ReferenceKind::Import, ReferenceKind::Soft] {
            let text = StrBuf::new(name);
            let package = PackageName::Text(text.as_text());
            assert_eq!(PackageReference { kind, package }.is_code(), is_code, "{name}");
        }
    }
    let (mut code, mut others) = (0, 0);
    for sample in samples::packages() {
        for reference in sample.package().references().map(Result::unwrap) {
            let is_code = reference.package.to_string().starts_with("/Script/");
            assert_eq!(reference.is_code(), is_code, "{reference:?}");
            if is_code { code += 1 } else { others += 1 }
        }
    }
    assert!(code > 100 && others > 50, "{code} {others}");
}

/// Returns a list that contains one value of metadata.
fn remark(value: TextMetadataValue<'_>, layout: &Layout) -> ListBuf {
    let key = StrBuf::new("Remark");
    ListBuf::new([TextMetadata { key: key.as_text(), value }], layout).unwrap()
}

/// Metadata of every form can be written to and read from every package that can contain them.
#[test]
fn remarks_on_texts() {
    let text = StrBuf::new("長い");
    let mut tried = 0;
    for sample in samples::packages() {
        let package = sample.package();
        let layout = package.layout();
        let mut editor = PackageEditor::new(&package).unwrap();
        let values = [
            TextMetadataValue::None,
            TextMetadataValue::Bool(true),
            TextMetadataValue::Text(text.as_text()),
        ];
        let array = ListBuf::new(values, layout).unwrap();
        let array = TextMetadataValue::Array(array.list().unwrap());
        let object = remark(array, layout);
        let all = remark(TextMetadataValue::Object(object.list().unwrap()), layout);
        let none = remark(TextMetadataValue::Bool(false), layout);
        let site = TextSite {
            key: text.as_text(),
            site: text.as_text(),
            editor_only: true,
            optional: false,
            info_metadata: all.list().unwrap(),
            key_metadata: none.list().unwrap(),
        };
        let sites = ListBuf::new([site], layout).unwrap();
        editor.gatherable_text.push(GatherableText {
            namespace: text.as_text(),
            source: text.as_text(),
            source_metadata: none.list().unwrap(),
            sites: sites.list().unwrap(),
        });
        assert!(format!("{:?}", editor.gatherable_text).contains("key_metadata"));
        let written = match editor.write() {
            Ok(written) => written,
            Err(error) => {
                let has = ErrorKind::NoSuchTable("gatherable_text");
                assert_eq!(*error.kind(), has, "{}", sample.name());
                continue;
            }
        };
        tried += 1;
        let exports = written.exports.as_deref();
        let after = Package::open_as(&written.header, exports, sample.supplied()).unwrap();
        let json = json_of(&after);
        let found = json["gatherable_text"].as_array().unwrap().last().unwrap();
        let remark = |value: Json| json!([{ "key": "Remark", "value": value }]);
        let expected = json!({
            "namespace": "長い", "source": "長い", "source_metadata": remark(json!(false)),
            "sites": [{
                "key": "長い", "site": "長い", "editor_only": true, "optional": false,
                "info_metadata": remark(remark(json!([null, true, "長い"]))),
                "key_metadata": remark(json!(false)),
            }],
        });
        assert_eq!(*found, expected, "{}", sample.name());
        // Writing the package again gives the same bytes.
        let again = PackageEditor::new(&after).unwrap().write().unwrap();
        assert!(again.header == written.header && again.exports == written.exports);
    }
    assert!(tried > 5, "{tried}");
}

/// Nested metadata can be read up to the limit. Unknown forms are errors.
#[test]
fn deep_remarks() {
    /// Reads a value of metadata that is nested in this number of lists.
    fn inside(value: TextMetadataValue<'_>, lists: u32) -> Result<(), ErrorKind> {
        let list = ListBuf::new([value], &Layout::default()).unwrap();
        let list = list.list().map_err(|error| *error.kind())?;
        match lists.checked_sub(1) {
            Some(lists) => inside(TextMetadataValue::Array(list), lists),
            None => Ok(()),
        }
    }
    let layout = Layout::default();
    for (lists, expected) in
        [(0, Ok(())), (32, Ok(())), (33, Err(ErrorKind::TooDeep { limit: 32 }))]
    {
        assert_eq!(inside(TextMetadataValue::None, lists), expected);
        assert_eq!(inside(TextMetadataValue::Bool(true), lists), expected);
    }
    for value in [-1, 5] {
        let what = "type of a text's metadata";
        let list = ListBuf::new([value], &layout).unwrap();
        let error = list.list::<TextMetadataValue<'_>>().unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::Unknown { what, value: value.into() });
        assert_eq!(error.offset(), 0);
    }
    // A list that is read as a list of a different type has too few or too many bytes.
    let list = ListBuf::new([0, 0], &layout).unwrap();
    assert_eq!(list.list::<TextMetadataValue<'_>>().unwrap().len(), 2);
    let error = list.list::<u8>().unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::BadCount(2));
    assert!(matches!(list.list::<i64>().unwrap_err().kind(), ErrorKind::UnexpectedEnd { .. }));
}

/// A save that cannot be opened is printed field by field up to the error.
#[test]
fn saves_that_cannot_be_opened() {
    let file = UE4_27
        .file(&gamewire::unreal::PropertyTypeBuf::of(gamewire::unreal::PropertyKind::Int), &[0; 4]);
    let whole = json_of(&Save::open(&file).unwrap());
    let keys = ["kind", "save_game_version", "ue4_version", "error"];
    for cut in 0..13 {
        let file = &file[..cut];
        let Err(error) = Save::open(file) else { panic!("{cut}") };
        let json = json_of(&PartialDocument { file, supplied: None, error });
        let kind = if cut < 4 { "package" } else { "save" };
        assert_eq!(json["kind"], kind, "{cut}");
        assert_eq!(json["error"]["offset"], error.offset(), "{cut}");
        assert_eq!(json["error"]["message"], error.kind().to_string(), "{cut}");
        for (at, key) in keys.iter().enumerate().skip(1).take(2) {
            let there = cut >= 4 + 4 * at;
            let expected = if there { &whole[key] } else { &Json::Null };
            assert_eq!(json.get(*key).unwrap_or(&Json::Null), expected, "{cut} {key}");
        }
        assert!(json.as_object().unwrap().keys().all(|key| keys.contains(&key.as_str())));
    }
    // The version of this save is newer than the newest known version.
    let mut newer = file.clone();
    newer[8..12].copy_from_slice(&1000i32.to_le_bytes());
    let error = Save::open(&newer).unwrap_err();
    let json = json_of(&PartialDocument { file: &newer, supplied: None, error });
    assert_eq!(json["ue4_version"], 1000);
    let known = "version 1000 is newer than the newest supported one (522/1018, engine 5.8)";
    assert_eq!(json["error"]["message"], known);
    assert_eq!(json_of(&SaveVersions::default().save_game_version), 0);
}

#[test]
fn packages_that_cannot_be_opened() {
    for sample in samples::packages().iter().take(4) {
        let whole = json_of(&sample.package());
        let whole = whole["summary"].as_object().unwrap();
        let mut most = 0;
        for cut in (0..200).step_by(3) {
            let file = &sample.bytes[..cut];
            let Err(error) = Package::open_as(file, None, sample.supplied()) else { break };
            let json = json_of(&PartialDocument { file, supplied: sample.supplied(), error });
            assert_eq!(json["kind"], "package");
            assert_eq!(json["error"]["offset"], error.offset(), "{cut}");
            let Some(found) = json["summary"].as_object() else {
                assert!(cut < 4, "{cut}");
                continue;
            };
            // The values of the truncated file equal those of the whole file. A longer part of the
            // file has at least as many values as a shorter one.
            assert!(found.iter().all(|(key, value)| whole[key] == *value), "{cut} {found:?}");
            assert!(found.len() >= most, "{cut}");
            most = found.len();
        }
        assert!(most > 6, "{}: {most}", sample.name());
    }
}

/// A save with a version that no engine has is an error. Custom versions can have several forms.
#[test]
fn versions_of_saves() {
    for (ue4, ue5) in [(523, 0), (522, 1019)] {
        let versions = Versions { ue4, ue5 };
        let class = StrBuf::new("A");
        let (engine, custom) = (Default::default(), Default::default());
        let error = Save::new(versions, engine, custom, class.as_text()).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::NewerVersion(versions));
    }
    assert_eq!(Versions::of_engine(6, 0), None);
    assert_eq!((Versions::of_engine(4, 28), Versions::of_engine(5, 9)), (None, None));
    let guid = [1i32, 2, 3, 4];
    let guid = |bytes: Bytes| guid.iter().fold(bytes, |bytes, word| bytes.i32(*word));
    let forms = [
        // The key of a custom version is a number, a GUID with a name, or only a GUID.
        (
            1,
            Bytes::default().i32(1).i32(4).i32(77),
            json!("00000000000000000000000000000004"),
            Json::Null,
        ),
        (
            2,
            guid(Bytes::default().i32(1)).i32(77).text("Mine"),
            json!("00000001000000020000000300000004"),
            json!("Mine"),
        ),
        (
            3,
            guid(Bytes::default().i32(1)).i32(77),
            json!("00000001000000020000000300000004"),
            Json::Null,
        ),
    ];
    let file = |form: i32, versions: &Bytes| {
        let engine = Bytes::default().bytes(&[4, 0, 27, 0, 2, 0]).i32(0).text("branch");
        let begin = Bytes::default().bytes(b"GVAS").i32(2).i32(522).bytes(&engine.0).i32(form);
        begin.bytes(&versions.0).text("/Script/Game.Save").text("None").i32(0).0
    };
    for (form, versions, guid, name) in forms {
        let file = file(form, &versions);
        let save = Save::open(&file).unwrap();
        let json = json_of(&save);
        let custom = &json["custom_versions"][0];
        assert_eq!((&custom["guid"], &custom["version"]), (&guid, &json!(77)), "{form}");
        assert_eq!(custom.get("name").unwrap_or(&Json::Null), &name, "{form}");
        assert_eq!(save.custom_versions().len(), 1);
        let mut header = Vec::new();
        save.write_header(&mut header).unwrap();
        assert_eq!(header, file[..header.len()], "{form}");
        assert_eq!(save.trailer().unwrap(), (file.len() as u64 - 4, &[0; 4][..]));
    }
    for form in [0, 4] {
        let what = "form of custom versions";
        let error = Save::open(&file(form, &Bytes::default().i32(0))).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::Unknown { what, value: form.into() });
    }
    // Versions that are much older than those of known saves can also be read.
    let old = In::ue4(342).file(
        &gamewire::unreal::PropertyTypeBuf::of(gamewire::unreal::PropertyKind::Int),
        &[7, 0, 0, 0],
    );
    assert_eq!(json_of(&Save::open(&old).unwrap())["properties"][0]["value"], 7);
}

/// A save has the layout of a package with the last legacy version, whether the save is new or read
/// from a file.
#[test]
fn legacy_version_of_saves() {
    UE4_27.save(|made| {
        assert_eq!(made.layout().legacy, -9);
        let mut file = Vec::new();
        made.write_header(&mut file).unwrap();
        file.extend(b"\x05\0\0\0None\0");
        assert_eq!(Save::open(&file).unwrap().layout(), made.layout());
    });
}
