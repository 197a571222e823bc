//! The list of guards, one guard, or one rule.

use serde_json::{Value, json};

use super::guard_info::guard_info;
use crate::{Example, ExplainReport, ExplainRow, Explained, Setting};
use guardhost_core::change::Finding;

pub fn explain(report: &ExplainReport) -> Value {
    match report {
        ExplainReport::All(rows) => json!({ "guards": rows.iter().map(row).collect::<Vec<_>>() }),
        ExplainReport::Guard(guard) => self::guard(guard),
        ExplainReport::Rule(rule) => json!({ "rule": {
            "guard": rule.guard,
            "g": rule.mark,
            "rule": rule.rule,
            "meaning": rule.meaning,
            "examples": rule.examples.iter().map(example).collect::<Vec<_>>(),
        } }),
    }
}

fn row(ExplainRow { row, stages, judges }: &ExplainRow) -> Value {
    json!({
        "id": row.id,
        "g": row.mark,
        "version": row.version,
        "source": row.source,
        "promise": row.promise,
        "stages": stages,
        "judges": judges.word(),
    })
}

fn guard(guard: &Explained) -> Value {
    let setting = |setting: &Setting| {
        json!({
            "name": setting.name,
            "type": setting.kind,
            "default": setting.default,
            "meaning": setting.meaning,
        })
    };
    let rule = |(rule, meaning): &(String, String)| json!({ "rule": rule, "meaning": meaning });
    let mut value = guard_info(&guard.info);
    value["guard"]["judges"] = json!(guard.judges.word());
    value["guard"]["event"] = json!(guard.event);
    value["guard"]["limits"] = json!({ "fuel": guard.fuel, "memory": guard.memory, "seconds": guard.seconds });
    value["guard"]["settings"] = guard.settings.iter().map(setting).collect();
    value["guard"]["rules"] = json!(guard.rules.as_ref().map(|rules| rules.iter().map(rule).collect::<Vec<_>>()));
    value["guard"]["examples"] = guard.examples.iter().map(example).collect();
    value
}

fn example(example: &Example) -> Value {
    let finding = |finding: &Finding| {
        let mut value = json!(finding);
        if let Some(fix) = &finding.fix {
            value["fix"] = json!(fix.title);
        }
        value
    };
    let given: serde_json::Map<_, _> = example.given.iter().cloned().collect();
    json!({
        "verdict": example.verdict,
        "given": given,
        "beside": example.beside,
        "diff": example.diff,
        "findings": example.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}
