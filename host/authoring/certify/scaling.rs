//! How the fuel of a call grows with the size of the input.

use super::CertifyOptions;
use super::corpus::file;
use guardhost_core::error::Result;
use guardhost_engine::{GuardInput, SingleGuard};
use guardhost_git::{ScratchFiles, ScratchRepository};
use guardhost_report::{FuelPoint, Growth};

/// In bytes; each is four times the one before.
pub const SIZES: [usize; 3] = [8 << 10, 32 << 10, 128 << 10];
const STEP: f64 = 4.0;

/// Differences of fuel below this come from the start of a call.
const TOO_LITTLE: u64 = 1_000_000;

/// How many paths are measured; most guards treat all alike.
const PATHS: usize = 6;

pub type InputShape = (&'static str, fn(usize) -> String);

pub const SHAPES: [InputShape; 6] = [
    ("different lines", |size| fill(size, |at| format!("line {at} of many = \"{}\"\n", at * 7919))),
    ("the same line", |size| fill(size, |_| "the same line again\n".to_owned())),
    ("one line", |size| fill(size, |at| format!("word{at} "))),
    ("open brackets", |size| "[".repeat(size)),
    ("blank lines", |size| "\n".repeat(size)),
    ("blanks", |size| " ".repeat(size)),
];

/// How fuel grows.
#[derive(Default)]
pub struct Scaling {
    /// With the size of one file, for every shape: the path with the steepest growth, once for a new file, once for one that is edited
    /// at its end.
    pub by_size: Vec<Growth>,
    /// With the number of files.
    pub by_files: Option<Growth>,
}

pub fn scaling(
    guard: &SingleGuard,
    scratch: &ScratchRepository,
    paths: &[String],
    options: &CertifyOptions,
) -> Result<Scaling> {
    let mut by_size = Vec::new();
    for (shape, make) in SHAPES {
        for edited in [false, true] {
            let mut all = Vec::new();
            for path in paths.iter().take(PATHS) {
                let points = points(guard, scratch, path, make, edited, options)?;
                let shape = if edited { format!("{shape}, one more at the end") } else { format!("{shape}, new") };
                all.push(Growth { shape, path: path.clone(), exponent: exponent(&points), points });
            }
            let power = |growth: &Growth| growth.exponent.unwrap_or(f64::MIN);
            by_size.extend(all.into_iter().max_by(|a, b| power(a).total_cmp(&power(b))));
        }
    }
    let by_files = paths.first().map(|path| with_many_files(guard, scratch, path, options)).transpose()?;
    Ok(Scaling { by_size, by_files })
}

/// Files of [`LINE`], as many as make each of [`SIZES`]. Only the number of files grows.
fn with_many_files(
    guard: &SingleGuard,
    scratch: &ScratchRepository,
    path: &str,
    options: &CertifyOptions,
) -> Result<Growth> {
    const LINE: &[u8] = b"one line of 32 bytes, and no more";
    let inputs = SIZES.iter().map(|size| {
        let files = (0..size / LINE.len()).map(|at| file(&format!("d{at}/{path}"), LINE)).collect();
        let candidate = scratch.candidate(&ScratchFiles::new(), &files)?;
        Ok(GuardInput { candidate, task: None, settings: options.settings.clone() })
    });
    let points = measured(guard, &inputs.collect::<Result<Vec<_>>>()?)?;
    Ok(Growth { shape: "many files, new".to_owned(), path: path.to_owned(), exponent: exponent(&points), points })
}

fn measured(guard: &SingleGuard, inputs: &[GuardInput]) -> Result<Vec<FuelPoint>> {
    let output = guard.judge_all(inputs, 1)?;
    let point = |(size, fuel): (&usize, u64)| FuelPoint { bytes: *size as u64, fuel };
    Ok(SIZES.iter().zip(output.iter().map(|output| output.evidence.fuel)).map(point).collect())
}

fn points(
    guard: &SingleGuard,
    scratch: &ScratchRepository,
    path: &str,
    make: fn(usize) -> String,
    edited: bool,
    options: &CertifyOptions,
) -> Result<Vec<FuelPoint>> {
    let inputs = SIZES.iter().map(|size| {
        let text = make(*size);
        let before = if edited { vec![file(path, text.as_bytes())] } else { ScratchFiles::new() };
        let after = if edited { format!("{text}\nthe end\n") } else { text };
        let candidate = scratch.candidate(&before, &vec![file(path, after.as_bytes())])?;
        Ok(GuardInput { candidate, task: None, settings: options.settings.clone() })
    });
    measured(guard, &inputs.collect::<Result<Vec<_>>>()?)
}

/// Computed from differences, so that the constant cost of a call does not count. None when the fuel is too small to tell.
pub fn exponent(points: &[FuelPoint]) -> Option<f64> {
    let [small, middle, large] = points else { return None };
    let (first, second) = (middle.fuel.checked_sub(small.fuel)?, large.fuel.checked_sub(middle.fuel)?);
    let is_significant = first > 0 && second > TOO_LITTLE;
    is_significant.then(|| (second as f64 / first as f64).ln() / STEP.ln())
}

pub fn fill(size: usize, piece: impl Fn(usize) -> String) -> String {
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
    use super::{FuelPoint, SIZES, exponent};

    #[test]
    fn the_power_whatever_a_call_costs() {
        let fuel = |of: fn(f64) -> f64| {
            let points = SIZES.map(|size| FuelPoint { bytes: size as u64, fuel: 5_000_000 + of(size as f64) as u64 });
            exponent(&points).map(|power| (power * 10.0).round() / 10.0)
        };
        assert_eq!(fuel(|size| size * 40.0), Some(1.0));
        assert_eq!(fuel(|size| size * size / 50.0), Some(2.0));
        assert_eq!(fuel(|size| size * size.ln() * 10.0), Some(1.1));
        assert_eq!(fuel(|_| 0.0), None);
    }
}
