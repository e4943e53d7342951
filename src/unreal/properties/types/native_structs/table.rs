//! The table of structs with native serialization.

use super::condition::Condition::{self, Always, Before, EditorData, Never, NoEditorData, Since};
use super::condition::Condition::{All, Any, Is, More, Set, Unset};
use super::condition::Counter::{
    AnimPhys, Blueprints, Core, Editor, FortniteMain, Framework, Niagara, NiagaraObject, Release,
    Sequencer, Ue4, Ue5, Ue5Release,
};
use super::form::NativeForm::{self, Fields, Instanced, Names, Scalar, SoftPath};
use super::form::NativePart::{
    self, Array, Bool, Bulk, Byte, Bytes, Channel, Double, Float, Group, Int, Int64, Name, Object,
    OfPath, Padding, Properties, Real, Short, Soft, Text, UInt, UInt64,
};
use super::form::{NativeField, NativeStruct, has_lists};
use crate::unreal::format::custom_versions::{
    anim_phys, blueprints, core_object, editor, fortnite_main, framework, niagara, niagara_object,
    release, sequencer, ue5_release,
};
use crate::unreal::format::{ue4, ue5};

const fn field(name: &'static str, part: NativePart, when: Condition) -> NativeField {
    NativeField { name, part, when }
}

const fn row(name: &'static str, form: NativeForm) -> NativeStruct {
    let has_lists = matches!(form, Fields(fields) if has_lists(fields));
    NativeStruct { name, form, when: Always, other: None, has_lists }
}

impl NativeStruct {
    /// Sets the versions in which the struct is native.
    const fn when(self, when: Condition) -> Self {
        Self { when, ..self }
    }

    /// Sets another native form, which is tried after the usual encoding has failed.
    const fn or(self, other: &'static Self) -> Self {
        Self { other: Some(other), ..self }
    }
}

/// Makes a list of fields from their names and types. A condition can follow the type.
macro_rules! fields {
    ($($name:ident: $part:expr $(, if $when:expr)?;)*) => {
        &[$( field(stringify!($name), $part, fields!(@ $($when)?)) ),*]
    };
    (@) => { Always };
    (@ $when:expr) => { $when };
}

type List = &'static [NativeField];

const REAL2: List = fields![x: Real; y: Real;];
const REAL3: List = fields![x: Real; y: Real; z: Real;];
const REAL4: List = fields![x: Real; y: Real; z: Real; w: Real;];
const FLOAT2: List = fields![x: Float; y: Float;];
const FLOAT3: List = fields![x: Float; y: Float; z: Float;];
const FLOAT4: List = fields![x: Float; y: Float; z: Float; w: Float;];
const DOUBLE3: List = fields![x: Double; y: Double; z: Double;];
const DOUBLE4: List = fields![x: Double; y: Double; z: Double; w: Double;];
const INT2: List = fields![x: Int; y: Int;];
const INT3: List = fields![x: Int; y: Int; z: Int;];
const INT4: List = fields![x: Int; y: Int; z: Int; w: Int;];
const UINT2: List = fields![x: UInt; y: UInt;];
const UINT3: List = fields![x: UInt; y: UInt; z: UInt;];
const UINT4: List = fields![x: UInt; y: UInt; z: UInt; w: UInt;];
const LONG2: List = fields![x: Int64; y: Int64;];
const LONG3: List = fields![x: Int64; y: Int64; z: Int64;];
const LONG4: List = fields![x: Int64; y: Int64; z: Int64; w: Int64;];
const ULONG2: List = fields![x: UInt64; y: UInt64;];
const ULONG3: List = fields![x: UInt64; y: UInt64; z: UInt64;];
const ULONG4: List = fields![x: UInt64; y: UInt64; z: UInt64; w: UInt64;];
const COLOR: List = fields![r: Channel(16); g: Channel(8); b: Channel(0); a: Channel(24);];
const LINEAR_COLOR: List = fields![r: Float; g: Float; b: Float; a: Float;];

