//! The fields of structs that contain more than numbers. A text with a letter for each field
//! describes them.
//!
//! The letters are those of [`FIELDS`](super::structs::FIELDS) and the following: `?` is a bool of
//! 32 bits, `h` an unsigned integer of 16 bits, `g` a GUID, `s` a text, `n` a name, `o` an object,
//! `p` a soft reference, `T` a list of properties, `B` a count followed by bytes, and a digit
//! stands for this number of bytes without a known meaning. `[…]` is an array, and `<…>` is an
//! array that states the size of its elements. `(…)` is a group. `!(…)` is present if the first
//! field of the group around it is not zero, `~(…)` if that field is zero, and `=3(…)` if it is
//! three. `+` means that the rest of the group is present only if bytes remain or, in a container,
//! if the file has editor data.

use super::bytes::{Bad, Cursor, Out};
use super::node::Node;
use super::tags::list;
use super::values::{Inside, soft};
use super::versions::{
    ANIM_PHYS, BLUEPRINTS, CORE, EDITOR, FORTNITE_MAIN, FRAMEWORK, NIAGARA, NIAGARA_OBJECT,
    RELEASE, SEQUENCER, UE5_RELEASE, Versions,
};

/// How a struct is stored in a version.
pub struct Layout {
    /// `true` if it is stored as its fields, `false` if it is stored as properties.
    pub native: bool,
    /// The fields. They are also tried if the properties cannot be read.
    pub letters: String,
    /// Another form of the fields, which is tried if the usual one cannot be read.
    pub second: Option<String>,
}

