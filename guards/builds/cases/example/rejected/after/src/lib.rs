pub fn area(width: u32, height: u32) -> u64 {
    width * height
}
