//! The contract's Rust bindings, generated from `wit/`.

wasmtime::component::bindgen!({
    path: [
        "../../wit/guard", "../../wit/plan", "../../wit/analysis", "../../wit/files", "../../wit/repo", "../../wit/commits", "../../wit/facts", "../../wit/modules",
        "../../wit/language",
        "../../wit/net", "../../wit/registry", "../../wit/toolchain", "../../wit/history", "../../wit/model", "../../wit/worlds",
    ],
    world: "guardhost:worlds/host",
    imports: { default: trappable },
    with: {
        "guardhost:guard/change.file": crate::handles::FileHandle,
        "guardhost:guard/change.task": crate::handles::TaskHandle,
        "guardhost:guard/change.commit": crate::handles::CommitHandle,
        "guardhost:guard/report.description": crate::handles::DescriptionHandle,
        "guardhost:guard/report.finding": crate::handles::FindingHandle,
        "guardhost:plan/plan.step": crate::handles::StepHandle,
        "guardhost:plan/plan.objection": crate::handles::ObjectionHandle,
        "guardhost:analysis/points.point": crate::handles::PointHandle,
        "guardhost:modules/outline": crate::readers::bindings::guardhost::modules::outline,
        "guardhost:language/text-facts": crate::readers::bindings::guardhost::language::text_facts,
        "guardhost:facts/facts.manifest": crate::handles::ManifestHandle,
        "guardhost:toolchain/toolchain.test-report": crate::handles::TestReportHandle,
        "guardhost:toolchain/toolchain.build-report": crate::handles::BuildReportHandle,
        "guardhost:history/history.outcome": crate::handles::OutcomeHandle,
    },
});
