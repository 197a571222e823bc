pub fn area(width: u32, height: u32) -> u64 {
    u64::from(width) * u64::from(height)
}
