import a from 'pkg-a';
export { b } from 'pkg-b/x';
export * from '@s/pkg-c/y';
const d = require('pkg-d');
const e = await import('pkg-e');
const f = require.resolve('pkg-f');
import type { G } from 'pkg-g';
export default {};