/// One end of a range: a kind (exclusive, inclusive or open) and a number.
const INT_BOUND: List = fields![kind: Byte; frame: Int;];
const FLOAT_BOUND: List = fields![kind: Byte; value: Float;];
const INT_RANGE: List = fields![lower: Group(INT_BOUND); upper: Group(INT_BOUND);];
const FLOAT_RANGE: List = fields![lower: Group(FLOAT_BOUND); upper: Group(FLOAT_BOUND);];
const FRAME_RATE: List = fields![numerator: Int; denominator: Int;];

/// A value that can differ between platforms. Cooked files have only the value for their own
/// platform.
macro_rules! per_platform {
    ($value:expr) => {
        Fields(fields![
            cooked: Bool;
            value: $value;
            platforms: Array(&Group(fields![platform: Name; value: $value;])),
                if All(&[Unset, More]);
        ])
    };
}

macro_rules! per_quality_level {
    ($value:expr) => {
        Fields(fields![
            cooked: Bool;
            value: $value;
            levels: Array(&Group(fields![quality: Int; value: $value;]));
        ])
    };
}

const SINCE_CHANNEL: Condition = Since(Sequencer, sequencer::SERIALIZE_FLOAT_CHANNEL_COMPLETELY);
const BEFORE_CHANNEL: Condition = Before(Sequencer, sequencer::SERIALIZE_FLOAT_CHANNEL_COMPLETELY);

/// A key of a curve. Newer versions store it as it is in memory, with padding.
macro_rules! curve_value {
    ($value:expr) => {
        fields![
            value: $value;
            interp_mode: Byte, if BEFORE_CHANNEL;
            tangent_mode: Byte, if BEFORE_CHANNEL;
            arrive_tangent: Float;
            leave_tangent: Float;
            tangent_weight_mode: Byte, if BEFORE_CHANNEL;
            arrive_tangent_weight: Float;
            leave_tangent_weight: Float;
            tangent_weight_mode: Byte, if SINCE_CHANNEL;
            padding: Padding(3), if SINCE_CHANNEL;
            interp_mode: Byte, if SINCE_CHANNEL;
            tangent_mode: Byte, if SINCE_CHANNEL;
            end_padding: Padding(2), if SINCE_CHANNEL;
        ]
    };
}

const FLOAT_VALUE: List = curve_value!(Float);
const DOUBLE_VALUE: List = curve_value!(Double);

/// Another form of a key of a curve, for keys outside of a channel.
const SHORT_FLOAT_VALUE: NativeStruct = row(
    "MovieSceneFloatValue",
    Fields(fields![
        value: Float;
        arrive_tangent: Float;
        leave_tangent: Float;
        arrive_tangent_weight: Float;
        leave_tangent_weight: Float;
        tangent_weight_mode: Byte;
        interp_mode: Byte;
        tangent_mode: Byte;
        padding: Padding(1);
    ]),
);

macro_rules! channel {
    ($value:expr, $default:expr) => {
        Fields(fields![
            pre_extrapolation: Byte;
            post_extrapolation: Byte;
            times: Bulk(&Int);
            values: Bulk(&Group($value));
            default: $default;
            has_default: Bool;
            tick_resolution: Group(FRAME_RATE);
            show_curve: Bool, if Since(FortniteMain, fortnite_main::SERIALIZE_FLOAT_CHANNEL_SHOW_CURVE);
        ])
    };
}

const CHANNEL: Condition =
    Any(&[SINCE_CHANNEL, Since(FortniteMain, fortnite_main::SERIALIZE_FLOAT_CHANNEL_SHOW_CURVE)]);

const TANGENT: List = fields![
    arrive_tangent: Float;
    leave_tangent: Float;
    tangent_weight_mode: Byte;
    arrive_tangent_weight: Float;
    leave_tangent_weight: Float;
];

const PADDED_TANGENT: NativeStruct = row(
    "MovieSceneTangentData",
    Fields(fields![
        arrive_tangent: Float;
        leave_tangent: Float;
        tangent_weight_mode: Byte;
        padding: Padding(3);
        arrive_tangent_weight: Float;
        leave_tangent_weight: Float;
    ]),
);

