//! Tables of mappings.
use gamewire::unreal::Mappings;
#[test]
fn dump_tables() {
    let bytes = std::fs::read("corpus/unreal-mappings/tiny.v4.usmap").unwrap();
    let m = Mappings::open(&bytes).unwrap();
    for s in m.structs() {
        println!("{s:?} {:?} slots {}", s.parent(), s.slots());
        for p in s.properties() {
            println!("  {} {} {p:?}", p.slot(), p.elements());
        }
    }
}
