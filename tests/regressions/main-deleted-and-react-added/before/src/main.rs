fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("encode") => println!("{}", encode(&arguments[1..])),
        Some("decode") => println!("{}", decode(&arguments[1..])),
        _ => eprintln!("usage: b2v encode|decode"),
    }
}

fn encode(arguments: &[String]) -> String {
    format!("encodes {}", arguments.join(" "))
}

fn decode(arguments: &[String]) -> String {
    format!("decodes {}", arguments.join(" "))
}
