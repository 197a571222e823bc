use size::of;

fn main() {
    of("x");
}
