//! `host guard certify` of a language: does it keep the contract for every text?
//!
//! It reads the texts of its cases, the same cut, doubled and mixed from a seed, and texts that no language has; each twice, in fresh
//! instances and in another order.

use std::time::Instant;

use super::super::certify::checks::{outcome_of, sized};
use super::super::certify::rng::Rng;
use super::super::certify::scaling::{SHAPES, SIZES, exponent};
use super::super::producers::producers;
use super::cases::LanguageCase;
use crate::CertifyOptions;
use guardhost_core::error::Result;
use guardhost_engine::{EngineContext, LanguageOutput, Limits, SingleLanguage, TextOutcome};
use guardhost_report::{Certificate, CertificateCheck, CheckOutcome, FuelPoint, Growth};

/// Fuel as a power of the text's size, from which a reader is refused: as for guards.
const TOO_STEEP: f64 = 1.5;

struct SampleText {
    name: String,
    file: String,
    text: String,
}

/// `cases`: those of the language; the texts of `options.paths` are names that hostile texts get, beside those of the claims.
///
/// # Errors
/// This machine failed. Faults of the language are in the certificate.
pub fn certify_language(
    language: &SingleLanguage,
    id: &str,
    cases: &[LanguageCase],
    machine: &EngineContext,
    options: &CertifyOptions,
) -> Result<Certificate> {
    let files = files(language, &options.paths);
    let texts = texts(cases, &files, options);
    let begun = Instant::now();
    let first = texts.iter().map(|one| language.read(&one.file, &one.text)).collect::<Result<Vec<_>>>()?;
    let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX) / texts.len().max(1) as u64;
    let order = Rng::new(options.seed).order(texts.len());
    let mut again: Vec<Option<LanguageOutput>> = texts.iter().map(|_| None).collect();
    for at in order {
        again[at] = Some(language.read(&texts[at].file, &texts[at].text)?);
    }
    let growth = growth(language, &files)?;
    let mut looks = vec![
        described(language, machine),
        sized(language.component().bytes().len()),
        whole(&texts, &first),
        answered(language, &texts, &first),
        unbroken(&texts, &first),
        deterministic(&texts, &first, &again),
        growing(&growth),
    ];
    looks.sort_by_key(|look| std::cmp::Reverse(look.outcome));
    let count = |is: fn(&TextOutcome) -> bool| first.iter().filter(|output| is(&output.outcome)).count();
    let inspection = language.inspection();
    Ok(Certificate {
        id: id.to_owned(),
        version: inspection.version.clone(),
        promise: format!("Reads {}.", inspection.reads()),
        digest: language.component().digest().to_owned(),
        size: language.component().bytes().len() as u64,
        imports: inspection.identity.surface.imports.clone(),
        toolchain: producers(language.component().bytes()),
        limits: Limits::default(),
        seed: options.seed,
        shown: texts.len(),
        called: first.iter().filter(|output| output.fuel > 0).count(),
        verdicts: [
            count(|outcome| matches!(outcome, TextOutcome::Whole)),
            count(|outcome| matches!(outcome, TextOutcome::Broken(_))),
            count(|outcome| matches!(outcome, TextOutcome::Unread(_))),
            count(|outcome| matches!(outcome, TextOutcome::Failed(_))),
        ],
        fuel: first.iter().map(|output| output.fuel).max().unwrap_or(0),
        memory: first.iter().map(|output| output.memory).max().unwrap_or(0),
        micros,
        looks,
        growth,
    })
}

/// A name of a file of each claim, and those that are given.
fn files(language: &SingleLanguage, given: &[String]) -> Vec<String> {
    let claims = &language.inspection().claims;
    let of_claims = claims.iter().filter_map(|claim| {
        let ending = claim.endings.first().map(|ending| format!("src/text.{ending}"));
        ending.or_else(|| Some(claim.names.first()?.to_string()))
    });
    of_claims.chain(given.iter().cloned()).collect()
}

fn texts(cases: &[LanguageCase], files: &[String], options: &CertifyOptions) -> Vec<SampleText> {
    let mut texts: Vec<SampleText> = Vec::new();
    let mut add = |name: String, file: &str, text: String| texts.push(SampleText { name, file: file.to_owned(), text });
    for case in cases {
        add(format!("case {}", case.name), &case.file, case.text.clone());
    }
    let mut rng = Rng::new(options.seed);
    for at in 0..options.changes {
        let Some(case) = cases.get(at % cases.len().max(1)) else { break };
        add(format!("generated {at} of seed {}", options.seed), &case.file, mangled(&case.text, &mut rng));
    }
    for file in files {
        let odd =
            ["", "\n", "\r\n", "\u{feff}", "\0", "ü\u{301}\u{200b}", "\"", "'", "(", "}", "#", "/*", "\u{2028}\n"];
        for text in odd {
            add(format!("{text:?} in {file}"), file, text.to_owned());
        }
        for (shape, make) in SHAPES {
            add(format!("{shape} in {file}"), file, make(SIZES[0]));
        }
    }
    texts
}

