use gamewire::unreal::{Package, PropertyValue, PropertyVisitor, Save, Versions};
struct V(u64);
impl<'p> PropertyVisitor<'p> for V {
    fn value(&mut self, v: &PropertyValue<'p>) {
        self.0 += matches!(v, PropertyValue::Int(_)) as u64 + 1;
    }
}
fn main() {
    let dir = "/work/wt/uM/corpus/unreal/";
    let mut n = V(0);
    for (name, ex) in [
        ("ue5.6-SimpleRefsRoot.uasset", None),
        ("ue4.27-TestActorBP.uasset", None),
        (
            "ue5.8-cooked-tagged-DA_AllProperties.uasset",
            Some("ue5.8-cooked-tagged-DA_AllProperties.uexp"),
        ),
    ] {
        let f = std::fs::read(format!("{dir}{name}")).unwrap();
        let e = ex.map(|e| std::fs::read(format!("{dir}{e}")).unwrap());
        for _ in 0..100 {
            let p = Package::open_as(&f, e.as_deref(), Versions::of_engine(5, 8)).unwrap();
            for x in p.exports().flatten() {
                if let Ok(Some(o)) = p.properties(&x) {
                    let _ = o.iter().visit(&mut n);
                    n.0 += o.iter().count() as u64;
                    n.0 += o.iter().get("zzz").is_some() as u64;
                }
            }
        }
    }
    for name in ["gvas-ue4.27-Slot1.sav", "gvas-ue4.23-regression_01.sav"] {
        let f = std::fs::read(format!("{dir}{name}")).unwrap();
        for _ in 0..100 {
            let s = Save::open(&f).unwrap();
            let _ = s.properties().visit(&mut n);
            n.0 += s.properties().count() as u64;
        }
    }
    println!("{}", n.0);
}
