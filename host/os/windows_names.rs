//! Which bytes of a repository are a path on Windows, and stay the same path there.

/// No file can have it, and no part of it leads anywhere.
pub const IMPOSSIBLE: &str = "|";

/// What Windows gives another meaning inside of a name: separators, streams, patterns.
const FORBIDDEN: &[u8] = br#"\:*?"<>|"#;

/// Devices, in every folder and with every ending.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
const NUMBERED: [&str; 2] = ["com", "lpt"];

/// Of bytes that are no text, [`IMPOSSIBLE`].
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or(IMPOSSIBLE)
}

/// A path of a repository as a path below its work tree; [`IMPOSSIBLE`] where Windows would take it for another one.
pub fn in_work_tree(bytes: &[u8]) -> &str {
    let text = text(bytes);
    if text.split('/').all(is_name) { text } else { IMPOSSIBLE }
}

/// Without the slash before a drive.
pub fn absolute_path(path: &str) -> &str {
    match path.as_bytes() {
        [b'/', drive, b':', ..] if drive.is_ascii_alphabetic() => &path[1..],
        _ => path,
    }
}

/// A path with `/` between its parts, and without the prefix that turns off the reading of paths: the way programs and shells write it.
pub fn shell_path(path: &str) -> String {
    let plain = match path.strip_prefix(r"\\?\") {
        Some(rest) => rest.strip_prefix(r"UNC\").map_or_else(|| rest.to_owned(), |share| format!(r"\\{share}")),
        None => path.to_owned(),
    };
    plain.replace('\\', "/")
}

/// Whether a part of a path means the same on Windows as in git. `.` and `..` do.
fn is_name(part: &str) -> bool {
    let is_dots = matches!(part, "" | "." | "..");
    let means_more = part.bytes().any(|byte| byte < b' ' || FORBIDDEN.contains(&byte));
    // Windows drops them, so that `.git.` and `.git ` are `.git`.
    let loses_end = part.ends_with(['.', ' ']);
    is_dots || !(means_more || loses_end || is_device(part) || is_short_git(part))
}

fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end_matches(' ').to_lowercase();
    let is_number =
        |rest: &str| matches!(rest, "¹" | "²" | "³") || (rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit());
    DEVICES.contains(&stem.as_str()) || NUMBERED.iter().any(|name| stem.strip_prefix(name).is_some_and(is_number))
}

/// The short name that Windows gives to `.git`.
fn is_short_git(part: &str) -> bool {
    part.eq_ignore_ascii_case("git~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_windows_reads_as_another_path_is_none() {
        for path in [
            "a\\b",
            "..\\a",
            "c:a",
            "a:stream",
            ".git.",
            ".git ",
            "a /b",
            "nul",
            "x/NUL.txt",
            "com1",
            "LPT9.x",
            "com¹",
            "git~1/config",
            "GIT~1",
            "a?",
            "a\u{1}",
            "con .c",
        ] {
            assert_eq!(in_work_tree(path.as_bytes()), IMPOSSIBLE, "{path}");
        }
        assert_eq!(in_work_tree(b"a\xff"), IMPOSSIBLE);
    }

    #[test]
    fn other_paths_stay() {
        for path in [
            "",
            "a",
            "src/main.rs",
            ".gitignore",
            "a b/c.d",
            "../a",
            "./a",
            "console",
            "com",
            "com10",
            "comet",
            "ä/ö",
            "git~2",
        ] {
            assert_eq!(in_work_tree(path.as_bytes()), path);
        }
        for (address, path) in [("/c:/x", "c:/x"), ("/x/y", "/x/y"), ("/:", "/:")] {
            assert_eq!(absolute_path(address), path);
        }
        assert_eq!(text(b"c:/x"), "c:/x");
    }

    #[test]
    fn a_shell_reads_no_backslash() {
        for (path, word) in [
            (r"\\?\C:\Program Files\host.exe", "C:/Program Files/host.exe"),
            (r"\\?\UNC\server\share\host.exe", "//server/share/host.exe"),
            (r"C:\bin\host.exe", "C:/bin/host.exe"),
        ] {
            assert_eq!(shell_path(path), word);
        }
    }
}
