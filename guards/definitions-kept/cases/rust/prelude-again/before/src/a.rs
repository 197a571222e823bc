type Result<T> = std::result::Result<T, String>;

pub fn a() -> Result<u8> {
    Ok(1)
}
