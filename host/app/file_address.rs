//! Addresses of files, as clients of protocols send them.

use std::path::PathBuf;

/// The path of a `file:` address on this machine.
pub fn local_path(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    if !path.starts_with('/') {
        return None;
    }
    let (mut bytes, mut rest) = (Vec::new(), path.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        let escaped = (*first == b'%').then(|| after.get(..2)).flatten();
        let escaped = escaped.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    Some(guardhost_os::absolute(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_paths() {
        for (uri, expected) in [
            ("file:///home/x/project", Some("/home/x/project")),
            ("file://localhost/a%20b%C3%A9", Some("/a b\u{e9}")),
            ("file:///50%/%zz%2", Some("/50%/%zz%2")),
            ("file://server/share", None),
            ("https://example.org/", None),
        ] {
            assert_eq!(local_path(uri), expected.map(PathBuf::from), "{uri}");
        }
    }
}
