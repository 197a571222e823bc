//! Secrets that stay in an image: whoever has it reads its environment, its history and its files.

use guard_sdk::{File, Finding};

/// None for what is no Dockerfile.
pub fn judge(file: &File) -> Option<Vec<Finding>> {
    let name = file.name();
    if !(matches!(name, "Dockerfile" | "Containerfile")
        || name.starts_with("Dockerfile.")
        || name.ends_with(".dockerfile"))
    {
        return None;
    }
    let after = file.after().text().ok()?;
    let before = if file.before().is_regular() { file.before().text().unwrap_or_default() } else { String::new() };
    let new: Vec<u32> = file.changed_lines().into_iter().flatten().collect();
    let found = (1..).zip(after.lines()).filter(|(number, line)| new.contains(number) && !before.contains(line.trim()));
    let finding = |(number, line): (u32, &str)| {
        let what = kept(line.trim())?;
        let message = format!("{what} stays in the image, for everybody who has it");
        let help = "Hand it to the one command that needs it: `RUN --mount=type=secret,…`, and leave its file out by .dockerignore.";
        Some(Finding::error("secret-in-image", message).at(file.path(), number).help(help))
    };
    Some(found.filter_map(finding).take(1).collect())
}

/// What an instruction keeps: `ENV X_TOKEN=$X_TOKEN`, `COPY .env .`.
fn kept(line: &str) -> Option<String> {
    let (instruction, rest) = line.split_once(char::is_whitespace)?;
    match instruction.to_ascii_uppercase().as_str() {
        "ENV" => {
            let (name, value) = rest.trim().split_once(['=', ' '])?;
            let value = value.trim_matches(['"', ' ']).trim_start_matches('$').trim_matches(['{', '}']);
            (is_secret(name) && value == name).then(|| format!("the secret `{name}`"))
        }
        "COPY" | "ADD" => {
            let mut words = rest.split_whitespace().filter(|word| !word.starts_with("--"));
            let first = words.next()?.trim_start_matches("./");
            let is_secret = matches!(
                first,
                ".env" | ".env.local" | ".env.production" | ".npmrc" | ".netrc" | ".pypirc" | "id_rsa" | ".ssh"
            );
            (is_secret && !rest.contains("--from=")).then(|| first.to_owned())
        }
        _ => None,
    }
}

/// By the end of its name.
fn is_secret(name: &str) -> bool {
    ["TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "PRIVATE_KEY"].iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::kept;

    #[test]
    fn what_stays() {
        assert!(kept("ENV NPM_TOKEN=${NPM_TOKEN}").is_some());
        assert!(kept("ENV GITHUB_TOKEN $GITHUB_TOKEN").is_some());
        assert!(kept("COPY .env .env").is_some());
        for line in [
            "ENV NODE_ENV=production",
            "ARG NPM_TOKEN",
            "COPY .env.example .env",
            "ENV TOKEN_LIMIT=5",
            "COPY --from=build /app/.npmrc .",
        ] {
            assert!(kept(line).is_none(), "{line}");
        }
    }
}
