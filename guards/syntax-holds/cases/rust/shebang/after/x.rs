#!/usr/bin/env run-cargo-script
fn main() {}
