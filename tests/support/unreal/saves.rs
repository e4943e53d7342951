//! Builds saves of given versions that contain no property, one property with given bytes, or the
//! properties that a closure writes. Also builds encoded values, and reads the first property of a
//! save.

use gamewire::unreal::tables::{CustomVersion, EngineVersion};
use gamewire::unreal::{
    Guid, Layout, ListBuf, PropertyTypeBuf, PropertyWriter, Save, StrBuf, Tag, TagBuf, Versions,
};

/// The versions of a save.
#[derive(Clone, Copy, Debug)]
pub struct In {
    pub versions: Versions,
    /// `FEditorObjectVersion`
    pub editor: i32,
    /// `FFortniteMainBranchObjectVersion`
    pub fortnite: i32,
    /// `FUE5ReleaseStreamObjectVersion`
    pub release: i32,
}

/// The versions of saves of engine 4.27.
pub const UE4_27: In =
    In { versions: Versions { ue4: 522, ue5: 0 }, editor: 40, fortnite: 50, release: 12 };

impl In {
    pub const fn ue4(ue4: i32) -> Self {
        Self { versions: Versions { ue4, ue5: 0 }, ..UE4_27 }
    }

    pub const fn ue5(ue5: i32) -> Self {
        Self { versions: Versions { ue4: 522, ue5 }, ..UE4_27 }
    }

    /// Returns the result of `see` for an empty save of these versions.
    pub fn save<T>(self, see: impl FnOnce(&Save<'_>) -> T) -> T {
        let custom = [
            (Guid([0xE4B068ED, 0xF49442E9, 0xA231DA0B, 0x2E46BB41]), self.editor),
            (Guid([0x601D1886, 0xAC644F84, 0xAA16D3DE, 0x0DEAC7D6]), self.fortnite),
            (Guid([0xD89B5E42, 0x24BD4D46, 0x8412ACA8, 0xDF641779]), self.release),
        ];
        let custom = custom.map(|(guid, version)| CustomVersion { guid, version, name: None });
        let custom = ListBuf::new(custom, &Layout::default()).unwrap();
        let class = StrBuf::new("/Script/Game.Save");
        let engine = EngineVersion::default();
        let custom = custom.list().unwrap();
        see(&Save::new(self.versions, engine, custom, class.as_text()).unwrap())
    }

    /// Returns a save with one property `A` of a given type. `bytes` is the encoded value of the
    /// property.
    pub fn file(self, of: &PropertyTypeBuf, bytes: &[u8]) -> Vec<u8> {
        self.save(|save| {
            let mut file = Vec::new();
            save.write_header(&mut file).unwrap();
            let mut list = PropertyWriter::new(&mut file, &save.properties());
            list.bytes(&TagBuf::in_save("A", of), bytes).unwrap();
            list.finish().unwrap();
            file
        })
    }
}

/// A buffer for numbers and texts in the encoding of a save.
#[derive(Clone, Default)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    pub fn i8(mut self, value: i8) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub fn i32(mut self, value: i32) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub fn i64(mut self, value: i64) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub fn f32(mut self, value: f32) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub fn f64(mut self, value: f64) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    /// Appends a bool of four bytes.
    pub fn truth(self, value: bool) -> Self {
        self.i32(value.into())
    }

    /// Appends an `FString` of 8-bit characters.
    pub fn text(self, text: &str) -> Self {
        let mut this = self.i32(text.len() as i32 + 1);
        this.0.extend(text.bytes().chain([0]));
        this
    }

    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }
}

/// Returns the result of `see` for the first property of a save.
pub fn first<T>(file: &[u8], see: impl FnOnce(&Tag<'_>) -> T) -> T {
    let save = Save::open(file).unwrap();
    see(&save.properties().next().unwrap().unwrap())
}

/// Returns a save with the properties that the closure writes.
pub fn written(versions: In, write: impl FnOnce(&mut PropertyWriter<'_, '_, Vec<u8>>)) -> Vec<u8> {
    versions.save(|save| {
        let mut file = Vec::new();
        save.write_header(&mut file).unwrap();
        let mut list = PropertyWriter::new(&mut file, &save.properties());
        write(&mut list);
        list.finish().unwrap();
        file
    })
}

/// Returns a tag of a property `A` whose type is a struct of the engine.
pub fn structure(name: &'static str) -> TagBuf {
    TagBuf::in_save("A", &PropertyTypeBuf::structure(name, "/Script/CoreUObject"))
}
