//! Which issues are fixed together. A pure function of the list: the same issues give the same batches.

use guardhost_core::issue::Side;

/// Effort times files of all issues of a batch. More is a change that nobody reviews well.
pub const POINTS: u32 = 15;
/// Issues of a batch.
pub const ISSUES: usize = 5;
/// Of an issue that does not say it.
pub const EFFORT: u32 = 3;
pub const FILES: u32 = 1;

/// What an issue takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    pub side: Side,
    /// 1 to 5.
    pub effort: u32,
    /// At least 1.
    pub files: u32,
}

impl Workload {
    pub fn points(self) -> u32 {
        self.effort.saturating_mul(self.files)
    }
}

/// Issues that are fixed in one change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    pub side: Side,
    /// Positions in the list, in its order.
    pub issues: Vec<usize>,
    pub points: u32,
    /// A single issue of more than [`POINTS`]: it should be split by whoever reports it.
    pub is_too_large: bool,
}

/// Backend before frontend, each by stable first fit: an issue goes into the first batch of its side with room for it.
pub fn batches(list: &[Workload]) -> Vec<Batch> {
    let mut all = Vec::new();
    for side in Side::ORDER {
        let mut of_side: Vec<Batch> = Vec::new();
        for (at, work) in list.iter().enumerate().filter(|(_, work)| work.side == side) {
            let points = work.points();
            let has_room = |batch: &&mut Batch| {
                !batch.is_too_large && batch.issues.len() < ISSUES && batch.points.saturating_add(points) <= POINTS
            };
            match of_side.iter_mut().find(has_room) {
                Some(batch) => {
                    batch.issues.push(at);
                    batch.points += points;
                }
                None => of_side.push(Batch { side, issues: vec![at], points, is_too_large: points > POINTS }),
            }
        }
        all.append(&mut of_side);
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn work(side: Side, effort: u32, files: u32) -> Workload {
        Workload { side, effort, files }
    }

    #[test]
    fn the_examples_of_the_design() {
        let of = |list: &[(u32, u32)]| {
            let list: Vec<_> = list.iter().map(|(effort, files)| work(Side::Backend, *effort, *files)).collect();
            batches(&list).into_iter().map(|batch| (batch.issues, batch.is_too_large)).collect::<Vec<_>>()
        };
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[(1, 1); 6]), [(vec![0, 1, 2, 3, 4], false), (vec![5], false)]);
        assert_eq!(of(&[(4, 3), (4, 1), (3, 1)]), [(vec![0, 2], false), (vec![1], false)]);
        assert_eq!(of(&[(5, 5), (1, 1)]), [(vec![0], true), (vec![1], false)]);
    }

    fn workloads() -> impl Strategy<Value = Vec<Workload>> {
        let side = prop_oneof![Just(Side::Backend), Just(Side::Frontend)];
        prop::collection::vec(
            (side, 1u32..=5, 1u32..=6).prop_map(|(side, effort, files)| work(side, effort, files)),
            0..60,
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]
        #[test]
        fn limits_and_order_are_kept_and_nothing_is_lost(list in workloads()) {
            let made = batches(&list);
            let mut seen: Vec<usize> = made.iter().flat_map(|batch| batch.issues.clone()).collect();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..list.len()).collect::<Vec<_>>(), "each issue is in one batch");
            for batch in &made {
                prop_assert!(batch.issues.len() <= ISSUES && !batch.issues.is_empty());
                prop_assert!(batch.issues.iter().all(|at| list[*at].side == batch.side));
                prop_assert_eq!(batch.points, batch.issues.iter().map(|at| list[*at].points()).sum::<u32>());
                prop_assert_eq!(batch.points > POINTS, batch.is_too_large);
                prop_assert!(!batch.is_too_large || batch.issues.len() == 1);
                prop_assert!(batch.issues.is_sorted(), "the order of the list");
            }
            prop_assert!(made.is_sorted_by_key(|batch| batch.side), "backend first");
            for side in Side::ORDER {
                let of_side: Vec<&Batch> = made.iter().filter(|batch| batch.side == side).collect();
                prop_assert!(of_side.is_sorted_by_key(|batch| batch.issues[0]), "in the order of their first issues");
                // First fit: nothing would have had room in an earlier batch when it came.
                for (at, batch) in of_side.iter().enumerate() {
                    for issue in &batch.issues {
                        for earlier in &of_side[..at] {
                            let then: Vec<_> = earlier.issues.iter().filter(|other| *other < issue).collect();
                            let points: u32 = then.iter().map(|other| list[**other].points()).sum();
                            let had_room = !earlier.is_too_large && then.len() < ISSUES && points + list[*issue].points() <= POINTS;
                            prop_assert!(!had_room, "{} in {:?}", issue, earlier);
                        }
                    }
                }
            }
            prop_assert_eq!(batches(&list), made, "the same again");
        }
    }
}
