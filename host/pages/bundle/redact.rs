//! A bundle that may be published: without prompts, replies, changes, texts and paths. Numbers, times, verdicts, and the names of guards,
//! rules, providers and models stay. Everything is dropped that is not listed here as kept.

use std::collections::BTreeMap;

use guardhost_core::change::{AppliedFix, RepoPath, Touched};
use guardhost_core::issue::IssueFact;
use guardhost_report::journal::{
    ArtifactRef, Decision, IssueRecord, Object, ObjectBody, Origin, PatchSet, Run, StoredEvidence,
};
use guardhost_report::rulings::PastRuling;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{Bundle, FileRef, FileText, Moment, RunData};

/// Data of events that name nothing of the repository.
const PLAIN_DATA: [&str; 21] = [
    "provider",
    "model",
    "bytes",
    "micros",
    "usage",
    "recorded",
    "prompt",
    "prompt_bytes",
    "class",
    "format",
    "strategy",
    "rounds",
    "spent",
    "seconds",
    "budget",
    "id",
    "verdict",
    "fuel",
    "mode",
    "cached",
    "outcome",
];
/// Fields of a guard's evidence and of its findings, likewise.
const PLAIN_EVIDENCE: [&str; 10] =
    ["id", "g", "version", "digest", "verdict", "micros", "fuel", "cached", "mode", "reused"];
const PLAIN_FINDING: [&str; 4] = ["rule", "severity", "line", "end_line"];
const PLAIN_METRIC: [&str; 5] = ["id", "score", "status", "weight", "analyzer"];
const PLAIN_POINT: [&str; 3] = ["rule", "earned", "of"];

impl Bundle {
    /// The same runs, redacted. A path has one name in the whole bundle, and another one in the next.
    pub fn redacted(&self) -> Bundle {
        // Random, and kept nowhere: names cannot be guessed by trying paths.
        let redaction = Redaction { salt: uuid::Uuid::now_v7().into_bytes() };
        let mut texts = BTreeMap::new();
        let runs =
            self.runs.iter().map(|(id, run)| (id.clone(), redaction.run(run, &self.texts, &mut texts))).collect();
        let objects = self.objects.iter().map(|(id, object)| (id.clone(), redaction.object(object))).collect();
        let rulings = self.rulings.iter().map(|past| redaction.ruling(past)).collect();
        Bundle { redacted: true, runs, objects, texts, guards: self.guards.clone(), rulings, ..Bundle::default() }
    }
}

struct Redaction {
    salt: [u8; 16],
}

