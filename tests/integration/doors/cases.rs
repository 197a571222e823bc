//! The cases: what the base has, what the change does, and what every door says of it.

use guardhost_gate::Door;

use super::Said;

pub struct Case {
    pub name: &'static str,
    pub base: &'static [(&'static str, &'static str)],
    /// None removes a file.
    pub change: &'static [(&'static str, Option<&'static str>)],
    /// Whether a person allows the change to alter the rules, where the door takes that.
    pub allows_rules: bool,
    /// A variable that is set for the program.
    pub variable: Option<(&'static str, &'static str)>,
    pub said: Said,
    /// Doors that say something else, and the reason, which is documented.
    pub otherwise: &'static [(&'static [Door], Said, &'static str)],
}

/// What models write.
const MODELS: &[Door] = &[
    Door::CheckPatch,
    Door::Apply,
    Door::Run,
    Door::Patch,
    Door::Session,
    Door::AgentEdit,
    Door::AgentStop,
    Door::Library,
    Door::Accept,
];

/// Where nobody can allow a change of the rules.
const NO_PERMISSION: &[Door] =
    &[Door::Job, Door::Apply, Door::Run, Door::Patch, Door::Session, Door::AgentEdit, Door::AgentStop, Door::Library];

/// A job is judged by others, who take no permission from whoever submits it.
const NO_PERMISSION_REASON: &str = "nobody allows a model, or a submitter, to change the rules";

const GOOD: &str = "def x():\n    return 1\n";
const BETTER: &str = "def x():\n    return 2\n";
const BAD: &str = "def x(:\n    return 2\n";
const RULES: &str = "schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\n";
const OTHER_RULES: &str = "schema = 1\n\n[policy]\nrounds = 2\n\n[[guard]]\nid = \"syntax-holds\"\n";

/// Python may be broken below `lax`.
const RULES_OF_FOLDER: &str = "schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\n\n[[guard]]\nid = \"syntax-holds-lax\"\n\
    guard = \"syntax-holds\"\nfolder = \"lax\"\nsettings = { allow_broken = [\"**/*.py\"] }\n";
const STRICT_RULES_OF_FOLDER: &str = "schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\n\n[[guard]]\nid = \"syntax-holds-lax\"\n\
    guard = \"syntax-holds\"\nfolder = \"lax\"\n";
const BOTH_FOLDERS: &[(&str, &str)] = &[("x.py", GOOD), ("lax/x.py", GOOD), ("guards.toml", RULES_OF_FOLDER)];

const PLAIN: Case = Case {
    name: "",
    base: &[("x.py", GOOD)],
    change: &[],
    allows_rules: false,
    variable: None,
    said: Said::Accepted,
    otherwise: &[],
};

