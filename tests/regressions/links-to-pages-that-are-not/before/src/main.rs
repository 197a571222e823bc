fn main() {
    println!("b2v");
}
