//! Tests how the writers of Rem's Engine saves format numbers.

use crate::support::random;
use crate::support::rems::writing::DIALECTS;
use gamewire::rems::{BinaryWriter, Dialect, Era, ItemSink, Kind, KindValue, Put, TextWriter};

/// Arranges digits by Java's rules, as the engines do. The digits come from Rust's formatting,
/// which is the oracle.
fn java(digits: &str, size: f64) -> String {
    let (mantissa, exponent) = digits.split_once('e').unwrap();
    if !(1e-3..1e7).contains(&size.abs()) {
        let point = if mantissa.contains('.') { "" } else { ".0" };
        return format!("{mantissa}{point}E{exponent}");
    }
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => ("-", mantissa),
        None => ("", mantissa),
    };
    let digits = mantissa.replace('.', "");
    let before: i32 = exponent.parse::<i32>().unwrap() + 1;
    match usize::try_from(before) {
        Ok(0) | Err(_) => format!("{sign}0.{}{digits}", "0".repeat(before.unsigned_abs() as usize)),
        Ok(before) if digits.len() <= before => {
            format!("{sign}{digits}{}", "0".repeat(before - digits.len()))
        }
        Ok(before) => format!("{sign}{}.{}", &digits[..before], &digits[before..]),
    }
}

/// Returns `true` if `text` is a number printed by Java's rules. If a number is exactly between two
/// decimals of equal length, Java prints the one with an even last digit.
fn is_java(text: &str, shortest: &str, exact: &str, size: f64) -> bool {
    let digits = |text: &str| -> Vec<u8> {
        let mantissa = text.split(['e', 'E']).next().unwrap();
        let digits = mantissa.bytes().filter(u8::is_ascii_digit).skip_while(|digit| *digit == b'0');
        let mut digits: Vec<u8> = digits.collect();
        while digits.pop_if(|digit| *digit == b'0').is_some() {}
        digits
    };
    if text == java(shortest, size) {
        return true;
    }
    let (ours, exact) = (digits(text), digits(exact));
    let even = ours.last().is_some_and(|digit| digit % 2 == 0);
    let below = java(shortest, size).len() == text.len();
    even && below
        && exact.len() == ours.len() + 1
        && exact.ends_with(b"5")
        && exact.starts_with(&ours)
}

fn printed<P: Put>(dialect: Dialect, value: P) -> String {
    let mut writer = TextWriter::new(Vec::new(), dialect);
    writer.force(true);
    writer.object("T", None).unwrap();
    writer.put("x", value).unwrap();
    writer.end().unwrap();
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    let value = text.strip_prefix(r#"[{"class":"T",""#).unwrap().strip_suffix("}]").unwrap();
    value.split_once("\":").unwrap().1.to_owned()
}

#[test]
fn numbers_as_java_prints_them() {
    let mut random = random::Random::new(3);
    for at in 0..40_000_u64 {
        let bits = match at % 4 {
            0 => random.next(),
            // Numbers around 1, then numbers with few digits, and then subnormal numbers.
            1 => {
                random.next() >> 12
                    | (1023 - random.below(30) as u64 + random.below(30) as u64) << 52
            }
            2 => (random.below(2_000_000) as f64 / [1.0, 8.0, 10.0, 1000.0][random.below(4)])
                .to_bits(),
            _ => (at + 64) << random.below(12),
        };
        let value = f64::from_bits(bits);
        // Java prints the smallest numbers with at least two digits, so they are tested below.
        let digits = format!("{value:e}");
        if !value.is_finite() || value == 0.0 || (digits.len() < 7 && value.abs() < 1e-320) {
            continue;
        }
        for dialect in DIALECTS {
            let text = printed(dialect, value);
            assert!(is_java(&text, &digits, &format!("{value:.99e}"), value), "{text} {digits}");
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), bits);
        }
        let single = value as f32;
        if !single.is_finite() || single.abs() < f32::MIN_POSITIVE {
            continue;
        }
        let text = printed(Dialect::Engine2021, single);
        let exact = format!("{single:.99e}");
        assert!(is_java(&text, &format!("{single:e}"), &exact, single.into()), "{text} {exact}");
        assert_eq!(text.parse::<f32>().unwrap(), single);
        let text = printed(Dialect::Engine2026, single);
        let wide = f64::from(single);
        assert!(is_java(&text, &format!("{wide:e}"), &format!("{wide:.99e}"), wide), "{text}");
        assert_eq!(text.parse::<f32>().unwrap(), single);
    }
}

/// The smallest numbers have at least two digits, even if one digit would be sufficient. The second
/// digit brings the number as close to the value as possible, so it is not always a zero.
#[test]
fn least_numbers() {
    for bits in 1..50_000_u64 {
        let value = f64::from_bits(bits);
        let text = printed(Dialect::Engine2026, value);
        assert_eq!(text.parse::<f64>().unwrap(), value);
        let (mantissa, _) = text.split_once('E').unwrap();
        assert!(mantissa.len() >= 3 && mantissa.as_bytes()[1] == b'.', "{text}");
        // No decimal of this length is nearer to the value.
        let nearest = format!("{value:.*e}", mantissa.len() - 2).replace('e', "E");
        assert_eq!(text, nearest);
        let single = f32::from_bits(bits as u32);
        let text = printed(Dialect::Engine2021, single);
        assert_eq!(text.parse::<f32>().unwrap(), single);
        let (mantissa, _) = text.split_once('E').unwrap();
        assert_eq!(text, format!("{single:.*e}", mantissa.len() - 2).replace('e', "E"));
    }
}