/// Cut somewhere, with a line doubled, lost or moved, or with a character of another text.
fn mangled(text: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let at = rng.below(lines.len().max(1));
    match rng.below(5) {
        0 => {
            let end = text.floor_char_boundary(rng.below(text.len().max(1)));
            return text[..end].to_owned();
        }
        1 if !lines.is_empty() => lines.insert(at, lines[at]),
        2 if !lines.is_empty() => drop(lines.remove(at)),
        3 if !lines.is_empty() => {
            let last = lines.len() - 1;
            lines.swap(at, last);
        }
        _ => lines.insert(at.min(lines.len()), "\u{fffd} ( { [ \" ' \\ #"),
    }
    lines.concat()
}

fn described(language: &SingleLanguage, machine: &EngineContext) -> CertificateCheck {
    let inspection = language.inspection();
    let mut wrong = Vec::new();
    if language.claims_again(machine).ok().as_ref() != Some(&inspection.claims) {
        wrong.push("another instance claims other files".to_owned());
    }
    if let Err(error) = semver::Version::parse(&inspection.version) {
        wrong.push(format!("the version `{}` is none: {error}", inspection.version));
    }
    let good = format!("{}, it reads {}, every time", inspection.version, inspection.reads());
    outcome_of("description", CheckOutcome::Fail, good, "what it claims is not sound", wrong)
}

/// A reader that finds no text whole has proved nothing.
fn whole(texts: &[SampleText], first: &[LanguageOutput]) -> CertificateCheck {
    let whole = first.iter().filter(|output| output.outcome == TextOutcome::Whole).count();
    let never = (whole == 0).then(|| "none of its cases, and of other texts, is whole to it".to_owned());
    let good = format!("{whole} of {} texts are whole", texts.len());
    outcome_of("called", CheckOutcome::Fail, good, "it read no text; write cases", never.into_iter().collect())
}

/// Of a text that is whole, every question that is claimed has an answer, or a reason of its own.
fn answered(language: &SingleLanguage, texts: &[SampleText], first: &[LanguageOutput]) -> CertificateCheck {
    let wrong =
        texts.iter().zip(first).filter(|(_, output)| output.outcome == TextOutcome::Whole).flat_map(|(one, output)| {
            language.unanswered(&one.file, output).into_iter().map(|question| format!("{}: {question}", one.name))
        });
    let bad = "it claims to answer what it does not";
    outcome_of("claims", CheckOutcome::Fail, "what it claims to answer has answers".to_owned(), bad, wrong.collect())
}

fn unbroken(texts: &[SampleText], first: &[LanguageOutput]) -> CertificateCheck {
    let wrong = texts.iter().zip(first).filter_map(|(one, output)| match &output.outcome {
        TextOutcome::Failed(why) => Some(format!("{}: {why}", one.name)),
        TextOutcome::Whole | TextOutcome::Broken(_) | TextOutcome::Unread(_) => None,
    });
    let good = "it answered every time, within its limits".to_owned();
    outcome_of("answers", CheckOutcome::Fail, good, "it breaks instead of answering", wrong.collect())
}

fn deterministic(texts: &[SampleText], first: &[LanguageOutput], again: &[Option<LanguageOutput>]) -> CertificateCheck {
    let wrong = texts.iter().zip(first).zip(again).filter_map(|((one, first), again)| match again {
        Some(again) if again.facts != first.facts => Some(format!("{}: other facts the second time", one.name)),
        Some(again) if again.fuel != first.fuel => {
            Some(format!("{}: fuel {} first, then {}", one.name, first.fuel, again.fuel))
        }
        Some(_) => None,
        None => Some(format!("{}: not read again", one.name)),
    });
    let good = format!("{} texts twice, in another order: the same to the byte", texts.len());
    outcome_of("deterministic", CheckOutcome::Fail, good, "the same text is read differently", wrong.collect())
}

fn growth(language: &SingleLanguage, files: &[String]) -> Result<Vec<Growth>> {
    let mut all = Vec::new();
    let Some(file) = files.first() else { return Ok(all) };
    for (shape, make) in SHAPES {
        let point = |size: &usize| -> Result<FuelPoint> {
            Ok(FuelPoint { bytes: *size as u64, fuel: language.read(file, &make(*size))?.fuel })
        };
        let points = SIZES.iter().map(point).collect::<Result<Vec<_>>>()?;
        all.push(Growth { shape: shape.to_owned(), path: file.clone(), exponent: exponent(&points), points });
    }
    Ok(all)
}

fn growing(growth: &[Growth]) -> CertificateCheck {
    let steep = growth.iter().filter_map(|one| Some((one, one.exponent.filter(|power| *power >= TOO_STEEP)?)));
    let wrong = steep.map(|(one, power)| format!("{}: size to the power of {power:.2}", one.shape)).collect();
    let good = "fuel grows about as the size of the text".to_owned();
    outcome_of("growth", CheckOutcome::Fail, good, "fuel grows faster than the text (superlinear)", wrong)
}
