import a from 'own';
import b from 'rooted/sub';
import c from '@w/sibling';
import d from 'transitive';
import e from '@s/deep/x';
import f from 'typed';
export default [a, b, c, d, e, f];
