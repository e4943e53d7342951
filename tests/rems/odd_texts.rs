//! Reads unusual text saves of Rem's Engine. Fast paths that read many bytes at a time must agree
//! with the general code, whether or not bytes follow the value.
use gamewire::rems::{Error, ErrorKind, Item, Part, TextReader, Value};
use std::fmt::Debug;

/// Converts a value at the end of a file and the same value far before the end. Asserts that the
/// results are equal, and returns the result.
fn each<T: PartialEq + Debug>(ty: &str, value: &[u8], ask: impl Fn(Value<'_>) -> T) -> T {
    let far = format!(r#","S:y":"{}"}}]"#, "y".repeat(200));
    let [near, far] = ["}", &far].map(|behind| {
        let before = format!(r#"[{{"class":"T","{ty}:x":"#);
        let text = [before.as_bytes(), value, behind.as_bytes()].concat();
        let mut reader = TextReader::new(&text);
        reader.next().unwrap();
        reader.next().unwrap();
        let Some(Item::Value(value)) = reader.next().unwrap() else { panic!("no value") };
        ask(value)
    });
    assert_eq!(near, far, "{}", value.escape_ascii());
    near
}

/// Returns the numbers of an array up to its end or to an error.
fn numbers<T: Part + PartialEq + Debug>(ty: &str, array: &str) -> Vec<Result<T, ErrorKind>> {
    each(ty, array.as_bytes(), |value| {
        let mut numbers = value.array().unwrap().numbers::<T>().unwrap();
        let all: Vec<_> =
            numbers.by_ref().map(|number| number.map_err(|error| *error.kind())).collect();
        assert!(numbers.next().is_none());
        all
    })
}

#[test]
fn a_number_is_all_that_is_between_commas() {
    let bad = Err(ErrorKind::BadNumber);
    for (array, expected) in [
        ("[2,1_0,5]", vec![Ok(10), Ok(5)]),
        ("[2,0x10,5]", vec![Ok(16), Ok(5)]),
        ("[2,1 , 2 ]", vec![Ok(1), Ok(2)]),
        ("[2,1;2,3]", vec![bad]),
        ("[2,7,1.5]", vec![Ok(7), bad]),
        ("[2,7,1e3]", vec![Ok(7), bad]),
    ] {
        assert_eq!(numbers("i[]", array), expected, "{array}");
    }
    assert_eq!(numbers("f[]", "[2,0.5_1,0.5]"), [Ok(0.51_f32), Ok(0.5)]);
}

/// After a comma, an element may be missing only at the end of the array.
#[test]
fn a_row_of_truth_values_ends_after_an_error() {
    let nothing = Err(ErrorKind::Expected("a value"));
    assert_eq!(numbers("b[]", "[3,true,,true]"), [Ok(true), nothing]);
    assert_eq!(numbers("b[]", "[3,,true]"), [nothing]);
    assert_eq!(numbers("b[]", "[3,true,]"), [Ok(true), Ok(false), Ok(false)]);
}

/// Columns must be in brackets, and commas must separate their components: braces and semicolons
/// are errors.
#[test]
fn columns_are_in_brackets_and_parts_behind_commas() {
    let bracket = ErrorKind::Expected("an opening bracket");
    let comma = ErrorKind::Expected("a comma or the end of the parts");
    for (matrix, expected) in [
        ("[{0.5;0.5],{0.5;0.5]]", bracket),
        ("[{0.5,0.5],[0.5,0.5]]", bracket),
        ("[[0.5,0.5],{0.5,0.5]]", bracket),
        ("[[0.5,0.5},[0.5,0.5]]", comma),
        ("[[0.5[0.5]],[0.5,0.5]]", comma),
        ("[[0.5;0.5],[0.5;0.5]]", ErrorKind::BadNumber),
    ] {
        let parts = |value: Value<'_>| value.parts::<f32>().map(|parts| parts.to_vec());
        let found = each("mat2", matrix.as_bytes(), parts);
        assert_eq!(found.map_err(|error| *error.kind()), Err(expected), "{matrix}");
    }
}

/// Bytes above ASCII are invalid in numbers, including superscript digits in Latin-1.
#[test]
fn only_digits_are_digits() {
    // Excludes bytes that end a number or start the next token, and three other bytes: `+` is a
    // sign only in Rust, `_` is skipped, and `#1` is a colour.
    for byte in (b'!'..=u8::MAX).filter(|byte| !b",\"/[]{}'+_#".contains(byte)) {
        for number in [[b'1', byte], [byte, b'1']] {
            let get = |value: Value<'_>| value.get::<i64>().map_err(|error| *error.kind());
            let expected = match str::from_utf8(&number).map(str::parse) {
                Ok(Ok(number)) => Some(number),
                _ => None,
            };
            assert_eq!(each("l", &number, get).ok(), expected, "{}", number.escape_ascii());
        }
    }
}

/// In any notation, a number can be too large. A wrong character after the digits is reported if
/// the digits fit in 64 bits; otherwise, the overflow is reported.
#[test]
fn too_many_digits() {
    let hexadecimal = format!("0x1{}", "0".repeat(25));
    for (number, expected) in [
        (&*hexadecimal, ErrorKind::Overflow),
        ("0xFFFFFFFFFFFFFFFF", ErrorKind::Overflow),
        ("0xFFFFFFFFFFFFFFFFx", ErrorKind::BadNumber),
        ("18446744073709551615", ErrorKind::Overflow),
        ("18446744073709551615x", ErrorKind::BadNumber),
        ("18446744073709551616x", ErrorKind::Overflow),
    ] {
        let get = |value: Value<'_>| value.get::<i64>();
        let error: Error = each("l", number.as_bytes(), get).unwrap_err();
        assert_eq!(*error.kind(), expected, "{number}");
    }
}

/// Errors name the expected tokens, and have the offset of the first byte that is not valid.
#[test]
fn expected_tokens_in_errors() {
    let first = ErrorKind::Expected("a property or the end of the object");
    let end = ErrorKind::UnexpectedEnd { missing: 1 };
    for (text, expected, offset) in [
        // Additional commas are allowed before the objects of a file, and nowhere else.
        (r#"[{"class":"A","K:k":{,"i:x":1}}]"#, first, 21),
        (r#"[{"class":"A","K:k":{ , "i:x":1}}]"#, first, 22),
        (r#"[{"class":"A","i:x":1,,"i:y":1}]"#, first, 22),
        (r#"[{"class":"A","S:x":"ab\"#, end, 24),
        (r#"[{"class":"A","S:x":"ab\n\"#, end, 26),
        (r#"[{"class":"A","S:x":"ab\x"#, ErrorKind::BadEscape, 23),
    ] {
        let mut reader = TextReader::new(text.as_bytes());
        let error = loop {
            match reader.next() {
                Ok(item) => assert!(item.is_some(), "{text}"),
                Err(error) => break error,
            }
        };
        assert_eq!((*error.kind(), error.offset()), (expected, offset), "{text}");
    }
}
