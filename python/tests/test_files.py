"""Files of all formats are opened, written back byte for byte, and edited."""

import gzip
import io
import os
import shutil
import subprocess
from pathlib import Path

import gamewire
import pytest
from conftest import CORPUS
from gamewire import files, godot
from gamewire.files import Archive, Config, Content, Locres, Mappings, Package, Registry, Rems, Save, Values

PROGRAM = os.environ.get("GAMEWIRE")
FOLDERS = [
    "config", "frames", "godot-files", "rems", "unreal", "unreal-declared", "unreal-iostore", "unreal-locres",
    "unreal-mappings", "unreal-paks", "unreal-registry", "unreal-small", "unreal-zen",
]  # fmt: skip
ENGINES = {"ue5.1": "5.1", "ue5.4": "5.4", "ue5.8": "5.8"}
"""Engines of the packages in `corpus/unreal` that do not state their versions."""

PATHS = sorted(path for folder in FOLDERS for path in (CORPUS / folder).rglob("*") if path.is_file())


def options(path):
    """Returns the options that open a file."""
    name = str(path)
    if "encrypted_key" in name:
        return {"key": bytes(range(32))}
    engine = ENGINES.get(path.name.split("-")[0], "5.3")
    if path.suffix in (".uasset", ".umap") and b"GVAS" not in path.read_bytes()[:4]:
        return {"engine": engine}
    return {"password": "hunter2"}


def opened(path):
    """Returns the file, or None if its format is unknown or the corpus does not have its key."""
    try:
        return gamewire.open(path, **options(path))
    except gamewire.Error as error:
        assert error.kind != "Internal", path
        return None


@pytest.mark.parametrize("path", PATHS, ids=[str(path.relative_to(CORPUS)) for path in PATHS])
def test_unchanged(path):
    file = opened(path)
    if file is None or not isinstance(file, files.File):
        return
    data = path.read_bytes()
    assert file.to_bytes() == data
    if isinstance(file, files.Document):
        try:
            document = file.document
        except gamewire.Error as error:
            assert error.kind == "NeedsVersion", path
            return
        assert isinstance(document, dict) and file.to_bytes() == data
    if isinstance(file, Package) and file._exports is not None:
        assert file.exports_to_bytes() == path.with_suffix(".uexp").read_bytes()


def test_every_class_is_found():
    packed = (CORPUS / "godot-files/4.6.3/compressed_zstd.dat").read_bytes()
    other = files._open.GodotContainer(packed).pack(b"other \xff content")
    content = gamewire.open(other)
    assert (content.content, content.to_bytes()) == (b"other \xff content", other)
    content.content = b"new \xff"
    assert gamewire.open(content.to_bytes()).content == b"new \xff"
    found = {type(file) for file in [*map(opened, PATHS), content]}
    assert found >= {Archive, Config, Content, Locres, Mappings, Package, Registry, Rems, Save, Values}


def test_all_packets():
    """A wrong guess of the dialect never loses a byte."""
    count = 0
    for folder in ("godot4", "godot3", "godot4-double", "derived", "hostile"):
        for path in sorted((CORPUS / folder).rglob("*.bin")):
            try:
                file = gamewire.open(path)
            except gamewire.Error as error:
                assert error.kind != "Internal"
            else:
                count += 1
                assert file.to_bytes() == path.read_bytes(), path
                assert isinstance(file, Values)
    assert count > 500


# Sources


def test_sources(tmp_path):
    path = CORPUS / "unreal/gvas-ue4.27-Slot1.sav"
    data = path.read_bytes()
    for source in (path, str(path), data, bytearray(data), memoryview(data), io.BytesIO(data)):
        save = gamewire.open(source)
        assert isinstance(save, Save) and save.to_bytes() == data
        assert save.format == "a save of Unreal Engine"
    packed = tmp_path / "save.gz"
    packed.write_bytes(gzip.compress(data))
    with gzip.open(packed) as file:
        assert gamewire.open(file).document == save.document
    with pytest.raises(FileNotFoundError):
        gamewire.open("missing.sav")
    with pytest.raises(TypeError):
        gamewire.open(io.StringIO("text"))
    with pytest.raises(TypeError):
        gamewire.open(5)


