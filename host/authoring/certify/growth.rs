//! Fuel against the size of the input.

use super::CertifyOptions;
use super::corpus::file;
use guardhost_core::error::Result;
use guardhost_engine::{GuardInput, SingleGuard};
use guardhost_git::{Scratch, ScratchFiles};
use guardhost_report::{Growth, Point};

/// Each four times the last.
const SIZES: [usize; 3] = [8 << 10, 32 << 10, 128 << 10];
const STEP: f64 = 4.0;

/// Under this, what grows is the cost of beginning.
const TOO_LITTLE: u64 = 1_000_000;

/// Paths that are tried; most guards treat all alike.
const PATHS: usize = 6;

type Shape = (&'static str, fn(usize) -> String);

const SHAPES: [Shape; 6] = [
    ("different lines", |size| fill(size, |at| format!("line {at} of many = \"{}\"\n", at * 7919))),
    ("the same line", |size| fill(size, |_| "the same line again\n".to_owned())),
    ("one line", |size| fill(size, |at| format!("word{at} "))),
    ("open brackets", |size| "[".repeat(size)),
    ("blank lines", |size| "\n".repeat(size)),
    ("blanks", |size| " ".repeat(size)),
];

/// The steepest path of every shape, for a file that is added and for one that is edited at its end.
pub fn growth(guard: &SingleGuard, scratch: &Scratch, paths: &[String], wish: &CertifyOptions) -> Result<Vec<Growth>> {
    let mut steepest = Vec::new();
    for (shape, make) in SHAPES {
        for edited in [false, true] {
            let mut all = Vec::new();
            for path in paths.iter().take(PATHS) {
                let points = points(guard, scratch, path, make, edited, wish)?;
                let shape = if edited { format!("{shape}, one more at the end") } else { format!("{shape}, new") };
                all.push(Growth { shape, path: path.clone(), exponent: exponent(&points), points });
            }
            let power = |growth: &Growth| growth.exponent.unwrap_or(f64::MIN);
            steepest.extend(all.into_iter().max_by(|a, b| power(a).total_cmp(&power(b))));
        }
    }
    Ok(steepest)
}

fn points(
    guard: &SingleGuard,
    scratch: &Scratch,
    path: &str,
    make: fn(usize) -> String,
    edited: bool,
    wish: &CertifyOptions,
) -> Result<Vec<Point>> {
    let samples = SIZES.iter().map(|size| {
        let text = make(*size);
        let before = if edited { vec![file(path, text.as_bytes())] } else { ScratchFiles::new() };
        let after = if edited { format!("{text}\nthe end\n") } else { text };
        let candidate = scratch.candidate(&before, &vec![file(path, after.as_bytes())])?;
        Ok(GuardInput { candidate, task: None, settings: wish.settings.clone() })
    });
    let samples = samples.collect::<Result<Vec<_>>>()?;
    let tried = guard.judge_all(&samples, 1)?;
    let point = |(size, fuel): (&usize, u64)| Point { bytes: *size as u64, fuel };
    Ok(SIZES.iter().zip(tried.iter().map(|tried| tried.evidence.fuel)).map(point).collect())
}

/// From differences, so that what every call costs does not count.
fn exponent(points: &[Point]) -> Option<f64> {
    let [small, middle, large] = points else { return None };
    let (first, second) = (middle.fuel.checked_sub(small.fuel)?, large.fuel.checked_sub(middle.fuel)?);
    let tells = first > 0 && second > TOO_LITTLE;
    tells.then(|| (second as f64 / first as f64).ln() / STEP.ln())
}

fn fill(size: usize, piece: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(size + 64);
    for at in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&piece(at));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Point, SIZES, exponent};

    #[test]
    fn the_power_whatever_a_call_costs() {
        let fuel = |of: fn(f64) -> f64| {
            let points = SIZES.map(|size| Point { bytes: size as u64, fuel: 5_000_000 + of(size as f64) as u64 });
            exponent(&points).map(|power| (power * 10.0).round() / 10.0)
        };
        assert_eq!(fuel(|size| size * 40.0), Some(1.0));
        assert_eq!(fuel(|size| size * size / 50.0), Some(2.0));
        assert_eq!(fuel(|size| size * size.ln() * 10.0), Some(1.1));
        assert_eq!(fuel(|_| 0.0), None);
    }
}
