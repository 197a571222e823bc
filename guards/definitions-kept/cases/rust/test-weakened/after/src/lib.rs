pub fn sum(of: &[i32]) -> i32 {
    of.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::sum;

    #[test]
    fn of_nothing_it_is_nothing() {
        let none: Vec<i32> = "".split(',').map(|part| part.parse().expect("a number")).take(0).collect();
        let result = sum(&none);
        assert!(true);
    }
}
