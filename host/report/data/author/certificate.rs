//! `host guard certify`: whether a guard keeps the contract on generated and perturbed changes.

use guardhost_core::limits::Limits;
use guardhost_core::{serialized_names, written_from};
use schemars::JsonSchema;
use serde::Serialize;

/// What `host guard certify` found.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// The guard's id.
    pub id: String,
    pub version: String,
    pub promise: String,
    /// `sha256:…` of the component.
    pub digest: String,
    /// Bytes of the component.
    pub size: u64,
    pub imports: Vec<String>,
    /// Tools that built it, as it names them.
    pub toolchain: Vec<String>,
    pub limits: Limits,
    /// The seed of the perturbations.
    pub seed: u64,
    /// Number of changes and plans that were judged.
    pub shown: usize,
    /// How many of them reached the guard's code.
    pub called: usize,
    /// Number of passes, rejections, not applicable and errors.
    pub verdicts: [usize; 4],
    /// Maximum fuel of one call.
    pub fuel: u64,
    /// Maximum memory of one call, in bytes.
    pub memory: u64,
    /// Maximum wall time of one call.
    pub micros: u64,
    /// Worst first.
    pub looks: Vec<CertificateCheck>,
    /// The steepest of each shape of input.
    pub growth: Vec<Growth>,
}

impl Certificate {
    /// No check failed.
    pub fn is_granted(&self) -> bool {
        self.looks.iter().all(|look| match look.outcome {
            CheckOutcome::Pass | CheckOutcome::Warn => true,
            CheckOutcome::Fail => false,
        })
    }
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "certificateCheck")]
pub struct CertificateCheck {
    pub name: &'static str,
    pub outcome: CheckOutcome,
    pub detail: String,
    /// At most five.
    pub examples: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "checkOutcome")]
pub enum CheckOutcome {
    Pass,
    /// The contract holds.
    Warn,
    Fail,
}

serialized_names!(CheckOutcome);

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "growth")]
pub struct Growth {
    pub shape: String,
    pub path: String,
    /// Fuel grows as size to this power.
    pub exponent: Option<f64>,
    pub points: Vec<FuelPoint>,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[schemars(rename = "growthPoint")]
pub struct FuelPoint {
    /// Of the file.
    pub bytes: u64,
    pub fuel: u64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "certificate")]
struct CertificateKeys<'a> {
    certified: bool,
    id: &'a str,
    version: &'a str,
    promise: &'a str,
    /// `sha256:…` of the component.
    digest: &'a str,
    /// Bytes.
    size: u64,
    imports: &'a [String],
    /// Tools that built it.
    toolchain: &'a [String],
    /// The version of the host.
    host: &'static str,
    limits: CallLimits,
    seed: u64,
    /// Generated inputs.
    changes: usize,
    called: usize,
    /// A language rejects a text with problems.
    verdicts: VerdictCounts,
    most: MostOfACall,
    /// Worst first.
    looks: &'a [CertificateCheck],
    /// The steepest of each shape.
    growth: &'a [Growth],
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "verdictCounts")]
struct VerdictCounts {
    pass: usize,
    reject: usize,
    not_applicable: usize,
    error: usize,
}

/// Of one call.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "callLimits")]
struct CallLimits {
    fuel: u64,
    /// Bytes.
    memory: u64,
}

/// Of one call.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "mostOfACall")]
struct MostOfACall {
    fuel: u64,
    /// Bytes.
    memory: u64,
    micros: u64,
}

impl<'a> From<&'a Certificate> for CertificateKeys<'a> {
    fn from(certificate: &'a Certificate) -> Self {
        let [pass, reject, not_applicable, error] = certificate.verdicts;
        CertificateKeys {
            certified: certificate.is_granted(),
            id: &certificate.id,
            version: &certificate.version,
            promise: &certificate.promise,
            digest: &certificate.digest,
            size: certificate.size,
            imports: &certificate.imports,
            toolchain: &certificate.toolchain,
            host: env!("CARGO_PKG_VERSION"),
            limits: CallLimits { fuel: certificate.limits.fuel, memory: certificate.limits.memory },
            seed: certificate.seed,
            changes: certificate.shown,
            called: certificate.called,
            verdicts: VerdictCounts { pass, reject, not_applicable, error },
            most: MostOfACall { fuel: certificate.fuel, memory: certificate.memory, micros: certificate.micros },
            looks: &certificate.looks,
            growth: &certificate.growth,
        }
    }
}

written_from!(Certificate, CertificateKeys<'_>);
