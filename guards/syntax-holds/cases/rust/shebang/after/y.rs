#!/usr/bin/env x
fn main( {}
