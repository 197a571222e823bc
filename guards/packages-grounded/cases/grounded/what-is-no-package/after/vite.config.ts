import a from './a';
import b from '@/lib/x';
import c from '~/x';
import d from '#internal';
import e from 'virtual:pwa';
import f from 'node:test';
import g from 'bun:sqlite';
import h from 'fs/promises';
import i from 'src/lib/a';
// import j from 'commented';
const k = "import l from 'quoted'";
try { require('optional-thing') } catch {}
export default { plugins: ['a-string'] };