/// A node of an evaluation tree: a range, its parent, and where its children and data are.
const NODE: List = fields![
    range: Group(INT_RANGE);
    parent_children: Int;
    parent_index: Int;
    children: Int;
    data: Int;
];
const ENTRY: NativePart = Group(fields![start: Int; size: Int; capacity: Int;]);

/// An evaluation tree (`TMovieSceneEvaluationTree`) with data of one type.
macro_rules! tree {
    ($data:expr) => {
        Fields(fields![
            root: Group(NODE);
            child_entries: Array(&ENTRY);
            children: Array(&Group(NODE));
            data_entries: Array(&ENTRY);
            data: Array(&$data);
        ])
    };
}

/// A struct whose type is stored with it: the path of the type, then properties. The path is empty
/// if there is no struct.
const POINTER: NativeForm = Fields(fields![of: Text; value: OfPath, if Set;]);

const SAMPLER: List = fields![probabilities: Array(&Float); aliases: Array(&Int); total: Float;];

/// An input of a material.
macro_rules! material_input {
    ($($name:ident: $part:expr $(, if $when:expr)?;)*) => {
        Fields(fields![
            expression: Object, if Any(&[EditorData, Since(Ue5, ue5::ADD_SOFTOBJECTPATH_LIST)]);
            output: Int;
            input_name: Text, if Before(Framework, framework::PINS_STORE_FNAME);
            input_name: Name, if Since(Framework, framework::PINS_STORE_FNAME);
            mask: Int;
            mask_r: Int;
            mask_g: Int;
            mask_b: Int;
            mask_a: Int;
            expression_name: Name,
                if All(&[NoEditorData, Before(Ue5, ue5::ADD_SOFTOBJECTPATH_LIST)]);
            $($name: $part $(, if $when)?;)*
        ])
    };
}

const NATIVE_INPUT: Condition = Since(Core, core_object::MATERIAL_INPUT_NATIVE_SERIALIZE);

/// Inputs with a constant of doubles. Sources differ on whether engine 5 writes such inputs.
const WIDE_VECTOR_INPUT: NativeStruct =
    row("VectorMaterialInput", material_input![use_constant: Bool; constant: Group(DOUBLE3);]);
const WIDE_VECTOR2_INPUT: NativeStruct = row(
    "Vector2MaterialInput",
    material_input![use_constant: Bool; constant: Group(fields![x: Double; y: Double;]);],
);

const SINCE_NAMES: Condition = Since(Framework, framework::PINS_STORE_FNAME);
const BEFORE_NAMES: Condition = Before(Framework, framework::PINS_STORE_FNAME);
const SINCE_CONTAINER: Condition = Since(Framework, framework::PIN_CONTAINER_TYPE);
const BEFORE_CONTAINER: Condition = Before(Framework, framework::PIN_CONTAINER_TYPE);
const ADVANCED_CONTAINERS: Condition =
    All(&[BEFORE_CONTAINER, Since(Blueprints, blueprints::ADVANCED_CONTAINER_SUPPORT)]);
const WRAPPER_FLAG: Condition = Since(Release, release::PIN_TYPE_INCLUDES_UOBJECT_WRAPPER_FLAG);

/// The type of a map's values, for a pin that is a map.
const TERMINAL: List = fields![
    category: Text, if BEFORE_NAMES;
    category: Name, if SINCE_NAMES;
    sub_category: Text, if BEFORE_NAMES;
    sub_category: Name, if SINCE_NAMES;
    sub_category_object: Object;
    is_const: Bool;
    is_weak: Bool;
    is_wrapper: Bool, if WRAPPER_FLAG;
];

/// The kind of container (`EPinContainerType`) that stands for a map.
const MAP: i64 = 3;

