//! Why git stops, for a person at a terminal and for whoever reads a few lines.

use guardhost_core::change::{Evidence, GuardVerdict, Mode, Refused, RefusedKind};
use guardhost_gate::branch::{MoveRuling, Objection};
use guardhost_gate::{ChangeAuthor, Ruling};
use guardhost_report::{CheckReport, HookOutcome, HookReport, escape};

use super::GitHook;
use crate::command::{KEEP_RULES, has_only_fixable_errors, with_ruling};
use crate::context::{ALLOW_RULE_CHANGES, CommandContext};
use crate::hook::short;

/// What stands against one command of git.
pub struct GitRejection {
    hook: GitHook,
    author: ChangeAuthor,
    /// `git commit -a`, and `git commit PATH`: the index that is judged is not the one that stays.
    is_staged_for_now: bool,
    /// For models, and for people without a terminal.
    parts: Vec<String>,
    /// The same with all that a terminal can show.
    shown: Vec<(String, CheckReport)>,
    /// What does not stop git.
    notices: Vec<String>,
}

impl GitRejection {
    pub fn new(hook: GitHook, ctx: &CommandContext) -> Self {
        // Git names its own index `index`, and one for a single command after its lock.
        let index = ctx.process.index.as_deref().and_then(|file| file.file_name());
        GitRejection {
            hook,
            author: ctx.author(),
            is_staged_for_now: index.is_some_and(|name| name != "index"),
            parts: Vec::new(),
            shown: Vec::new(),
            notices: Vec::new(),
        }
    }

    pub fn stops_git(&self) -> bool {
        !self.parts.is_empty()
    }

    /// None where there is nothing to say.
    pub fn unless_empty(self) -> Option<Self> {
        (self.stops_git() || !self.notices.is_empty()).then_some(self)
    }

    /// What was not looked at is said.
    pub fn add_unread(&mut self, branch: &str, commits: usize) {
        if commits > 0 {
            self.notices.push(format!(
                "Guardhost judged what {} gets as one change, and its newest commits each for itself. {commits} older ones were not read one by \
                 one: a credential that one of them brings and a later one removes would stay in the history unseen.",
                escape::inline(branch, 200)
            ));
        }
    }

    /// A ref below `refs/replace/`: what is judged by its id would no longer be what git shows for it.
    pub fn add_replacement(&mut self, name: &str) {
        let head = format!("Guardhost keeps {} out:", escape::inline(name, 200));
        self.add_protected(head, "git would show another object in the place of one that was judged".to_owned());
    }

    /// A branch that would lead to a ref that is no branch: what moves that ref is judged by nobody.
    pub fn add_symbolic(&mut self, branch: &str, target: &str) {
        let (branch, target) = (escape::inline(branch, 200), escape::inline(target, 200));
        let message =
            format!("it would be a symbolic ref to {target}, which is no branch, and get unseen what that gets");
        self.add_protected(format!("Guardhost keeps {branch} as it is:"), message);
    }

    /// A ref that is no branch and would move, to which a branch leads: an older git asks no hook when that is set up.
    pub fn add_led(&mut self, name: &str, branch: &str) {
        let (name, branch) = (escape::inline(name, 200), escape::inline(branch, 200));
        let message = format!(
            "{branch} is a symbolic ref to it and would move with it; `git symbolic-ref --delete {branch}` makes it none"
        );
        self.add_protected(format!("Guardhost keeps {name} where it is:"), message);
    }

    fn add_protected(&mut self, head: String, message: String) {
        self.parts.push(format!("{head}\n{}", self.with_permission(&message)));
        let refused = Refused { kind: RefusedKind::Protected, path: None, message };
        let report = CheckReport {
            refusal: Some((&refused).into()),
            notices: vec![self.permission()],
            ..CheckReport::default()
        };
        self.shown.push((head, report));
    }

    /// Of a change that is rejected before its message is known, where every guard that rejects it asked for the message: a person may mean it.
    pub fn add_way_with_message(&mut self, ruling: &Ruling) {
        let Ruling::Judged(judged) = ruling else { return };
        // A guard that failed has no message to ask for.
        let enforced = || judged.judgement().evidence.iter().filter(|each| each.mode == Mode::Enforce);
        let stops = |each: &&Evidence| matches!(each.verdict, GuardVerdict::Reject(_) | GuardVerdict::Error { .. });
        let listens = |each: &Evidence| each.basis.commits && matches!(each.verdict, GuardVerdict::Reject(_));
        let may_be_meant = enforced().any(listens) && enforced().filter(stops).all(listens);
        if self.author != ChangeAuthor::Person || !may_be_meant {
            return;
        }
        let way = "if your message says that it is meant: git commit --no-verify, which is judged with the message";
        if let Some((part, (_, report))) = self.parts.last_mut().zip(self.shown.last_mut()) {
            part.push_str(&format!("\nnote: {way}"));
            report.notices.push(way.to_owned());
        }
    }

