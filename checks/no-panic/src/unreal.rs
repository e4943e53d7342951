//! Entry points that read packages and saves of Unreal Engine.

use core::hint::black_box;
use gamewire::SliceSink;
use gamewire::unreal::archive::{
    Archive, ArchiveReader, ArchiveWriter, Array, BitArchive, BitReader, BitWriter, Standalone,
};
use gamewire::unreal::iostore::Toc;
use gamewire::unreal::pak::Index;
use gamewire::unreal::properties::{Counts, FormattedText};
use gamewire::unreal::registry::Registry;
use gamewire::unreal::{
    ByteOrder, Layout, Locres, Package, PackageIndex, Properties, Save, StrRef,
};

pub fn package(data: &[u8]) {
    let Ok(package) = Package::open(data) else { return };
    black_box((package.versions(), package.summary()));
    package.names().for_each(|name| _ = black_box(name));
    package.imports().for_each(|import| _ = black_box(import));
    package.depends().for_each(|it| _ = black_box(it));
    package.verify(|problem| _ = black_box(problem));
    for export in package.exports().flatten() {
        black_box(package.path_of(PackageIndex(1)));
        if let Ok(Some(object)) = package.properties(&export) {
            properties(object.iter());
        }
    }
}

fn properties(list: Properties<'_>) {
    black_box(list.get("Name").is_some());
    let mut counts = Counts::default();
    _ = black_box((list.visit(&mut counts), counts));
    list.for_each(|tag| _ = black_box(tag.map(|tag| tag.value())));
}

pub fn archive(data: &[u8]) {
    let origin = Standalone::new(Layout::default());
    let mut ar = ArchiveReader::new(data, 0, &origin);
    let (mut number, mut bits) = (0, [0; 9]);
    _ = black_box((ar.int_packed(&mut number), ar.bits(&mut bits, number.into())));
    _ = black_box((
        ar.read::<StrRef<'_>>(),
        ar.read::<FormattedText<'_>>(),
        ar.seek(number.into()),
    ));
    if let Ok(mut array) = ar.read::<Array<'_, Array<'_, StrRef<'_>>>>() {
        array.iter().flatten().flatten().for_each(|text| _ = black_box(text));
        let mut memory = [0; 100];
        let mut sink = SliceSink::new(&mut memory);
        _ = black_box(ArchiveWriter::new(&mut sink, &origin).serialize(&mut array));
    }
    let Ok(mut reader) = BitReader::new(data, number.into(), ByteOrder::Big) else { return };
    let mut memory = [0; 100];
    let mut sink = SliceSink::new(&mut memory);
    let mut writer = BitWriter::new(&mut sink, ByteOrder::Big);
    let mut value = 0;
    while reader.int(&mut value, number).is_ok() && writer.int(&mut value, number).is_ok() {
        _ = black_box((reader.number(&mut value), writer.number(&mut value)));
        _ = black_box((reader.bits(&mut bits, 70), writer.bits(&mut bits, 70)));
    }
    _ = black_box(writer.finish());
}

pub fn save(data: &[u8]) {
    let Ok(save) = Save::open(data) else { return };
    black_box(save.header());
    properties(save.properties());
}

pub fn pak(data: &[u8]) {
    let Ok(index) = Index::open(data) else { return };
    black_box((index.mount_point(), index.footer().methods().count()));
    black_box(index.find("Content/Hero.uasset").is_some());
    for entry in index.entries().flatten() {
        entry.blocks().for_each(|block| _ = black_box(block));
        let mut to = [0; 64];
        _ = black_box(entry.decompress_into(data, &mut to, |_, _, _| Ok(0)));
    }
}

pub fn iostore(data: &[u8]) {
    let Ok(toc) = Toc::open(data) else { return };
    black_box((toc.mount_point(), toc.methods().count()));
    black_box(toc.find("Content/Hero.uasset").is_some());
    toc.files().for_each(|file| _ = black_box(file));
    toc.verify(|_| Some(100), |problem| _ = black_box(problem));
    for chunk in toc.chunks().flatten() {
        let mut to = [0; 64];
        _ = black_box(chunk.decompress_into(&[data], &mut to, |_, _, _| Ok(0)));
    }
}

pub fn locres(data: &[u8]) {
    let Ok(locres) = Locres::open(data) else { return };
    black_box(locres.find("Menu", "Start").is_some());
    black_box(locres.verify(|error| _ = black_box(error)));
}

pub fn registry(data: &[u8]) {
    let Ok(registry) = Registry::open(data) else { return };
    black_box(registry.verify(|error| _ = black_box(error)));
    for asset in registry.assets().flatten() {
        black_box(asset.tag("Title").is_some());
    }
    if let Ok(graph) = registry.dependencies() {
        black_box(graph.node(7).is_some());
    }
}
