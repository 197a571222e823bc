pub fn f() { x }
