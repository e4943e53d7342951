//! The versions of a file, which decide its layout.

/// Custom versions, by the words of their GUIDs.
pub const CORE: [u32; 4] = [0x375EC13C, 0x06E448FB, 0xB50084F0, 0x262A717E];
pub const EDITOR: [u32; 4] = [0xE4B068ED, 0xF49442E9, 0xA231DA0B, 0x2E46BB41];
pub const RELEASE: [u32; 4] = [0x9C54D522, 0xA8264FBE, 0x94210746, 0x61B482D0];
pub const FORTNITE_MAIN: [u32; 4] = [0x601D1886, 0xAC644F84, 0xAA16D3DE, 0x0DEAC7D6];
pub const UE5_RELEASE: [u32; 4] = [0xD89B5E42, 0x24BD4D46, 0x8412ACA8, 0xDF641779];

pub const ANIM_PHYS: [u32; 4] = [0x29E575DD, 0xE0A34627, 0x9D10D276, 0x232CDCEA];
pub const BLUEPRINTS: [u32; 4] = [0xB0D832E4, 0x1F894F0D, 0xACCF7EB7, 0x36FD4AA2];
pub const FRAMEWORK: [u32; 4] = [0xCFFC743F, 0x43B04480, 0x939114DF, 0x171D2073];
pub const NIAGARA: [u32; 4] = [0xFCF57AFA, 0x50764283, 0xB9A9E658, 0xFFA02D32];
pub const NIAGARA_OBJECT: [u32; 4] = [0xF2AED0AC, 0x9AFE416F, 0x8664AA7F, 0xFA26D6FC];
pub const SEQUENCER: [u32; 4] = [0x7B5AE74C, 0xD2704C10, 0xA9585798, 0x0B212A5A];

pub const CONTROL_RIG: [u32; 4] = [0xA7820CFB, 0x20A74359, 0x8C542C14, 0x9623CF50];
pub const RIG_VM: [u32; 4] = [0xDC49959B, 0x53C04DE7, 0x9156EA88, 0x5E7C5D39];

/// The subsystems whose custom versions generated files can state.
pub const SUBSYSTEMS: [[u32; 4]; 11] = [
    CORE,
    EDITOR,
    RELEASE,
    FORTNITE_MAIN,
    UE5_RELEASE,
    ANIM_PHYS,
    BLUEPRINTS,
    FRAMEWORK,
    NIAGARA,
    NIAGARA_OBJECT,
    SEQUENCER,
];

#[derive(Clone, Debug, Default)]
pub struct Versions {
    pub legacy: i32,
    pub ue4: i32,
    pub ue5: i32,
    /// The package does not state its version.
    pub unversioned: bool,
    /// The package contains editor data.
    pub editor: bool,
    /// Properties have no tags.
    pub unversioned_properties: bool,
    /// The file is a save: names and references are text.
    pub save: bool,
    /// Soft references are indices into the table of soft object paths.
    pub soft_list: bool,
    pub custom: Vec<([u32; 4], i32)>,
}

impl Versions {
    /// Returns the custom version of a subsystem, or −1 if the file does not contain it.
    pub fn custom(&self, guid: [u32; 4]) -> i32 {
        if self.unversioned {
            return self.latest(guid);
        }
        // If a GUID occurs twice, the last occurrence is used.
        let mut found = self.custom.iter().rev().filter(|(of, _)| *of == guid);
        found.next().map_or(-1, |(_, version)| *version)
    }

    /// Returns the custom version that a subsystem has in engines whose files have this version.
    /// Only versions that change the layout are distinguished.
    fn latest(&self, guid: [u32; 4]) -> i32 {
        // It is not known which version of these subsystems each engine has.
        if [
            ANIM_PHYS,
            BLUEPRINTS,
            FRAMEWORK,
            NIAGARA,
            NIAGARA_OBJECT,
            SEQUENCER,
            CONTROL_RIG,
            RIG_VM,
        ]
        .contains(&guid)
        {
            return i32::MAX;
        }
        let known = CHANGES.iter().filter(|(of, ..)| *of == guid);
        let there = |ue4, ue5| self.ue4 >= ue4 && self.ue5 >= ue5;
        let reached = known.filter(|(_, _, ue4, ue5)| there(*ue4, *ue5));
        reached.map(|(_, version, ..)| *version).max().unwrap_or(-1)
    }
}

/// The changes of custom versions in engines 4.6 to 5.8: each row contains the subsystem, its new
/// custom version, and the first file versions of engine 4 and engine 5 that have this custom
/// version. If several engines have the same file version, the row describes the last of them.
const CHANGES: [([u32; 4], i32, i32, i32); 18] = [
    (CORE, 1, 504, 0),
    (EDITOR, 8, 508, 0),
    (EDITOR, 14, 510, 0),
    (EDITOR, 20, 513, 0),
    (RELEASE, 23, 517, 0),
    (RELEASE, 43, 522, 0),
    (FORTNITE_MAIN, 59, 522, 1000),
    (FORTNITE_MAIN, 83, 522, 1009),
    (UE5_RELEASE, 36, 522, 1000),
    (EDITOR, 5, 505, 0),
    (EDITOR, 21, 516, 0),
    (EDITOR, 32, 517, 0),
    (RELEASE, 30, 518, 0),
    (FORTNITE_MAIN, 1, 516, 0),
    (FORTNITE_MAIN, 33, 522, 0),
    (FORTNITE_MAIN, 192, 522, 1017),
    (FORTNITE_MAIN, 260, 522, 1018),
    (UE5_RELEASE, 12, 522, 1000),
];