    pub fn add_move(&mut self, branch: &str, ruling: &MoveRuling) {
        self.add_objections(branch, &ruling.objections);
        if let Some(seen) = ruling.judged_since.filter(|_| !ruling.objections.is_empty()) {
            self.notices.push(format!(
                "{} stands elsewhere than where Guardhost last saw it ({}): what came in since without its hooks was judged with this. If a person \
                 did that on purpose, their next commit there, with the hooks, lets it stand.",
                escape::inline(branch, 200),
                &seen.to_string()[..12]
            ));
        }
        self.add_unread(branch, ruling.unread_commits);
    }

    /// Nothing for a change that is accepted.
    pub fn add_ruling(&mut self, head: &str, ruling: &Ruling) {
        if ruling.is_accepted() {
            return;
        }
        let why = match ruling {
            Ruling::Empty(_) => return,
            Ruling::Refused(refused) => self.with_permission(&refused.refused.to_string()),
            Ruling::Judged(judged) => short::rejection(judged.candidate(), judged.judgement()),
        };
        self.parts.push(format!("{head}\n{why}"));
        let mut report = with_ruling(CheckReport::default(), ruling);
        match ruling {
            Ruling::Refused(_) => report.notices.insert(0, self.permission()),
            Ruling::Judged(_) | Ruling::Empty(_) => report.notices.extend(self.ways_on(&report)),
        }
        self.shown.push((head.to_owned(), report));
    }

    fn add_objections(&mut self, branch: &str, objections: &[Objection]) {
        let branch = escape::inline(branch, 200);
        for objection in objections {
            match objection {
                Objection::Change { tip, commits, ruling } => {
                    let id = &tip.to_string()[..12];
                    let what = match commits {
                        1 => format!("commit {id}"),
                        commits => format!("{commits} commits up to {id}"),
                    };
                    self.add_ruling(&format!("Guardhost keeps {what} out of {branch}:"), ruling);
                }
                Objection::Rules(refused) => {
                    let head = format!("Guardhost keeps the rules of {branch} as they are:");
                    let why = self.with_permission(&with_path(refused));
                    self.parts.push(format!("{head}\n{why}"));
                    let refusal = Some(refused.into());
                    let notices = vec![self.permission()];
                    self.shown.push((head, CheckReport { refusal, notices, ..CheckReport::default() }));
                }
            }
        }
    }

    /// What a person can do about findings, beside fixing them by hand.
    fn ways_on(&self, report: &CheckReport) -> Vec<String> {
        let mut ways = Vec::new();
        if self.hook == GitHook::PreCommit && has_only_fixable_errors(&report.judgement) {
            // What git staged for one command alone is no longer staged when a person reads this.
            let fix = match self.is_staged_for_now {
                true => "git add -u && host check --staged --fix",
                false => "host check --staged --fix",
            };
            ways.push(format!("every error has a fix: {fix} applies them"));
        }
        let rejecting =
            report.judgement.evidence.iter().find(|evidence| matches!(evidence.verdict, GuardVerdict::Reject(_)));
        ways.extend(rejecting.and_then(|evidence| {
            let finding = evidence.verdict.findings().first()?;
            Some(format!("why: host explain {}/{}", evidence.id, finding.rule))
        }));
        ways
    }

    fn with_permission(&self, refused: &str) -> String {
        match self.author {
            ChangeAuthor::Person => format!("- {refused}\n  {}", self.permission()),
            // No model is told how a person lets its change through.
            ChangeAuthor::Model => format!("- {refused}\n  {KEEP_RULES}"),
        }
    }

    fn permission(&self) -> String {
        format!("If you maintain the rules: {ALLOW_RULE_CHANGES}=1 {}", self.hook.command())
    }

    pub fn into_report(self) -> HookReport {
        let shown = match self.author {
            ChangeAuthor::Person => self.shown,
            ChangeAuthor::Model => Vec::new(),
        };
        if self.parts.is_empty() {
            return HookReport { reason: Some(self.notices.join("\n")), ..HookReport::default() };
        }
        HookReport {
            reason: Some(self.parts.into_iter().chain(self.notices).collect::<Vec<_>>().join("\n")),
            outcome: HookOutcome::DeniedToGit,
            shown,
            ..HookReport::default()
        }
    }
}

/// The message, after the file that it is about.
fn with_path(refused: &Refused) -> String {
    let path = refused.path.as_ref().map(|path| format!("{path}: ")).unwrap_or_default();
    format!("{path}{}", refused.message)
}

/// What every guard said, by its id; none where no guard was asked.
pub fn verdicts(ruling: &Ruling) -> Vec<(String, GuardVerdict)> {
    match ruling {
        Ruling::Judged(judged) => {
            judged.judgement().evidence.iter().map(|each| (each.id.clone(), each.verdict.clone())).collect()
        }
        Ruling::Empty(_) | Ruling::Refused(_) => Vec::new(),
    }
}