def test_unknown_files():
    with pytest.raises(gamewire.Error, match="tried: captures") as caught:
        gamewire.open(b"nothing that is known \xff")
    assert caught.value.kind == "UnknownFormat"


def test_save_to_disk(tmp_path):
    path = tmp_path / "slot.sav"
    shutil.copy(CORPUS / "unreal/gvas-ue4.27-Slot1.sav", path)
    path.chmod(0o640)
    save = gamewire.open(path)
    save["properties.u8_test"] = 5
    save.save()
    assert gamewire.open(path)["properties.u8_test"] == 5
    assert path.stat().st_mode & 0o777 == 0o640
    save.save(tmp_path / "other.sav")
    assert (tmp_path / "other.sav").read_bytes() == path.read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["other.sav", "slot.sav"]
    with pytest.raises(gamewire.Error, match="a path is needed"):
        gamewire.open(path.read_bytes()).save()
    with pytest.raises(OSError):
        save.save(tmp_path / "missing/slot.sav")


# Godot


def test_values():
    file = gamewire.open(godot.dumps([1, {"a": 2}]))
    assert (file.dialect, file.framing, file.value) == ("godot4", None, [1, {"a": 2}])
    file.value[1]["a"] = "x"
    assert file.to_bytes() == godot.dumps([1, {"a": "x"}])
    stream = godot.dumps([1, 2], frames=True, big_endian=True)
    file = gamewire.open(stream)
    assert (file.framing, file.values) == ("big", [1, 2])
    file.values.append(3)
    assert file.to_bytes() == godot.dumps([1, 2, 3], frames=True, big_endian=True)
    with pytest.raises(gamewire.Error, match="3 values"):
        _ = file.value
    assert gamewire.open(b"\x01\0\0\0\x01\0\0\0", dialect="godot2").value is True
    assert not gamewire.open(stream, frames=True, big_endian=True).is_guess
    assert gamewire.open(godot.dumps(1) + godot.dumps("two")).values == [1, "two"]


def test_stated_framing():
    stream = godot.dumps([1, {"a": 2}], frames=True, big_endian=True)
    file = gamewire.open(stream, big_endian=True)
    assert (file.framing, file.values, file.is_guess) == ("big", [1, {"a": 2}], False)
    with pytest.raises(gamewire.Error):
        gamewire.open(godot.dumps([1, {"a": 2}], frames=True), big_endian=True)
    color = godot.Color(1, 2, 3, 4)
    file = gamewire.open(godot.dumps({"c": color}, "godot3"), frames=False)
    assert (file.dialect, file.framing, file.value) == ("godot3", None, {"c": color})
    for framing in ({"frames": False}, {"frames": False, "big_endian": True}):
        file = gamewire.open(godot.dumps(["a"], frames=True)[4:], **framing)
        assert (file.dialect, file.framing, file.value) == ("godot4", None, "a")
        assert isinstance(gamewire.open(CORPUS / "unreal/gvas-ue4.27-Slot1.sav", **framing), Save)
    with pytest.raises(gamewire.Error):
        gamewire.open(godot.dumps([1, 2], frames=True), frames=False)


def test_guesses_are_marked():
    values = ({}, 5, [godot.Vector2(1, 2)])
    assert [gamewire.open(godot.dumps(value)).is_guess for value in values] == [True, True, False]


