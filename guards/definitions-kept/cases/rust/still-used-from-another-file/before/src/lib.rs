mod size;

pub struct Counter {
    total: u64,
}

impl Counter {
    pub fn add(&mut self, text: &str) {
        self.total += self.weigh(text);
    }

    fn weigh(&self, text: &str) -> u64 {
        size::of(text)
    }
}

pub fn count(texts: &[&str]) -> u64 {
    let mut counter = Counter { total: 0 };
    texts.iter().for_each(|text| counter.add(text));
    counter.total
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn counts() {
        assert_eq!(count(&["a", "b"]), 2);
    }

    #[test]
    fn nothing_counts_as_none() {
        assert_eq!(count(&[]), 0);
    }
}