/// Returns the layout of a struct, by its name in lower case.
pub fn layout(name: &str, versions: &Versions) -> Option<Layout> {
    let at = |guid, from| versions.custom(guid) >= from;
    let always = |letters: &str| (true, letters.to_owned(), None);
    let since = |native, letters: &str| (native, letters.to_owned(), None);
    let or =
        |native, letters: &str, second: &str| (native, letters.to_owned(), Some(second.to_owned()));
    let curve = at(SEQUENCER, 10);
    let complete = at(SEQUENCER, 12);
    let channel = complete || at(FORTNITE_MAIN, 53);
    let key = |value: &str| match complete {
        true => format!("{value}ffffb3bb2"),
        false => format!("{value}bbffbff"),
    };
    let channel_of = |value: &str, default: &str| {
        let show = if at(FORTNITE_MAIN, 53) { "?" } else { "" };
        format!("bb<i><{}>{default}?(ii){show}", key(value))
    };
    let input = |constant: &str| {
        let object = if versions.editor || versions.ue5 >= 1008 { "o" } else { "" };
        let name = if at(FRAMEWORK, 31) { "n" } else { "s" };
        let cooked = if !versions.editor && versions.ue5 < 1008 { "n" } else { "" };
        format!("{object}i{name}iiiii{cooked}{constant}")
    };
    let is_input = at(CORE, 1);
    let node = "bibiiiii";
    let tree = |data: &str| format!("({node})[(iii)][({node})][(iii)][{data}]");
    let sampler = "[f][i]f";
    let name_or_text = if at(FRAMEWORK, 31) { "n" } else { "s" };
    let wrapper = if at(RELEASE, 32) { "?" } else { "" };
    let terminal = format!("{name_or_text}{name_or_text}o??{wrapper}");
    let niagara = at(NIAGARA, 64);
    let (native, letters, second) = match name {
        "animationattributeidentifier" => always("nnip"),
        "clothloddata" | "clothloddatacommon" => {
            always("T[(ffffffffffffhhhhf4)][(ffffffffffffhhhhf4)]")
        }
        "edgraphpintype" => {
            let mut letters = format!("{name_or_text}{name_or_text}o");
            match at(FRAMEWORK, 26) {
                true => letters += &format!("(b=3({terminal}))"),
                false if at(BLUEPRINTS, 6) => letters += &format!("(?!({terminal}))??"),
                false => letters += "?",
            }
            letters += "??";
            if versions.ue4 >= 355 {
                letters += "(ong)";
            }
            if versions.ue4 >= 456 {
                letters += "?";
            }
            letters += wrapper;
            if versions.editor && at(UE5_RELEASE, 36) {
                letters += "?";
            }
            always(&letters)
        }
        "expressioninput" | "materialattributesinput" => since(is_input, &input("")),
        "scalarmaterialinput" => since(is_input, &input("?f")),
        "shadingmodelmaterialinput" | "stratamaterialinput" | "substratematerialinput" => {
            since(is_input, &input("?u"))
        }
        "colormaterialinput" if at(FORTNITE_MAIN, 171) => since(is_input, &input("?ffff")),
        "colormaterialinput" => since(is_input, &input("?c")),
        "vectormaterialinput" => or(is_input, &input("?fff"), &input("?ddd")),
        "vector2materialinput" => or(is_input, &input("?ff"), &input("?dd")),
        "floatrange" => or(false, "bfbf", "ff"),
        "framerate" => since(false, "ii"),
        "fontcharacter" => always("iiiibi"),
        "fontdata" => {
            let face = if versions.ue4 >= 516 { "i" } else { "" };
            since(at(EDITOR, 9), &format!("?!(o~(sbb){face})~(+T)"))
        }
        "keyhandlemap" => always(""),
        "levelsequenceobjectreferencemap" => always("[(ggs)]"),
        "moviescenefloatchannel" => since(channel, &channel_of("f", "f")),
        "moviescenedoublechannel" => since(channel, &channel_of("d", "d")),
        "moviescenefloatvalue" => or(curve, &key("f"), "fffffbbb1"),
        "moviescenedoublevalue" => since(curve, &key("d")),
        "moviescenetangentdata" => or(curve, "ffbff", "ffb3ff"),
        "moviesceneevaltemplateptr"
        | "moviescenetrackimplementationptr"
        | "moviescenesequenceinstancedataptr" => always("s!(T)"),
        "moviesceneevaluationfieldentitytree" => always(&tree("(ii)")),
        "moviescenesubsectionfielddata" | "sectionevaluationdatatree" => always(&tree("T")),
        "moviescenesubsequencetree" => always(&tree("(ub)")),
        "moviescenetrackfielddata" => always(&tree("u")),
        "moviesceneevaluationkey" => always("uuu"),
        "moviesceneeventparameters" => always(match at(RELEASE, 8) {
            true if versions.ue4 < 514 => "sB",
            true => "pB",
            false => "oB",
        }),
        "moviescenesegment" => {
            let range = if at(SEQUENCER, 7) { "bibi" } else { "bfbf" };
            let id = if at(SEQUENCER, 6) { "i?" } else { "" };
            always(&format!("{range}{id}[T]"))
        }
        "moviescenesegmentidentifier" => always("i"),
        "moviescenetimewarpvariant" => {
            always("?!(d)~((b=0(d)=1(o)=2(T)=3(T)=4(T)=5(T)=6(T)=7(T)))")
        }
        "moviescenetrackidentifier" => since(at(EDITOR, 19), "u"),
        "namecurvekey" => always("fn"),
        "stringcurvekey" => always("fs"),
        "niagaradatainterfacegpuparaminfo" => {
            always(if at(NIAGARA, 55) { "ss[(ns[(nn)])]" } else { "ss" })
        }
        "niagaravariable" => since(niagara, "nTB"),
        "niagaravariablebase" => since(niagara, "nT"),
        "niagaravariablewithoffset" => since(niagara, "nTi"),
        "perplatformbool" => always("??~(+[(n?)])"),
        "perplatformfloat" => always("?f~(+[(nf)])"),
        "perplatformint" => always("?i~(+[(ni)])"),
        "perplatformframerate" => always("?ii~(+[(nii)])"),
        "perqualitylevelfloat" => always("?f[(if)]"),
        "perqualitylevelint" => always("?i[(ii)]"),
        "rawanimsequencetrack" => always("<fff><ffff><fff>"),
        "skeletalmeshareaweightedtrianglesampler"
        | "weightedrandomsampler"
        | "skeletalmeshsamplinglodbuiltdata" => always(sampler),
        "skeletalmeshsamplingregionbuiltdata" => {
            let vertices = if at(NIAGARA_OBJECT, 1) { "[i]" } else { "" };
            always(&format!("[i][i]{sampler}{vertices}"))
        }
        "smartname" => {
            let number = if at(ANIM_PHYS, 5) { "" } else { "h" };
            let guid = if versions.editor && !at(ANIM_PHYS, 10) { "g" } else { "" };
            always(&format!("n{number}{guid}"))
        }
        "spline" => always("b"),
        "uniquenetidrepl" => or(true, "i!(ns)", "i!(s)"),
        "vector_netquantize"
        | "vector_netquantize10"
        | "vector_netquantize100"
        | "vector_netquantizenormal" => since(false, "RRR"),
        _ => return None,
    };
    Some(Layout { native, letters, second })
}

/// The names of some structs of this module, for tests that generate files.
pub const NAMES: [&str; 31] = [
    "ClothLODData",
    "EdGraphPinType",
    "ExpressionInput",
    "ScalarMaterialInput",
    "VectorMaterialInput",
    "ColorMaterialInput",
    "FloatRange",
    "FrameRate",
    "FontCharacter",
    "FontData",
    "KeyHandleMap",
    "LevelSequenceObjectReferenceMap",
    "MovieSceneFloatChannel",
    "MovieSceneDoubleChannel",
    "MovieSceneFloatValue",
    "MovieSceneTangentData",
    "MovieSceneEvalTemplatePtr",
    "MovieSceneSubSequenceTree",
    "MovieSceneEvaluationKey",
    "MovieSceneEventParameters",
    "MovieSceneSegment",
    "MovieSceneTimeWarpVariant",
    "MovieSceneTrackIdentifier",
    "NiagaraVariable",
    "NiagaraDataInterfaceGPUParamInfo",
    "PerPlatformFloat",
    "PerQualityLevelInt",
    "RawAnimSequenceTrack",
    "SmartName",
    "UniqueNetIdRepl",
    "Vector_NetQuantize",
];

