//! What a guest's handles stand for: types that only mark the resources of the contract. Each handle carries an index.

/// A touched file: its index in the candidate.
pub struct FileHandle;

/// The task; there is one.
pub struct TaskHandle;

/// A commit: its index in `StoreData::commits`.
pub struct CommitHandle;

/// A description: its index in `StoreData::descriptions`.
pub struct DescriptionHandle;

/// A finding: its index in `StoreData::findings`.
pub struct FindingHandle;

/// A step: its index in the plan.
pub struct StepHandle;

/// An objection: its index in `StoreData::objections`.
pub struct ObjectionHandle;

/// A point of a score: its index in `StoreData::points`.
pub struct PointHandle;

/// A manifest: twice its index in its side's manifests, plus one for the candidate's side.
pub struct ManifestHandle;

/// A report of tests: its index in `StoreData::test_reports`.
pub struct TestReportHandle;

/// A report of a build: its index in `StoreData::build_reports`.
pub struct BuildReportHandle;

/// The outcome of a run: its index in `StoreData::outcomes`.
pub struct OutcomeHandle;

/// Bytes that a handle costs, beside what it stands for.
pub const HANDLE: u64 = 64;
