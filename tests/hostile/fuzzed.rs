//! What the fuzz targets ask, of a few random texts. The fuzzer itself needs another compiler, and is started by hand.

use proptest::prelude::*;

use crate::fuzz;
use crate::support::hostile_texts::PIECES;

/// Bytes, and pieces of every language, in any order.
fn data() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec());
    let part = prop_oneof![piece, prop::collection::vec(any::<u8>(), 0..40)];
    prop::collection::vec(part, 0..20).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn replies_are_read_and_placed(data in data()) {
        for head in ["", "```diff\n", "*** Begin Patch\n", "<<<<<<< SEARCH\n", "{"] {
            fuzz::extracts(head, &data);
        }
        fuzz::accounts(&data);
        fuzz::places(&data);
    }

    #[test]
    fn changes_are_judged(data in data()) {
        fuzz::judges(&data);
    }
}
