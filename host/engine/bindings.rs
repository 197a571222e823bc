//! The contract's Rust bindings, generated from `wit/`.

wasmtime::component::bindgen!({
    path: [
        "../../wit/guard", "../../wit/plan", "../../wit/repo", "../../wit/commits", "../../wit/facts", "../../wit/net",
        "../../wit/toolchain", "../../wit/history", "../../wit/worlds",
    ],
    world: "guardhost:worlds/host",
    imports: { default: trappable },
    with: {
        "guardhost:guard/change.file": crate::capability::change::FileHandle,
        "guardhost:guard/change.task": crate::capability::change::TaskHandle,
        "guardhost:guard/change.commit": crate::capability::change::CommitHandle,
        "guardhost:guard/report.description": crate::capability::report::DescriptionHandle,
        "guardhost:guard/report.finding": crate::capability::report::FindingHandle,
        "guardhost:plan/plan.step": crate::capability::plan::StepHandle,
        "guardhost:plan/plan.objection": crate::capability::plan::ObjectionHandle,
        "guardhost:facts/facts.manifest": crate::capability::facts::ManifestHandle,
        "guardhost:toolchain/toolchain.test-report": crate::capability::toolchain::TestReportHandle,
        "guardhost:toolchain/toolchain.build-report": crate::capability::toolchain::BuildReportHandle,
        "guardhost:history/history.outcome": crate::capability::history::OutcomeHandle,
    },
});
