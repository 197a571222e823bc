fn greeting(whom: &str) -> String {
    format!("hello {whom}")
}