@pytest.mark.parametrize("name", ["zstd", "fastlz", "gzip", "deflate"])
def test_compressed_files(name):
    path = CORPUS / f"godot-files/4.6.3/compressed_{name}.dat"
    file = gamewire.open(path)
    plain = gamewire.open(CORPUS / "godot-files/4.6.3/plain.dat")
    assert file.container == name and file.values == plain.values
    file.values[0]["level"] = 13
    again = gamewire.open(file.to_bytes())
    assert again.container == file.container and again.values == file.values


def test_encrypted_files(monkeypatch):
    path = CORPUS / "godot-files/4.6.3/encrypted_pass.dat"
    with pytest.raises(gamewire.Error) as caught:
        gamewire.open(path)
    assert caught.value.kind == "NeedsKey"
    with pytest.raises(gamewire.Error) as caught:
        gamewire.open(path, password="wrong")
    assert caught.value.kind == "WrongKey" and caught.value.offset == 44
    file = gamewire.open(path, password="hunter2")
    assert file.container == "encrypted" and file.values[0]["name"] == "Ada"
    file.values[0]["name"] = "Bob"
    changed = file.to_bytes()
    assert changed != file.to_bytes()  # a new initialization vector
    monkeypatch.setenv("GAMEWIRE_PASSWORD", "hunter2")
    assert gamewire.open(changed).values == file.values
    old = gamewire.open(CORPUS / "godot-files/3.6.2/g3_encrypted_pass.dat")
    assert old.container == "encrypted-godot3"
    old.values[0] = 1
    assert gamewire.open(old.to_bytes()).values == old.values
    with pytest.raises(gamewire.Error) as caught:
        gamewire.open(path, key="00" * 31)
    assert caught.value.kind == "BadKey"


def test_configuration():
    text = '; a comment\nversion=1\n\n[a]\n\nx = 1 ; one\n'
    text += 'list=[1, {"k": Vector2(1, 2)}]\nhero=Resource("res://h.tres")\n'
    config = gamewire.open(text.encode())
    assert list(config) == ["", "a"] and config["a"]["x"] == 1
    assert config["a"]["hero"] == 'Resource("res://h.tres")' and config.to_bytes() == text.encode()
    config["a"]["list"][1]["k"] = godot.Vector2(3, 4)
    config["a"]["x"] = 2.5
    config["b"] = {"new key": ["é"]}
    del config[""]["version"]
    changed = config.to_bytes().decode()
    assert changed == (
        '; a comment\n\n[a]\n\nx = 2.5 ; one\nlist=[1, {\n"k": Vector2(3, 4)\n}]\nhero=Resource("res://h.tres")\n'
        '\n[b]\n\n"new key"=["é"]\n'
    )
    again = gamewire.open(changed.encode())
    assert again["b"] == {"new key": ["é"]} and "" not in again
    config["a"]["bad"] = object()
    with pytest.raises(gamewire.Error) as caught:
        config.to_bytes()
    assert caught.value.path == "a/bad"


def test_dialect_of_a_configuration():
    text = b"[a]\n\nlist=PoolIntArray( 1, 2 )\n"
    config = gamewire.open(text, dialect="godot3")
    assert isinstance(config, Config) and config.dialect == "godot3" and config.to_bytes() == text
    assert list(config["a"]["list"]) == [1, 2]
    config["a"]["list"] = godot.PackedInt32Array([3])
    assert config.to_bytes() == text.replace(b"1, 2", b"3")
    assert gamewire.open(b"[a]\n\nx=1\n", dialect="godot3", frames=False).dialect == "godot3"
    path = CORPUS / "godot-files/4.6.3/config_encrypted.cfg"
    config = gamewire.open(path, password="hunter2", dialect="godot4")
    assert (config.container, config["player"]["name"]) == ("encrypted", "Ada")


def test_encrypted_configuration():
    path = CORPUS / "godot-files/4.6.3/config_encrypted.cfg"
    config = gamewire.open(path, password="hunter2")
    assert isinstance(config, Config) and config["player"]["name"] == "Ada"
    config["player"]["name"] = "Bob"
    assert gamewire.open(config.to_bytes(), password="hunter2")["player"]["name"] == "Bob"


