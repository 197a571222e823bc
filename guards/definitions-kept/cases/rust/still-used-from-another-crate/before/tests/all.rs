use tally::count;

#[test]
fn all() {
    assert_eq!(count(&[]), 0);
}