const PIN_TYPE: List = fields![
    category: Text, if BEFORE_NAMES;
    category: Name, if SINCE_NAMES;
    sub_category: Text, if BEFORE_NAMES;
    sub_category: Name, if SINCE_NAMES;
    sub_category_object: Object;
    container: Group(fields![kind: Byte; values: Group(TERMINAL), if Is(MAP);]), if SINCE_CONTAINER;
    map: Group(fields![is_map: Bool; values: Group(TERMINAL), if Set;]), if ADVANCED_CONTAINERS;
    is_set: Bool, if ADVANCED_CONTAINERS;
    is_array: Bool, if BEFORE_CONTAINER;
    is_reference: Bool;
    is_weak: Bool;
    member: Group(fields![parent: Object; name: Name; guid: NativePart::Guid;]),
        if Since(Ue4, ue4::MEMBERREFERENCE_IN_PINTYPE);
    is_const: Bool, if Since(Ue4, ue4::SERIALIZE_PINTYPE_CONST);
    is_wrapper: Bool, if WRAPPER_FLAG;
    is_single_precision: Bool,
        if All(&[EditorData, Since(Ue5Release, ue5_release::SERIALIZE_FLOAT_PIN_SUBCATEGORY)]);
];

/// A variable of a Niagara system. Its type is stored as a list of properties.
macro_rules! niagara_variable {
    ($($name:ident: $part:expr;)*) => {
        Fields(fields![name: Name; of: Properties("NiagaraTypeDefinition"); $($name: $part;)*])
    };
}

/// How a vertex of a mesh follows a triangle of another mesh (`FMeshToMeshVertData`). Below engine
/// 5.0, the weight has no meaning.
const MESH_TO_MESH: List = fields![
    position: Group(FLOAT4);
    normal: Group(FLOAT4);
    tangent: Group(FLOAT4);
    vertex0: Short;
    vertex1: Short;
    vertex2: Short;
    mode: Short;
    weight: Float;
    padding: Padding(4);
];

/// A level of detail of a cloth: its properties, and arrays that are not properties.
macro_rules! cloth {
    ($name:literal) => {
        Fields(fields![
            value: Properties($name);
            transition_up: Array(&Group(MESH_TO_MESH));
            transition_down: Array(&Group(MESH_TO_MESH));
        ])
    };
}

const NIAGARA: Condition = Since(Niagara, niagara::VARIABLES_USE_TYPE_DEF_REGISTRY);

const NIAGARA_FUNCTION: List = fields![
    definition: Name;
    instance: Text;
    specifiers: Array(&Group(fields![key: Name; value: Name;]));
];

const RAW_FLOAT_RANGE: NativeStruct = row("FloatRange", Fields(fields![min: Float; max: Float;]));

/// An identifier of older engines, without the name of its type. Engine 4.17 wrote it.
const OLD_NET_ID: NativeStruct =
    row("UniqueNetIdRepl", Fields(fields![size: Int; id: Text, if Set;]));