# Unreal Engine


def leaves(node, path=()):
    """Yields the container, key and path of each scalar value of properties."""
    if isinstance(node, dict) and "value" in node and "name" in node and "raw" not in node:
        if isinstance(node["value"], (dict, list)):
            yield from leaves(node["value"], (*path, "value"))
        else:
            yield node, "value", path
    elif isinstance(node, dict):
        for key, value in node.items():
            if isinstance(value, (dict, list)):
                yield from leaves(value, (*path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from leaves(value, (*path, index))


def edited(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value ^ 1
    if isinstance(value, float):
        return 0.5 if value != 0.5 else 0.25
    return None


def without_positions(node):
    """Returns a document without the members that are computed from others."""
    derived = ("size", "offset", "stored", "serial", "errors", "hash")
    if isinstance(node, dict):
        return {
            key: without_positions(value)
            for key, value in node.items()
            if not any(part in key for part in derived)
        }
    return [without_positions(value) for value in node] if isinstance(node, list) else node


SAVES = [path for path in PATHS if path.suffix == ".sav"]


@pytest.mark.parametrize("path", SAVES, ids=[path.name for path in SAVES])
def test_edits_of_saves(path):
    file = opened(path)
    if file is None:
        return
    count = len(list(leaves(file.document["properties"])))
    for number in range(0, count, max(1, count // 15)):
        file = opened(path)
        container, key, _ = list(leaves(file.document["properties"]))[number]
        new = edited(container[key])
        if new is None:
            continue
        container[key] = new
        changed = file.to_bytes()
        assert changed != path.read_bytes()
        again = gamewire.open(changed)
        assert without_positions(again.document) == without_positions(file.document)
        if file.wrapper is None:
            assert len(changed) == path.stat().st_size
            count_of = sum(a != b for a, b in zip(changed, path.read_bytes()))
            assert count_of <= 8


@pytest.mark.skipif(not PROGRAM, reason="needs the command line")
def test_edits_like_the_command_line(tmp_path):
    cases = [
        ("unreal/gvas-ue4.27-Slot1.sav", "properties.u8_test", 77, "77"),
        ("unreal/gvas-ue4.27-Slot1.sav", "properties.struct_property.test_field", 7, "7"),
        ("unreal/gvas-ue4.27-Slot1.sav", "properties.Gold", 250, "250"),
        ("unreal/ue4.27-TestActorBP.uasset", "exports.TestActorBP_C.object_name", "Renamed_C", "Renamed_C"),
    ]
    for name, path, value, text in cases:
        file = gamewire.open(CORPUS / name)
        file[path] = value
        out = tmp_path / "out"
        subprocess.run([PROGRAM, "set", path, text, CORPUS / name, "-o", out], check=True, capture_output=True)
        assert file.to_bytes() == out.read_bytes(), path


def test_paths_of_saves():
    save = gamewire.open(CORPUS / "unreal/gvas-ue4.27-Slot1.sav")
    assert save["properties.u8_test"] == save[["properties", "u8_test"]] == save["properties[0].value"] == 129
    assert save.get("properties.missing", None) is None and "properties.missing" not in save
    with pytest.raises(gamewire.Error, match="no `missing` in `properties`") as caught:
        save["properties.missing"]
    assert (caught.value.kind, caught.value.path) == ("NoSuchPath", "properties/missing")
    with pytest.raises(gamewire.Error) as caught:
        save["properties..x"]
    assert caught.value.kind == "BadPath"
    with pytest.raises(gamewire.Error, match="`type` adds one"):
        save["properties.New"] = [1]
    save["properties.New"] = 1.5
    assert gamewire.open(save.to_bytes())["properties.New"] == 1.5
    del save["properties.New"]
    assert save.to_bytes() == save._original


def test_numbers_of_numpy():
    numpy = pytest.importorskip("numpy")
    save = gamewire.open(CORPUS / "unreal/gvas-ue4.27-Slot1.sav")
    save["properties.u8_test"], save["properties.f_property"] = numpy.int64(5), numpy.float32(0.5)
    again = gamewire.open(save.to_bytes())
    assert (again["properties.u8_test"], again["properties.f_property"]) == (5, 0.5)
    for value, text in ((numpy.float32("nan"), "NaN"), (numpy.float16("-inf"), "-inf"), (float("inf"), "inf")):
        save["properties.f_property"] = value
        assert gamewire.open(save.to_bytes())["properties.f_property"] == text
    save.set("properties.New", numpy.bool_(True), type="BoolProperty")
    assert gamewire.open(save.to_bytes())["properties.New"] is True
    rems = gamewire.open(b'[ {"class":"T", "i:*ptr":1, "f:x":1} ]')
    rems["T.x"] = numpy.float32("-inf")
    assert rems.to_bytes() == b'[ {"class":"T", "i:*ptr":1, "f:x":-Infinity} ]'


def test_keys_of_maps():
    """The keys of an empty map of bytes can be numbers or names of an enum."""
    for key in (5, "EMode::A"):
        save = gamewire.open(CORPUS / "unreal/gvas-ue4.27-Slot1.sav")
        empty = {"removed": [], "entries": []}
        save.set("properties.Modes", empty, type="MapProperty(ByteProperty,IntProperty)")
        save[["properties", "Modes", str(key)]] = 7
        again = gamewire.open(save.to_bytes())
        assert again["properties.Modes.entries"] == [{"key": key, "value": 7}]
    again["properties.Modes.EMode::B"] = 8
    assert again["properties.Modes.EMode::B"] == 8
    save.set("properties.Counts", {"removed": [], "entries": []}, type="MapProperty(IntProperty,IntProperty)")
    with pytest.raises(gamewire.Error, match="`EMode::A` is not a number"):
        save["properties.Counts.EMode::A"] = 7


def test_errors_of_documents_have_paths():
    save = gamewire.open(CORPUS / "unreal/gvas-ue4.27-Slot1.sav")
    save["properties.i8_test"] = "text"
    with pytest.raises(gamewire.Error) as caught:
        save.to_bytes()
    assert (caught.value.kind, caught.value.path) == ("BadDocument", "properties/1/value")
    save["properties.i8_test"] = object()
    with pytest.raises(gamewire.Error, match="class object"):
        save.to_bytes()
    deep = []
    for _ in range(5000):
        deep = [deep]
    save["properties.i8_test"] = deep
    with pytest.raises(gamewire.Error):
        save.to_bytes()


def test_package():
    package = gamewire.open(CORPUS / "unreal/ue4.27-TestActorBP.uasset")
    assert isinstance(package, Package) and len(package.exports) > 3 and len(package.imports) > 3
    name = package.exports[1]["object_name"]
    assert package[f"exports.{name}"] is package.exports[1]
    assert package.export_bytes(1) == package.export_bytes(f"exports.{name}")
    assert package.export_bytes(1) == package.export_bytes(name) == package.export_bytes("exports[1]")
    last = package.export_bytes(len(package.exports) - 1)
    assert package.export_bytes(-1) == package.export_bytes("exports[-1]") == last
    for export in (10_000, -10_000, 10**30, "exports.missing", "missing"):
        with pytest.raises(gamewire.Error) as caught:
            package.export_bytes(export)
        assert caught.value.kind == "NoSuchPath"
    for export in ("imports[0]", f"exports.{name}.properties", ""):
        with pytest.raises(gamewire.Error) as caught:
            package.export_bytes(export)
        assert caught.value.kind == "BadPath"


def test_renamed_objects():
    package = gamewire.open(CORPUS / "unreal/ue4.27-TestActorBP.uasset")
    first, second = (export["object_name"] for export in package.exports[:2])
    content = package.export_bytes(second)
    package[f"exports.{second}.object_name"] = "New"
    assert package["exports.new"] is package[f"exports.{second}"] is package.exports[1]
    assert package.export_bytes("New") == package.export_bytes("exports.New") == content
    package[f"exports.{first}.object_name"] = second
    assert package[f"exports.{second}"] is package.exports[0]
    name = package.imports[0]["object_name"]
    package[f"imports.{name}.object_name"] = "Other"
    assert package["imports.Other"] is package.imports[0]


def test_packages_with_mappings():
    """Mappings beside a package, and declarations of another package, are found."""
    path = CORPUS / "unreal-declared/Content/Doors/Door.uasset"
    package = gamewire.open(path, engine="5.3")
    assert package.mappings == CORPUS / "unreal-declared/declared.usmap"
    assert any("properties" in export for export in package.exports)
    assert package.to_bytes() == path.read_bytes()
    mappings = gamewire.open(package.mappings)
    assert mappings.structs and mappings.versions is None or mappings.versions


def test_package_of_two_files(tmp_path):
    path = CORPUS / "unreal-mappings/tiny.uasset"
    package = gamewire.open(path, engine="5.3", mappings=CORPUS / "unreal-mappings/tiny.v4.usmap")
    assert package.exports_to_bytes() == path.with_suffix(".uexp").read_bytes()
    found = [leaf for leaf in leaves(package.exports) if isinstance(leaf[0][leaf[1]], (int, float))]
    container, key, _ = found[0]
    container[key] = edited(container[key])
    package.save(tmp_path / "tiny.uasset")
    again = gamewire.open(
        tmp_path / "tiny.uasset", engine="5.3", mappings=CORPUS / "unreal-mappings/tiny.v4.usmap"
    )
    assert again.exports_to_bytes() != path.with_suffix(".uexp").read_bytes()
    assert without_positions(again.exports) == without_positions(package.exports)


def test_packages_of_containers_are_read_only():
    paths = [path for path in PATHS if path.parent.name == "unreal-zen"]
    packages = [file for file in map(opened, paths) if isinstance(file, Package)]
    assert packages
    for package in packages:
        assert package.document["kind"] == "zen_package"
        package.document["name"] = "changed"
        with pytest.raises(gamewire.Error) as caught:
            package.to_bytes()
        assert caught.value.kind == "ReadOnly"


def test_archives():
    pak = gamewire.open(CORPUS / "unreal-paks/v11.pak")
    assert isinstance(pak, Archive) and len(pak) == len(list(pak)) > 0
    for path in pak:
        assert len(pak[path]) == pak.size(path)
    with pytest.raises(KeyError):
        pak["missing"]
    from_memory = gamewire.open((CORPUS / "unreal-paks/v11.pak").read_bytes())
    assert dict(from_memory) == dict(pak)
    with pytest.raises(gamewire.Error) as caught:
        gamewire.open(CORPUS / "unreal-paks/v11-encrypted.pak")
    assert caught.value.kind == "NeedsKey"
    container = gamewire.open(CORPUS / "unreal-iostore/v8.utoc")
    assert "Content/Tiny.uasset" in container
    assert gamewire.open(container["Content/Tiny.uasset"]).document["kind"] == "zen_package"
    assert {len(container[path]) == container.size(path) for path in container} == {True}
    with pytest.raises(OSError, match="opened from bytes"):
        gamewire.open((CORPUS / "unreal-iostore/v8.utoc").read_bytes())["Content/Tiny.uasset"]


def test_tables():
    texts = gamewire.open(CORPUS / "unreal-locres/v3.locres")
    assert texts["Menu"]["Start"] == "Spiel starten" and len(texts) == len(texts.document["namespaces"])
    old = gamewire.open(CORPUS / "unreal-locres/v0.locres")
    assert old.document["version"] == 0
    registry = gamewire.open(CORPUS / "unreal-registry/v24.bin")
    assert registry.assets and registry.document["type"] == "asset_registry"
    mappings = gamewire.open(CORPUS / "unreal-mappings/tiny.v4.usmap")
    of = next(iter(mappings.structs.values()))
    assert of.keys() == {"parent", "path", "properties"}


# Rem's Engine


def of_objects(node):
    """Yields the container and key of each scalar value."""
    if isinstance(node, list):
        for index, value in enumerate(node):
            if isinstance(value, (list, dict)):
                yield from of_objects(value)
            else:
                yield node, index
    elif "properties" in node:
        for property in node["properties"]:
            if isinstance(property.get("value"), (list, dict)):
                yield from of_objects(property["value"])
            elif "value" in property:
                yield property, "value"


def edited_rems(value):
    if isinstance(value, str):
        if value.startswith("#") and len(value) == 9:
            return "#11223344"
        if value in ("NaN", "inf", "-inf"):
            return 1.5
        return "bc"[value == "b"] if len(value) == 1 else value + 'é"\\x'
    return edited(value)


REMS = [path for path in PATHS if "rems" in path.parts and isinstance(opened(path), Rems)]


@pytest.mark.parametrize("path", REMS, ids=[str(path.relative_to(CORPUS)) for path in REMS])
def test_edits_of_rems(path):
    count = len(list(of_objects(gamewire.open(path).objects)))
    for number in range(0, count, max(1, count // 8)):
        file = gamewire.open(path)
        container, key = list(of_objects(file.objects))[number]
        new = edited_rems(container[key])
        if new is None:
            continue
        container[key] = new
        again = gamewire.open(file.to_bytes())
        assert again.form == file.form
        assert without_positions(again.document) == without_positions(file.document)


def test_edits_of_rems_keep_the_text():
    text = b'[ {"class":"T", "i:*ptr":1,\n  "S:name" : "a", "f:x": 1.50, "S[]:all":[2,"u","v"]} ]\n'
    file = gamewire.open(text)
    file["T.name"], file["T.all[1]"] = 'quo"te', "w"
    assert file.to_bytes() == text.replace(b'"a"', b'"quo\\"te"').replace(b'"v"', b'"w"')
    file.set("T.y", 2.5, type="f")
    assert file.to_bytes() == (
        b'[{"class":"T","i:*ptr":1,"S:name":"quo\\"te","f:x":1.5,"S[]:all":[2,"u","w"],"f:y":2.5}]'
    )
    del file["T.x"]
    assert b"f:x" not in file.to_bytes()


def test_paths_of_rems():
    file = gamewire.open(CORPUS / "rems/real/engine-prefab-dangling-pointers.json")
    assert file["[0].sets[-1].scale.y"] == 1.0 and file["Prefab.className"] == "Entity"
    assert file["[0].sets[14].path.v"] == "c2,DynamicBody"
    with pytest.raises(gamewire.Error, match=r"no `set` in `0` \(there: className") as caught:
        file["[0].set"]
    assert caught.value.kind == "NoSuchPath"
    binary = gamewire.open(CORPUS / "rems/2026/31_shared_child.binary.bin")
    assert (binary.form, binary.era, binary["[0].c2.x"]) == ("binary", "2026", 5)


def test_errors_of_rems_have_paths():
    file = gamewire.open(CORPUS / "rems/2026/31_shared_child.binary.bin")
    file["[0].c1.x"] = "text"
    with pytest.raises(gamewire.Error) as caught:
        file.to_bytes()
    assert caught.value.path == "objects/0/properties/0/value/properties/0/value"


# Captures


def test_captures():
    path = CORPUS / "captures/enet.pcap"
    count = sum(1 for _ in gamewire.packets(path))
    assert sum(1 for _ in gamewire.open(path)) == sum(1 for _ in gamewire.open(path.read_bytes())) == count
