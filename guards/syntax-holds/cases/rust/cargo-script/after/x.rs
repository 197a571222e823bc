#!/usr/bin/env cargo
---
[dependencies]
---
fn main() {}