/// All structs with native serialization, in alphabetical order.
pub(crate) const NATIVES: &[NativeStruct] = &[
    row("AnimationAttributeIdentifier", Fields(fields![name: Name; bone: Name; bone_index: Int; of: Soft;])),
    row("Box", Fields(fields![min: Group(REAL3); max: Group(REAL3); valid: Byte;])),
    row("Box2D", Fields(fields![min: Group(REAL2); max: Group(REAL2); valid: Byte;])),
    row("Box2f", Fields(fields![min: Group(FLOAT2); max: Group(FLOAT2); valid: Byte;])),
    row("Box3d", Fields(fields![min: Group(DOUBLE3); max: Group(DOUBLE3); valid: Byte;])),
    row("Box3f", Fields(fields![min: Group(FLOAT3); max: Group(FLOAT3); valid: Byte;])),
    row("ClothLODData", cloth!("ClothLODData")),
    row("ClothLODDataCommon", cloth!("ClothLODDataCommon")),
    row("Color", Fields(COLOR)),
    row("ColorMaterialInput", material_input![use_constant: Bool; constant: Group(COLOR), if Before(FortniteMain, fortnite_main::MATERIAL_INPUT_USES_LINEAR_COLOR); constant: Group(LINEAR_COLOR), if Since(FortniteMain, fortnite_main::MATERIAL_INPUT_USES_LINEAR_COLOR);]).when(NATIVE_INPUT),
    row("DateTime", Scalar(Int64)),
    row("DeprecateSlateVector2D", Fields(FLOAT2)),
    row("EdGraphPinType", Fields(PIN_TYPE)),
    row("ExpressionInput", material_input![]).when(NATIVE_INPUT),
    row("FloatRange", Fields(FLOAT_RANGE)).when(Never).or(&RAW_FLOAT_RANGE),
    row("FontCharacter", Fields(fields![u: Int; v: Int; u_size: Int; v_size: Int; texture: Byte; vertical_offset: Int;])),
    row("FontData", Fields(fields![cooked: Bool; font: Group(fields![face: Object; file: Text, if Unset; hinting: Byte, if Unset; loading_policy: Byte, if Unset; sub_face: Int, if Since(Ue4, ue4::ADDED_PACKAGE_SUMMARY_LOCALIZATION_ID);]), if Set; value: Properties(""), if All(&[Unset, More]);])).when(Since(Editor, editor::ADDED_FONT_FACE_ASSETS)),
    row("FrameNumber", Scalar(Int)),
    row("FrameRate", Fields(FRAME_RATE)).when(Never),
    row("GameplayTagContainer", Names),
    row("Guid", Scalar(NativePart::Guid)),
    row("InstancedStruct", Instanced),
    row("Int32Point", Fields(INT2)),
    row("Int32Vector", Fields(INT3)),
    row("Int32Vector2", Fields(INT2)),
    row("Int32Vector4", Fields(INT4)),
    row("Int64Point", Fields(LONG2)),
    row("Int64Vector", Fields(LONG3)),
    row("Int64Vector2", Fields(LONG2)),
    row("Int64Vector4", Fields(LONG4)),
    row("IntPoint", Fields(INT2)),
    row("IntVector", Fields(INT3)),
    row("IntVector2", Fields(INT2)),
    row("IntVector4", Fields(INT4)),
    row("KeyHandleMap", Fields(&[])),
    row("LevelSequenceObjectReferenceMap", Fields(fields![objects: Array(&Group(fields![key: NativePart::Guid; object: NativePart::Guid; path: Text;]));])),
    row("LinearColor", Fields(LINEAR_COLOR)),
    row("MaterialAttributesInput", material_input![]).when(NATIVE_INPUT),
    row("Matrix", Fields(fields![x: Group(REAL4); y: Group(REAL4); z: Group(REAL4); w: Group(REAL4);])),
    row("Matrix44d", Fields(fields![x: Group(DOUBLE4); y: Group(DOUBLE4); z: Group(DOUBLE4); w: Group(DOUBLE4);])),
    row("Matrix44f", Fields(fields![x: Group(FLOAT4); y: Group(FLOAT4); z: Group(FLOAT4); w: Group(FLOAT4);])),
    row("MovieSceneDoubleChannel", channel!(DOUBLE_VALUE, Double)).when(CHANNEL),
    row("MovieSceneDoubleValue", Fields(DOUBLE_VALUE)).when(Since(Sequencer, sequencer::SERIALIZE_FLOAT_CHANNEL)),
    row("MovieSceneEvalTemplatePtr", POINTER),
    row("MovieSceneEvaluationFieldEntityTree", tree!(Group(fields![entity: Int; metadata: Int;]))),
    row("MovieSceneEvaluationKey", Fields(fields![sequence: UInt; track: UInt; section: UInt;])),
    row("MovieSceneEventParameters", Fields(fields![of: Object, if Before(Release, release::EVENT_PARAMETERS_SOFT_PATH); of: Text, if All(&[Since(Release, release::EVENT_PARAMETERS_SOFT_PATH), Before(Ue4, ue4::ADDED_SOFT_OBJECT_PATH)]); of: Soft, if All(&[Since(Release, release::EVENT_PARAMETERS_SOFT_PATH), Since(Ue4, ue4::ADDED_SOFT_OBJECT_PATH)]); data: Bytes;])),
    row("MovieSceneFloatChannel", channel!(FLOAT_VALUE, Float)).when(CHANNEL),
    row("MovieSceneFloatValue", Fields(FLOAT_VALUE)).when(Since(Sequencer, sequencer::SERIALIZE_FLOAT_CHANNEL)).or(&SHORT_FLOAT_VALUE),
    row("MovieSceneFrameRange", Fields(INT_RANGE)),
    row("MovieSceneSegment", Fields(fields![float_range: Group(FLOAT_RANGE), if Before(Sequencer, sequencer::FLOAT_TO_INT_CONVERSION); range: Group(INT_RANGE), if Since(Sequencer, sequencer::FLOAT_TO_INT_CONVERSION); id: Int, if Since(Sequencer, sequencer::EVALUATION_TREE); allow_empty: Bool, if Since(Sequencer, sequencer::EVALUATION_TREE); sections: Array(&Properties("SectionEvaluationData"));])),
    row("MovieSceneSegmentIdentifier", Scalar(Int)),
    row("MovieSceneSequenceID", Scalar(UInt)),
    row("MovieSceneSequenceInstanceDataPtr", POINTER),
    row("MovieSceneSubSectionFieldData", tree!(Properties("MovieSceneSubSectionData"))),
    row("MovieSceneSubSequenceTree", tree!(Group(fields![sequence: UInt; flags: Byte;]))),
    row("MovieSceneTangentData", Fields(TANGENT)).when(Since(Sequencer, sequencer::SERIALIZE_FLOAT_CHANNEL)).or(&PADDED_TANGENT),
    row("MovieSceneTimeWarpVariant", Fields(fields![is_literal: Bool; rate: Double, if Set; warp: Group(fields![kind: Byte; rate: Double, if Is(0); custom: Object, if Is(1); value: Properties(""), if Any(&[Is(2), Is(3), Is(4), Is(5), Is(6), Is(7)]);]), if Unset;])),
    row("MovieSceneTrackFieldData", tree!(UInt)),
    row("MovieSceneTrackIdentifier", Scalar(UInt)).when(Since(Editor, editor::MOVIE_SCENE_META_DATA)),
    row("MovieSceneTrackImplementationPtr", POINTER),
    row("NameCurveKey", Fields(fields![time: Float; value: Name;])),
    row("NavAgentSelector", Scalar(UInt)),
    row("NiagaraDataInterfaceGPUParamInfo", Fields(fields![symbol: Text; class: Text; functions: Array(&Group(NIAGARA_FUNCTION)), if Since(Niagara, niagara::SERIALIZE_GENERATED_FUNCTIONS);])),
    row("NiagaraVariable", niagara_variable![data: Bytes;]).when(NIAGARA),
    row("NiagaraVariableBase", niagara_variable![]).when(NIAGARA),
    row("NiagaraVariableWithOffset", niagara_variable![offset: Int;]).when(NIAGARA),
    row("PerPlatformBool", per_platform!(Bool)),
    row("PerPlatformFloat", per_platform!(Float)),
    row("PerPlatformFrameRate", per_platform!(Group(FRAME_RATE))),
    row("PerPlatformInt", per_platform!(Int)),
    row("PerQualityLevelFloat", per_quality_level!(Float)),
    row("PerQualityLevelInt", per_quality_level!(Int)),
    row("Plane", Fields(REAL4)),
    row("Plane4d", Fields(DOUBLE4)),
    row("Plane4f", Fields(FLOAT4)),
    row("Quat", Fields(REAL4)),
    row("Quat4d", Fields(DOUBLE4)),
    row("Quat4f", Fields(FLOAT4)),
    row("RawAnimSequenceTrack", Fields(fields![positions: Bulk(&Group(FLOAT3)); rotations: Bulk(&Group(FLOAT4)); scales: Bulk(&Group(FLOAT3));])),
    row("RichCurveKey", Fields(fields![interp_mode: Byte; tangent_mode: Byte; tangent_weight_mode: Byte; time: Float; value: Float; arrive_tangent: Float; arrive_tangent_weight: Float; leave_tangent: Float; leave_tangent_weight: Float;])).when(Since(Ue4, ue4::SERIALIZE_RICH_CURVE_KEY)),
    row("Rotator", Fields(fields![pitch: Real; yaw: Real; roll: Real;])),
    row("Rotator3d", Fields(fields![pitch: Double; yaw: Double; roll: Double;])),
    row("Rotator3f", Fields(fields![pitch: Float; yaw: Float; roll: Float;])),
    row("ScalarMaterialInput", material_input![use_constant: Bool; constant: Float;]).when(NATIVE_INPUT),
    row("SectionEvaluationDataTree", tree!(Properties("SectionEvaluationData"))),
    row("ShadingModelMaterialInput", material_input![use_constant: Bool; constant: UInt;]).when(NATIVE_INPUT),
    row("SimpleCurveKey", Fields(fields![time: Float; value: Float;])),
    row("SkeletalMeshAreaWeightedTriangleSampler", Fields(SAMPLER)),
    row("SkeletalMeshSamplingLODBuiltData", Fields(SAMPLER)),
    row("SkeletalMeshSamplingRegionBuiltData", Fields(fields![triangles: Array(&Int); bones: Array(&Int); sampler: Group(SAMPLER); vertices: Array(&Int), if Since(NiagaraObject, niagara_object::SKELETAL_MESH_VERTEX_SAMPLING);])),
    row("SmartName", Fields(fields![name: Name; uid: Short, if Before(AnimPhys, anim_phys::REMOVE_UID_FROM_SMART_NAME_SERIALIZE); guid: NativePart::Guid, if All(&[EditorData, Before(AnimPhys, anim_phys::SMART_NAME_REFACTOR_FOR_DETERMINISTIC_COOKING)]);])),
    row("SoftClassPath", SoftPath),
    row("SoftObjectPath", SoftPath),
    row("Sphere", Fields(fields![center: Group(REAL3); radius: Real;])),
    row("Sphere3d", Fields(fields![center: Group(DOUBLE3); radius: Double;])),
    row("Sphere3f", Fields(fields![center: Group(FLOAT3); radius: Float;])),
    row("Spline", Fields(fields![implementation: Byte;])),
    row("StrataMaterialInput", material_input![use_constant: Bool; constant: UInt;]).when(NATIVE_INPUT),
    row("StringAssetReference", SoftPath),
    row("StringClassReference", SoftPath),
    row("StringCurveKey", Fields(fields![time: Float; value: Text;])),
    row("SubstrateMaterialInput", material_input![use_constant: Bool; constant: UInt;]).when(NATIVE_INPUT),
    row("Timespan", Scalar(Int64)),
    row("TwoVectors", Fields(fields![v1: Group(REAL3); v2: Group(REAL3);])),
    row("Uint32Point", Fields(UINT2)),
    row("Uint32Vector", Fields(UINT3)),
    row("Uint32Vector2", Fields(UINT2)),
    row("Uint32Vector4", Fields(UINT4)),
    row("Uint64Point", Fields(ULONG2)),
    row("Uint64Vector", Fields(ULONG3)),
    row("Uint64Vector2", Fields(ULONG2)),
    row("Uint64Vector4", Fields(ULONG4)),
    row("UintPoint", Fields(UINT2)),
    row("UintVector", Fields(UINT3)),
    row("UintVector2", Fields(UINT2)),
    row("UintVector4", Fields(UINT4)),
    row("UniqueNetIdRepl", Fields(fields![size: Int; of: Name, if Set; id: Text, if Set;])).or(&OLD_NET_ID),
    row("Vector", Fields(REAL3)),
    row("Vector2D", Fields(REAL2)),
    row("Vector2MaterialInput", material_input![use_constant: Bool; constant: Group(FLOAT2);]).when(NATIVE_INPUT).or(&WIDE_VECTOR2_INPUT),
    row("Vector2f", Fields(FLOAT2)),
    row("Vector3d", Fields(DOUBLE3)),
    row("Vector3f", Fields(FLOAT3)),
    row("Vector4", Fields(REAL4)),
    row("Vector4d", Fields(DOUBLE4)),
    row("Vector4f", Fields(FLOAT4)),
    row("VectorMaterialInput", material_input![use_constant: Bool; constant: Group(FLOAT3);]).when(NATIVE_INPUT).or(&WIDE_VECTOR_INPUT),
    row("Vector_NetQuantize", Fields(REAL3)).when(Never),
    row("Vector_NetQuantize10", Fields(REAL3)).when(Never),
    row("Vector_NetQuantize100", Fields(REAL3)).when(Never),
    row("Vector_NetQuantizeNormal", Fields(REAL3)).when(Never),
    row("WeightedRandomSampler", Fields(SAMPLER)),
];