/// Returns the letters of the group or array that begins at `at`, and the place after it.
pub fn enclosed(letters: &[u8], at: usize) -> (&[u8], usize) {
    let mut depth = 0;
    for (index, letter) in letters.iter().enumerate().skip(at) {
        match letter {
            b'(' | b'[' | b'<' => depth += 1,
            b')' | b']' | b'>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (&letters[at + 1..index], index + 1);
        }
    }
    panic!("brackets")
}

/// Reads fields. The result is one list, to which the fields of groups are added without nesting.
pub fn fields(inside: &Inside<'_>, letters: &[u8], from: &mut Cursor<'_>) -> Out<Vec<Node>> {
    let (mut nodes, mut at, mut first) = (Vec::new(), 0, None);
    while let Some(letter) = letters.get(at) {
        at += 1;
        let wanted = match letter {
            b'!' => Some(first != Some(0)),
            b'~' => Some(first == Some(0)),
            b'=' => {
                at += 1;
                Some(first == Some(i128::from(letters[at - 1] - b'0')))
            }
            b'+' => {
                let more =
                    if inside.element { inside.context.versions.editor } else { from.left() > 0 };
                if !more {
                    return Ok(nodes);
                }
                continue;
            }
            _ => None,
        };
        if let Some(wanted) = wanted {
            let (group, end) = enclosed(letters, at);
            at = end;
            if wanted {
                nodes.extend(fields(inside, group, from)?);
            }
            continue;
        }
        match letter {
            b'(' => {
                let (group, end) = enclosed(letters, at - 1);
                at = end;
                nodes.extend(fields(inside, group, from)?);
            }
            b'[' | b'<' => {
                let (of, end) = enclosed(letters, at - 1);
                at = end;
                let stated = if *letter == b'<' { Some(from.u32()?) } else { None };
                nodes.push(array(inside, of, stated, from)?);
            }
            letter => nodes.extend(one(inside, *letter, from)?),
        }
        if first.is_none() {
            first = Some(match nodes.first() {
                Some(Node::Number(number)) => *number,
                Some(Node::Truth(truth)) => i128::from(*truth),
                Some(Node::Text(_, units)) => i128::from(!units.is_empty()),
                _ => 0,
            });
        }
    }
    Ok(nodes)
}

fn array(inside: &Inside<'_>, of: &[u8], stated: Option<u32>, from: &mut Cursor<'_>) -> Out<Node> {
    let count = from.count(1)?;
    let room = inside.room.checked_sub(1).ok_or(Bad)?;
    let inside = &Inside { element: true, room, ..*inside };
    let mut nodes = Vec::new();
    let start = from.at;
    for _ in 0..count {
        nodes.extend(fields(inside, of, from)?);
    }
    match stated {
        Some(stated) if count > 0 && stated as usize * count != from.at - start => Err(Bad),
        _ => Ok(Node::List(nodes)),
    }
}

fn one(inside: &Inside<'_>, letter: u8, from: &mut Cursor<'_>) -> Out<Vec<Node>> {
    let context = inside.context;
    let node = match letter {
        b'R' if context.versions.ue5 >= 1004 => from.double(),
        b'R' | b'f' => from.single(),
        b'd' => from.double(),
        b'i' => from.number(),
        b'l' => from.wide_number(),
        b'u' => from.unsigned(),
        b'q' => from.u64().map(Node::number),
        b'b' => from.u8().map(Node::number),
        b'h' => from.u16().map(Node::number),
        b'?' => from.truth(),
        b'g' => from.id(),
        b's' => from.string(),
        b'n' => context.name_node(from),
        b'o' => context.object(from),
        b'p' => soft(context, from),
        b'T' => {
            let room = inside.room.checked_sub(1).ok_or(Bad)?;
            let list = list(context, from, room);
            if !list.whole || !list.likely {
                return Err(Bad);
            }
            Ok(Node::form("struct", list.node()))
        }
        b'B' => {
            let count = from.count(1)?;
            Ok(Node::Bytes(from.bytes(count)?.to_vec()))
        }
        b'1'..=b'9' => {
            from.bytes(usize::from(letter - b'0')).map(|bytes| Node::Bytes(bytes.to_vec()))
        }
        // A color is one number of 32 bits, with blue in the lowest byte. Its fields are in the
        // order red, green, blue, alpha.
        b'c' => {
            let [b, g, r, a] = from.u32()?.to_le_bytes();
            return Ok([r, g, b, a].map(Node::number).to_vec());
        }
        other => panic!("letter {other}"),
    };
    node.map(|node| vec![node])
}