pub const CASES: &[Case] = &[
    Case { name: "a good change", change: &[("x.py", Some(BETTER))], ..PLAIN },
    Case { name: "a syntax error", change: &[("x.py", Some(BAD))], said: Said::Rejected, ..PLAIN },
    Case {
        name: "a finding that the change itself excuses",
        change: &[("x.py", Some("def x(:  # guardhost: allow python-syntax read by another program\n    return 2\n"))],
        otherwise: &[(MODELS, Said::Rejected, "docs/exceptions.md: a model does not excuse itself")],
        ..PLAIN
    },
    Case {
        name: "the first rules of a repository",
        change: &[("guards.toml", Some(RULES))],
        otherwise: &[(MODELS, Said::Refused, "docs/guards-toml.md: no model writes the rules")],
        ..PLAIN
    },
    Case {
        name: "other rules, which nobody allowed",
        base: &[("x.py", GOOD), ("guards.toml", RULES)],
        change: &[("guards.toml", Some(OTHER_RULES))],
        said: Said::Refused,
        ..PLAIN
    },
    Case {
        name: "other rules, with permission",
        base: &[("x.py", GOOD), ("guards.toml", RULES)],
        change: &[("guards.toml", Some(OTHER_RULES))],
        allows_rules: true,
        otherwise: &[
            (NO_PERMISSION, Said::Refused, NO_PERMISSION_REASON),
            (&[Door::CheckPatch], Said::Refused, "the built-in list protects guards.toml from every patch"),
        ],
        ..PLAIN
    },
    Case {
        name: "rules without the lock that fits them",
        base: &[("x.py", GOOD), ("guards.toml", RULES), ("guards.lock", "LOCK")],
        change: &[(
            "guards.toml",
            Some("schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\n\n[[guard]]\nid = \"docs-kept\"\n"),
        )],
        allows_rules: true,
        said: Said::Rejected,
        otherwise: &[
            (NO_PERMISSION, Said::Refused, NO_PERMISSION_REASON),
            (&[Door::CheckPatch], Said::Refused, "the built-in list protects guards.toml from every patch"),
        ],
        ..PLAIN
    },
    Case {
        name: "a mend of rules that do not fit together",
        base: &[("x.py", GOOD), ("guards.toml", RULES), ("guards.lock", "schema = 1\n")],
        change: &[("guards.lock", Some("LOCK"))],
        allows_rules: true,
        otherwise: &[
            (NO_PERMISSION, Said::Failed, "nothing can be judged by rules that do not fit together"),
            (&[Door::CheckPatch], Said::Failed, "a patch is placed by the rules of its base"),
        ],
        ..PLAIN
    },
    Case {
        name: "a syntax error where guards.toml sets something else",
        base: &[("x.py", GOOD), ("guards.toml", "schema = 1\n\n[policy]\nrounds = 2\n")],
        change: &[("x.py", Some(BAD))],
        said: Said::Rejected,
        ..PLAIN
    },
    Case {
        name: "a syntax error where a variable names weaker rules",
        base: &[("x.py", GOOD), ("weak.toml", "schema = 1\n\n[[guard]]\nid = \"docs-kept\"\n")],
        change: &[("x.py", Some(BAD))],
        variable: Some(("GUARDHOST_CONFIG", "weak.toml")),
        said: Said::Rejected,
        otherwise: &[(
            &[Door::Check, Door::CheckPatch, Door::Apply, Door::Review, Door::Accept, Door::Session, Door::Editor],
            Said::Accepted,
            "docs/hooks.md: who runs a command chooses its rules; a hook reads those of the commit alone",
        )],
        ..PLAIN
    },
    Case {
        name: "a syntax error that the baseline of the base knows",
        base: &[("x.py", "def y():\n    return 1\n"), ("guards.baseline.json", "BASELINE")],
        change: &[("x.py", Some(BAD))],
        ..PLAIN
    },
    Case {
        name: "what the rules of a folder allow, in the folder",
        base: BOTH_FOLDERS,
        change: &[("x.py", Some(BETTER)), ("lax/x.py", Some(BAD))],
        ..PLAIN
    },
    Case {
        name: "what the rules of a folder allow, outside of it",
        base: BOTH_FOLDERS,
        change: &[("x.py", Some(BAD)), ("lax/x.py", Some(BETTER))],
        said: Said::Rejected,
        ..PLAIN
    },
    Case {
        name: "other rules of a folder, which nobody allowed",
        base: BOTH_FOLDERS,
        change: &[("guards.toml", Some(STRICT_RULES_OF_FOLDER))],
        said: Said::Refused,
        ..PLAIN
    },
    Case {
        name: "a judged source that becomes unreadable",
        change: &[("x.py", Some("def x():\n    return \"\u{0}\"\n"))],
        said: Said::Rejected,
        otherwise: &[(
            &[Door::CheckPatch, Door::Apply, Door::Run, Door::Library],
            Said::Refused,
            "docs/patch.md: a patch of binary content is refused before it is placed",
        )],
        ..PLAIN
    },
];
