//! Entry points that read packages and saves of Unreal Engine.

use core::hint::black_box;
use gamewire::unreal::pak::Index;
use gamewire::unreal::{Locres, Package, PackageIndex, Properties, Save};

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
    list.for_each(|tag| _ = black_box(tag.map(|tag| tag.value())));
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

pub fn locres(data: &[u8]) {
    let Ok(locres) = Locres::open(data) else { return };
    black_box(locres.find("Menu", "Start").is_some());
    black_box(locres.verify(|error| _ = black_box(error)));
}