impl Redaction {
    fn digest(&self, text: &[u8]) -> String {
        let digest = Sha256::new().chain_update(self.salt).chain_update(text).finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Keeps the ending, by which a file's language is known, if it is a usual one.
    fn path(&self, path: &str) -> String {
        let name = &self.digest(path.as_bytes())[..8];
        let ending = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending);
        match ending.filter(|ending| ending.len() <= 4 && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())) {
            Some(ending) => format!("file-{name}.{ending}"),
            None => format!("file-{name}"),
        }
    }

    fn repo_path(&self, path: &RepoPath) -> RepoPath {
        RepoPath::from(self.path(&path.to_string()).as_str())
    }

    /// A record of a ruling quotes nothing; its paths are all that it gives away.
    fn ruling(&self, past: &PastRuling) -> PastRuling {
        let mut past = past.clone();
        let ruling = &mut past.ruling;
        ruling.files.iter_mut().for_each(|file| *file = self.path(file));
        let allowed = ruling.allowed.iter_mut().map(|allowance| &mut allowance.finding);
        for file in ruling.findings.iter_mut().chain(allowed).filter_map(|finding| finding.file.as_mut()) {
            *file = self.path(file);
        }
        past
    }

    fn key(&self, key: &str) -> String {
        format!("sha256:{}", self.digest(key.as_bytes()))
    }

    fn run(&self, run: &RunData, old: &BTreeMap<String, FileText>, texts: &mut BTreeMap<String, FileText>) -> RunData {
        let files = run.files.iter().map(|(path, file)| {
            let key = self.key(&file.key);
            let name = path.rsplit('/').next().unwrap_or_default();
            let json = old.get(&file.key).and_then(|text| serde_json::from_str::<Value>(&text.text).ok());
            let plain = match (name, json) {
                ("judgement.json" | "fixed-judgement.json", Some(judgement)) => Some(self.judgement(&judgement)),
                ("audit.json" | "audit-after.json", Some(audit)) => Some(self.audit(&audit)),
                _ => None,
            };
            if let Some(plain) = plain {
                texts.insert(key.clone(), FileText { text: plain.to_string(), cut: 0 });
            }
            (path.clone(), FileRef { key, bytes: file.bytes })
        });
        let files = files.collect();
        let moment = |moment: &Moment| Moment { data: only(&moment.data, &PLAIN_DATA), ..moment.clone() };
        let moments = run.moments.iter().map(|(seq, each)| (*seq, moment(each))).collect();
        RunData { files, moments, seen: run.seen.clone(), alive: run.alive, unread: run.unread }
    }

    fn judgement(&self, judgement: &Value) -> Value {
        let guards = list(judgement, "guards", |guard| {
            let mut plain = only(guard, &PLAIN_EVIDENCE);
            let findings =
                list(&Value::Object(guard.clone()), "findings", |finding| self.with_location(finding, &PLAIN_FINDING));
            plain.insert("findings".to_owned(), findings);
            plain
        });
        let mut plain = Map::new();
        plain.insert("guards".to_owned(), guards);
        Value::Object(plain)
    }

    fn audit(&self, audit: &Value) -> Value {
        let metrics = list(audit, "metrics", |metric| {
            let mut plain = only(metric, &PLAIN_METRIC);
            let points =
                list(&Value::Object(metric.clone()), "points", |point| self.with_location(point, &PLAIN_POINT));
            plain.insert("points".to_owned(), points);
            plain
        });
        let mut plain = audit.as_object().map(|audit| only(audit, &["overall"])).unwrap_or_default();
        plain.insert("metrics".to_owned(), metrics);
        Value::Object(plain)
    }

    /// The fields that are kept, and the path by its other name.
    fn with_location(&self, fields: &Map<String, Value>, plain: &[&str]) -> Map<String, Value> {
        let mut plain = only(fields, plain);
        if let Some(path) = fields.get("path").and_then(Value::as_str) {
            plain.insert("path".to_owned(), Value::from(self.path(path)));
        }
        plain
    }

    fn artifact(&self, artifact: &ArtifactRef) -> ArtifactRef {
        ArtifactRef { store: artifact.store.clone(), key: self.key(&artifact.key), path: artifact.path.clone() }
    }

    /// Each field is named, so that a new one is decided about.
    fn object(&self, object: &Object) -> Object {
        let body = match &object.body {
            ObjectBody::Run(run) => ObjectBody::Run(self.run_object(run)),
            ObjectBody::PatchSet(patch_set) => ObjectBody::PatchSet(self.patch_set(patch_set)),
            ObjectBody::Evidence(evidence) => ObjectBody::Evidence(StoredEvidence {
                run_id: evidence.run_id.clone(),
                patchset_id: evidence.patchset_id.clone(),
                kind: evidence.kind.clone(),
                tool: evidence.tool.clone(),
                g: evidence.g.clone(),
                tool_version: evidence.tool_version.clone(),
                digest: evidence.digest.clone(),
                mode: evidence.mode,
                verdict: evidence.verdict,
                code: evidence.code.clone(),
                summary: None,
                findings: evidence.findings,
                micros: evidence.micros,
                fuel: evidence.fuel,
                report_artifacts: evidence.report_artifacts.iter().map(|each| self.artifact(each)).collect(),
            }),
            ObjectBody::Decision(decision) => ObjectBody::Decision(Decision {
                run_id: decision.run_id.clone(),
                round: decision.round,
                decision_type: decision.decision_type,
                patchset_id: decision.patchset_id.clone(),
                rationale: None,
                outcome: decision.outcome.clone(),
                result_commit_sha: decision.result_commit_sha.clone(),
                micros: decision.micros,
                spent: decision.spent,
                // A digest of what was removed would tell it to whoever guesses.
                receipt: None,
                pull_request: None,
                artifacts: Vec::new(),
            }),
            ObjectBody::Issue(issue) => ObjectBody::Issue(IssueRecord {
                run_id: issue.run_id.clone(),
                issue: self.key(&issue.issue),
                fingerprint: self.key(&issue.fingerprint),
                fact: self.issue_fact(&issue.fact),
            }),
        };
        Object {
            object_id: object.object_id.clone(),
            version: object.version,
            created_at: object.created_at.clone(),
            created_by: object.created_by.clone(),
            body,
        }
    }

    fn issue_fact(&self, fact: &IssueFact) -> IssueFact {
        match fact {
            IssueFact::Listed { .. } => IssueFact::Listed { title: String::new(), path: None },
            IssueFact::Ignored { .. } => IssueFact::Ignored { why: None },
            IssueFact::Duplicate { of } => IssueFact::Duplicate { of: self.key(of) },
            IssueFact::Claimed { fence } => IssueFact::Claimed { fence: *fence },
            IssueFact::Tried { attempt, batch } => IssueFact::Tried { attempt: *attempt, batch: batch.clone() },
            IssueFact::Ended { end, commit, .. } => IssueFact::Ended { end: *end, commit: commit.clone(), why: None },
        }
    }

    fn run_object(&self, run: &Run) -> Run {
        Run {
            command: run.command.clone(),
            task: String::new(),
            hints: run.hints.iter().map(|path| self.repo_path(path)).collect(),
            mode: run.mode,
            origin: Origin {
                plan: run.origin.plan.clone(),
                step: None,
                resumes: run.origin.resumes.clone(),
                part_of: run.origin.part_of.clone(),
                rules_tree: run.origin.rules_tree.clone(),
            },
            commit: run.commit.clone(),
            provider: run.provider.clone(),
            guards: run.guards.clone(),
            rounds: run.rounds,
            rules: None,
            judged_by: None,
            budget: run.budget,
            branch: None,
        }
    }

    fn patch_set(&self, patch_set: &PatchSet) -> PatchSet {
        let touched = patch_set.touched.iter().map(|touched| Touched {
            path: self.repo_path(&touched.path),
            old_path: touched.old_path.as_ref().map(|path| self.repo_path(path)),
            ..touched.clone()
        });
        let fix = |fix: &AppliedFix| AppliedFix {
            guard: fix.guard.clone(),
            rule: fix.rule.clone(),
            path: fix.path.as_deref().map(|path| self.path(path)),
            line: fix.line,
            title: String::new(),
        };
        PatchSet {
            run: patch_set.run.clone(),
            sequence: patch_set.sequence,
            round: patch_set.round,
            prompt: patch_set.prompt.clone(),
            commit: patch_set.commit.clone(),
            base_tree: None,
            message: None,
            format: patch_set.format,
            written_as: patch_set.written_as,
            artifact: patch_set.artifact.as_ref().map(|artifact| self.artifact(artifact)),
            tree: patch_set.tree.clone(),
            touched: touched.collect(),
            rationale: None,
            mends: patch_set.mends.clone(),
            fixes: patch_set.fixes.iter().map(fix).collect(),
        }
    }
}

fn only(fields: &Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    let kept = fields.iter().filter(|(name, _)| names.contains(&name.as_str()));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn list(value: &Value, name: &str, plain: impl Fn(&Map<String, Value>) -> Map<String, Value>) -> Value {
    let items = value.get(name).and_then(Value::as_array).into_iter().flatten();
    Value::Array(items.filter_map(Value::as_object).map(|item| Value::Object(plain(item))).collect())
}
