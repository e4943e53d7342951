//! Tests commands on compressed packages.

use crate::command::{root, run_on, shown};
use crate::support::unreal::compressed_containers::{PLAIN, in_chunks};
use crate::support::unreal::transform::Described;
use miniz_oxide::deflate::compress_to_vec_zlib;
use serde_json::Value;
use std::fs;

#[test]
fn a_compressed_package_is_read_like_a_plain_one() {
    let file = fs::read(root("corpus/unreal/ue4.27-TestActorBP.uasset")).unwrap();
    let zlib: fn(&[u8]) -> Vec<u8> = |data| compress_to_vec_zlib(data, 6);
    let packed = in_chunks(&file, &[1000], |data| PLAIN.compressed(data, 1024, zlib));
    assert!(packed.len() < file.len());
    // Like the original file, the decompressed package has no compression flags.
    let [plain, unpacked] = [&file, &packed]
        .map(|file| serde_json::from_str::<Value>(&shown(run_on(&["json", "-"], file))).unwrap());
    let mut without = unpacked.clone();
    assert!(without.as_object_mut().unwrap().remove("wrapper").is_some());
    assert!(plain == without);
    let get = ["get", "exports.TestActorBP.properties", "-"];
    assert!(shown(run_on(&get, &file)) == shown(run_on(&get, &packed)));
    let text = shown(run_on(&["show", "-"], &packed));
    let sizes =
        format!("size              {} bytes\n  decompressed      {}", packed.len(), file.len());
    assert!(text.contains(&sizes), "{text}");
    let text = shown(run_on(&["check", "-"], &packed));
    assert!(text.starts_with(&format!("ok      <stdin>  {} bytes  package 522", packed.len())));

    // LZO is unsupported, but uncompressed data can be read.
    let mut lzo = packed.clone();
    let flags = Described::new(&file, None).field("compression_flags").at;
    assert_eq!(lzo[flags], 0x21);
    lzo[flags] = 4;
    for (args, has) in [
        (&["json", "-"][..], "\"compression_flags\": 4"),
        (&["get", "summary.compression_flags", "-"], "4\n"),
    ] {
        let ran = run_on(args, &lzo);
        assert_eq!(ran.code, Some(1));
        assert!(ran.out.contains(has), "{}", ran.out);
        let error = "the compression method is not supported (gamewire decompresses zlib, LZ4";
        assert!(ran.err.contains(error), "{}", ran.err);
    }
    // The last chunk is truncated.
    let mut damaged = packed.clone();
    damaged.truncate(packed.len() - 1);
    let ran = run_on(&["check", "-"], &damaged);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    assert!(ran.out.contains("[BadOffset]"), "{}", ran.out);
}
