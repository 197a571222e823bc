use critic_questions::CriticQuestions;

#[test]
fn cases() {
    guard_sdk::testing::cases::<CriticQuestions>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<CriticQuestions>();
}
