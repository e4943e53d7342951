use gamewire::godot::{Dialect, Packet, Reader};
use std::io::{BufRead, Write};
use arbitrary::{Arbitrary, Unstructured};

fn unhex(t: &str) -> Vec<u8> {
    (0..t.len() / 2).map(|i| u8::from_str_radix(&t[2 * i..2 * i + 2], 16).unwrap()).collect()
}
struct R(u64);
impl R {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut m = self.0;
        m = (m ^ (m >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        m = (m ^ (m >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        m ^ (m >> 31)
    }
}
fn hex(b: &[u8]) -> String { b.iter().map(|b| format!("{b:02x}")).collect() }
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let out = std::io::stdout();
    let mut out = std::io::BufWriter::new(out.lock());
    let dialect: Dialect = args[2].parse().unwrap();
    match args[1].as_str() {
        "print" => {
            for line in std::io::stdin().lock().lines() {
                let line = line.unwrap();
                let b = unhex(line.trim());
                match Reader::new(&b, dialect).read_encoded() {
                    Ok(e) => writeln!(out, "{}", hex(e.to_string().as_bytes())).unwrap(),
                    Err(_) => writeln!(out, "-").unwrap(),
                }
            }
        }
        "gen" => {
            let mut r = R(args[3].parse().unwrap());
            let n: usize = args[4].parse().unwrap();
            let mut k = 0;
            while k < n {
                let seed: Vec<u8> = (0..400).map(|_| r.next() as u8).collect();
                let p = Packet::arbitrary(&mut Unstructured::new(&seed)).unwrap();
                if p.dialect == dialect { writeln!(out, "{}", hex(&p.bytes)).unwrap(); k += 1; }
            }
        }
        _ => panic!(),
    }
}
