//! Lists of `name=value` with commas between them, whose values are percent-encoded, as the standard variables have them.

/// The pairs, in their order. None when the list cannot be read.
pub fn pairs(list: &str) -> Option<Vec<(String, String)>> {
    let entries = list.split(',').map(str::trim).filter(|entry| !entry.is_empty());
    entries
        .map(|entry| {
            let (name, value) = entry.split_once('=')?;
            let name = name.trim();
            (!name.is_empty()).then_some((name.to_owned(), decoded(value.trim())?))
        })
        .collect()
}

fn decoded(value: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let [first, more @ ..] = rest {
        match (first, more) {
            (b'%', [high, low, more @ ..]) => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                bytes.push(u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?);
                rest = more;
            }
            (b'%', _) => return None,
            (byte, more) => {
                bytes.push(*byte);
                rest = more;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::pairs;

    #[test]
    fn pairs_are_read_and_decoded() {
        let found = pairs("Authorization=Bearer%20a%3Db, x = 1,,").unwrap();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(found, [pair("Authorization", "Bearer a=b"), pair("x", "1")]);
        assert_eq!(pairs(""), Some(Vec::new()));
        for wrong in ["a", "=b", "a=%4", "a=%zz", "a=%ff"] {
            assert_eq!(pairs(wrong), None, "{wrong}");
        }
    }
}
