use indexmap::IndexMap;

fn count(names: &str) -> IndexMap<String, u32> {
    let mut votes = IndexMap::new();
    for name in names.split(',') {
        *votes.entry(name.trim().to_owned()).or_default() += 1;
    }
    votes
}

fn main() {
    let text = std::env::args().nth(1).unwrap_or_default();
    let votes = count(&text);
    for (name, number) in &votes {
        println!("{name}: {number}");
    }
}
