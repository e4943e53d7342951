//! Converts saves.

use super::super::oracle::{Fields, Node};
use super::properties::list as properties;
use super::records::{engine, guid, list, text};
use gamewire::unreal::Save;

pub fn save(save: &Save<'_>) -> Node {
    let mut fields = Fields::default();
    let (versions, header, class) = (save.versions(), save.header(), save.class());
    fields.put("save_game_version", Node::number(versions.save_game_version));
    fields.put("ue4_version", Node::number(versions.ue4_version));
    fields.put_some("ue5_version", versions.ue5_version.map(Node::number));
    fields.put("engine", engine(&header.engine));
    if let Some(format) = header.custom_version_format {
        fields.put("custom_version_format", Node::number(format));
        let customs = list(&save.custom_versions(), |custom| {
            let mut fields = Fields::default();
            fields.put("guid", guid(custom.guid));
            fields.put("version", Node::number(custom.version));
            fields.put_some("name", custom.name.map(text));
            fields.done()
        });
        fields.put("custom_versions", customs);
    }
    fields.put("class", text(class.save_game_class));
    fields.put_some("control", class.serialization_control.map(Node::number));
    fields.put("offset", Node::number(save.properties().offset()));
    fields.put("properties", properties(save.properties()));
    match save.trailer() {
        Ok((end, trailer)) => {
            fields.put("end", Node::number(end));
            fields.put("trailer", Node::Bytes(trailer.to_vec()));
        }
        Err(_) => fields.put("end", Node::word("bad")),
    }
    fields.done()
}
