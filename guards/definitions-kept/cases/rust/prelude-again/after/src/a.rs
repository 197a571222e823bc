pub fn a() -> Result<u8, String> {
    Ok(1)
}
