#!/usr/bin/env node
const a = require('a');
if (!a) return;
with (a) { b = 010; }
