fn main() {
    println!("{}", greeting("you"));
}

fn greeting(whom: &str) -> String {
    format!("hello {whom}")
}
