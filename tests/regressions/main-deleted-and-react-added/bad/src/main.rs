fn encode(arguments: &[String]) -> String {
    format!("encodes {}", arguments.join(" "))
}

fn decode(arguments: &[String]) -> String {
    format!("decodes {}", arguments.join(" "))
}