#[test]
fn matrices_lose_what_is_small() {
    let put = |kind: Kind, parts: &[f32]| printed(Dialect::Engine2026, KindValue::one(kind, parts));
    // Components are compared with the other components of their row: 1e-8 is small compared with
    // 1, but not compared with 1e-2.
    assert_eq!(
        put(Kind::Mat2, &[1.0, 0.01, 1e-8, 1e-8]),
        "[[1,0.009999999776482582],[0,9.99999993922529E-9]]"
    );
    assert_eq!(
        put(Kind::Mat2, &[1e-8, 0.0, f32::MIN_POSITIVE, 0.0]),
        "[[9.99999993922529E-9,0],[0]]"
    );
    // In a matrix of three columns and two rows, the third column is left out of the comparison.
    assert_eq!(put(Kind::Mat3x2, &[0.5, 1.0, 0.25, 1.0, 1e9, 1.0]), "[[0.5,1],[0.25,1],[1.0E9,1]]");
    // A box also has columns, but is not a matrix.
    assert_eq!(
        put(Kind::Aabb, &[1e-9, 0.0, 0.0, 1.0, 1.0, 1.0]),
        "[[9.999999717180685E-10,0,0],[1,1,1]]"
    );
    let stream = {
        let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
        writer.object("T", Some(1)).unwrap();
        writer.put("x", KindValue::one(Kind::Mat2, &[1.0_f32, 0.01, 1e-8, 1e-8])).unwrap();
        writer.end().unwrap();
        writer.finish().unwrap()
    };
    assert!(stream.windows(4).any(|bytes| bytes == 1e-8_f32.to_be_bytes()), "binary keeps it");
}

/// Vectors have the same short forms in both dialects and for both widths. Components are compared
/// with `==`: 0 and -0 are equal, and NaN is not equal to itself.
#[test]
fn short_vectors() {
    for dialect in DIALECTS {
        let minus = if dialect == Dialect::Engine2021 { "-0" } else { "0" };
        assert_eq!(printed(dialect, [0.0_f32, -0.0]), "[0]");
        assert_eq!(printed(dialect, [-0.0_f32, 0.0]), format!("[{minus}]"));
        assert_eq!(printed(dialect, [0.0_f64, -0.0, 1.0]), format!("[0,{minus},1]"));
        assert_eq!(printed(dialect, [0.5_f32, 0.5, 0.5, 1.0]), "[0.5,1]");
        assert_eq!(printed(dialect, [0.5_f64, 0.5, 1.0, 1.0]), "[0.5,0.5,1,1]");
        assert_eq!(printed(dialect, KindValue::one(Kind::Quat, &[1.0_f32; 4])), "[1,1,1,1]");
        // A zero before the end of an array keeps its sign if the dialect writes signs of zeros.
        let array = printed(dialect, &[-0.0_f64, 0.0, 3.0, -0.0][..]);
        assert_eq!(array, format!("[4,{minus},0,3]"));
    }
    assert_eq!(printed(Dialect::Engine2026, [3, 3]), "[3,3]");
    let plane = KindValue::one(Kind::Plane, &[1.0_f32; 4]);
    assert_eq!(printed(Dialect::Engine2026, plane), "[1,1,1,1]");
    let empty = KindValue::rows(Kind::Bool, &[&[true, false], &[], &[false, true]]);
    assert_eq!(printed(Dialect::Engine2026, empty), "[3,[2,1],[0],[2,0,1]]");
}

/// Quotes are escaped at every position of a string. All positions are tested because the writer
/// searches strings in words of eight bytes.
#[test]
fn quotes_anywhere() {
    for len in [7, 8, 16, 20, 24, 32] {
        for (first, second) in (0..len).flat_map(|first| (0..len).map(move |at| (first, at))) {
            let mut text = vec![b'x'; len];
            (text[first], text[second]) = (b'"', b'"');
            let text = String::from_utf8(text).unwrap();
            let expected = format!("\"{}\"", text.replace('"', "\\\""));
            assert_eq!(printed(Dialect::Engine2026, &*text), expected);
        }
    }
}

#[test]
fn colors_of_every_form() {
    let mut random = random::Random::new(5);
    for _ in 0..20_000 {
        let nibble = |random: &mut random::Random| random.below(16) as u32 * 0x11;
        let value = match random.below(3) {
            0 => random.next() as u32,
            1 => random.next() as u32 | 0xFF00_0000,
            _ => (0..4).fold(0, |color, _| color << 8 | nibble(&mut random)),
        };
        let text =
            printed(Dialect::Engine2026, KindValue::one(Kind::Color, &[value.cast_signed()]));
        let full = format!("{value:08x}");
        let pairs = full.as_bytes().chunks(2).all(|pair| pair[0] == pair[1]);
        let half: String = full.chars().step_by(2).collect();
        let expected = match (full.starts_with("ff"), pairs) {
            (true, true) => &half[1..],
            (false, true) => &half,
            (true, false) => &full[2..],
            (false, false) => &full,
        };
        assert_eq!(text, format!("\"#{expected}\""));
    }
}
