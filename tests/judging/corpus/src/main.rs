mod report;
mod votes;

use report::lines;
use votes::{Votes, tally};

fn main() {
    let text = std::env::args().nth(1).unwrap_or_default();
    let votes: Votes = tally(text.split(','));
    for line in lines(&votes) {
        println!("{line}");
    }
}
