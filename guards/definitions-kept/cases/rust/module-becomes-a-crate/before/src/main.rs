mod size;
use size::of;

fn main() {
    of("x");
}
