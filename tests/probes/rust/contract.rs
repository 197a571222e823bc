//! Says what each part of the contract answers, through the SDK, and finds one thing with all that a finding can have.

use guard_sdk::{
    About, Capability, Change, Denied, Edit, Finding, Guard, Need, NoSettings, Rule, Side, Stage, Unreadable, Verdict,
    guard,
};

pub struct Witness;

impl Guard for Witness {
    type Settings = NoSettings;

    const ABOUT: About = About {
        id: "{{name}}",
        version: "0.1.0",
        mark: "W1",
        promise: "Nothing.",
        stages: &[Stage::Patch, Stage::Content],
        globs: &["*.md"],
        needs: &[
            Need::for_paths(Capability::Repo, &["*.toml"], "to read what is granted"),
            Need::new(Capability::Commits, "to see what changed a file before"),
        ],
        rules: &[
            Rule::new("seen", "something was seen").at("https://example.org/rules#seen"),
            Rule::new("wide", "a file is too wide"),
        ],
        event: "witness.fail",
        attributes: &[("written-for", "a test")],
        ..About::NONE
    };

    fn check(change: &Change, _: NoSettings) -> Result<Verdict, String> {
        let mut seen = Vec::new();
        for file in change.files() {
            let (old, before) = (file.old_path().unwrap_or("-"), file.before().blob().map(|blob| blob.size));
            seen.push(format!("{:?} {} from {old}, {before:?} bytes before", file.status(), file.path()));
        }
        for commit in change.commits() {
            let signed: Vec<&str> = commit.trailers_of("signed-off-by").collect();
            seen.push(format!("{} by {}, {}", commit.subject(), commit.author.name, signed.join(" ")));
        }
        let log = change.log("a.md", 5).map_err(|denied| denied.reason())?;
        seen.extend(log.iter().map(|commit| format!("before: {}", commit.message.trim())));
        let repo = change.repo(Side::After);
        seen.push(format!("found {}", repo.find(&[], 9).join(" ")));
        seen.push(format!("granted: {}", repo.text("a.toml").map_err(|why| why.reason())?.trim()));
        let refused = repo.stat("a.md") == Err(Denied::NotGranted) && repo.text("b.md") == Err(Unreadable::NotGranted);
        seen.push(format!("refused: {refused}, {:?}", change.withheld()));
        let mut findings: Vec<Finding> = seen.into_iter().map(|line| Finding::info("seen", line)).collect();
        findings.push(
            Finding::error("wide", "too wide")
                .at("a.md", 1)
                .to(2)
                .columns(2, 3)
                .help("Make it less wide.")
                .related("b.md", 1..=1, "the width is set here")
                .attribute("width", "99")
                .fix("cut it", vec![Edit::replace("a.md", 0..1, "")]),
        );
        Ok(Verdict::from_findings(findings))
    }
}

guard!(Witness);
