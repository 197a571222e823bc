//! Settings by which an agent may do without asking whatever it likes, for everybody who opens the repository.

use guard_sdk::{File, Finding};

/// Files of agents, by the end of their paths, and what in a line of them lets everything through.
#[rustfmt::skip]
const OPENS: &[(&str, &[&str])] = &[
    (".claude/settings.json", &["\"Bash(*)\"", "\"Bash\"", "\"Bash(*:*)\"", "\"bypassPermissions\"", "\"*\"", "\"enableAllProjectMcpServers\":true"]),
    (".claude/settings.local.json", &["\"Bash(*)\"", "\"Bash\"", "\"bypassPermissions\"", "\"*\""]),
    (".codex/config.toml", &["\"danger-full-access\"", "approval_policy=\"never\""]),
    (".gemini/settings.json", &["\"approvalMode\":\"yolo\"", "\"yolo\":true"]),
    (".vscode/settings.json", &["\"chat.tools.autoApprove\":true", "\"chat.tools.global.autoApprove\":true"]),
    ("opencode.json", &["\"bash\":\"allow\"", "\"permission\":\"allow\""]),
];

/// None for a file of no agent.
pub fn judge(file: &File) -> Option<Vec<Finding>> {
    let (_, signs) = OPENS.iter().find(|(end, _)| file.path() == *end || file.path().ends_with(&format!("/{end}")))?;
    let after = file.after().text().ok()?;
    let before = if file.before().is_regular() { file.before().text().unwrap_or_default() } else { String::new() };
    let opened = |text: &str| -> Vec<(u32, &'static str)> {
        let mut found = Vec::new();
        let mut is_denied = false;
        for (number, line) in (1..).zip(text.lines()) {
            let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
            // What is denied or asked for is no door.
            if compact.contains("\"allow\"") {
                is_denied = false;
            } else if ["\"deny\"", "\"ask\"", "\"matcher\""].iter().any(|key| compact.contains(key)) {
                is_denied = true;
            }
            let sign = signs.iter().find(|sign| compact.contains(**sign)).filter(|_| !is_denied);
            found.extend(sign.map(|sign| (number, *sign)));
        }
        found
    };
    let stood = opened(&before);
    let new = opened(&after).into_iter().filter(|(_, sign)| !stood.iter().any(|(_, old)| old == sign));
    let finding = |(line, sign): (u32, &str)| {
        Finding::error(
            "agent-unbound",
            format!("`{sign}` lets an agent do whatever it likes, for everybody who opens the repository"),
        )
        .at(file.path(), line)
        .help("Name the commands that it may run; what opens everything belongs into nobody's repository.")
    };
    Some(new.map(finding).take(1).collect())
}
