//! The component, the checks worst first, and whether the guard is certified.

use super::super::super::format_units;
use super::super::writer::{BOLD, DIM, GREEN, PLAIN, PageWriter, RED, YELLOW};
use guardhost_report::escape;
use guardhost_report::{Certificate, CheckOutcome, Growth};

pub fn certificate(page: &mut PageWriter, certificate: &Certificate) {
    let id = page.paint(BOLD, &escape::inline(&certificate.id, 64));
    page.line(&format!("{id} {}", escape::inline(&certificate.version, 64)));
    page.inside(2, |page| {
        let list = |texts: &[String]| if texts.is_empty() { "none".to_owned() } else { texts.join(", ") };
        let facts = [
            ("promise", certificate.promise.clone()),
            ("digest", certificate.digest.clone()),
            ("size", format_units::size(certificate.size)),
            ("imports", list(&certificate.imports)),
            ("producers", list(&certificate.toolchain)),
        ];
        for (name, value) in facts {
            let label = page.paint(DIM, name);
            page.labelled(&label, &escape::inline(&value, 1_000), PLAIN);
        }
    });
    page.gap();
    for check in certificate.looks.iter().rev() {
        let sign = match check.outcome {
            CheckOutcome::Pass => page.paint(GREEN, page.sign("✓", "ok")),
            CheckOutcome::Warn => page.paint(YELLOW, page.sign("!", "warn")),
            CheckOutcome::Fail => page.paint(RED, page.sign("✗", "fail")),
        };
        page.line(&format!("{sign} {}: {}", page.paint(BOLD, check.name), escape::inline(&check.detail, 400)));
        page.inside(3, |page| check.examples.iter().for_each(|example| page.line(&escape::inline(example, 400))));
    }
    page.gap();
    let [pass, reject, not_applicable, error] = certificate.verdicts;
    page.line(&format!(
        "{} of seed {}: {pass} passed, {reject} rejected, {not_applicable} not applicable, {error} with an error",
        format_units::count(certificate.shown, "change"),
        certificate.seed
    ));
    let steepest = |a: &&Growth, b: &&Growth| a.exponent.unwrap_or(0.0).total_cmp(&b.exponent.unwrap_or(0.0));
    if let Some(growth) = certificate.growth.iter().max_by(steepest) {
        let points = growth
            .points
            .iter()
            .map(|point| format!("{} {}", format_units::size(point.bytes), format_units::number(point.fuel)));
        page.line(&format!("fuel by size, {}: {}", growth.shape, points.collect::<Vec<_>>().join(", ")));
    }
    match certificate.is_granted() {
        true => page.line(&page.paint(GREEN, "certified")),
        false => page.line(&page.paint(RED, "not certified")),
    }
}
