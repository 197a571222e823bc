// A reporter of node:test: the built-in ones leave out the file (Node 20) or the nesting.
import { createRequire } from 'node:module';
import { inspect } from 'node:util';

const report = createRequire(import.meta.url)('./channel.cjs');

export default async function* (source) {
  const path = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') {
      path.length = data.nesting;
      path[data.nesting] = data.name;
    } else if (type === 'test:pass' || type === 'test:fail') {
      const name = [...path.slice(0, data.nesting), data.name];
      const error = data.details?.error;
      const detail = type === 'test:fail' ? inspect(error?.cause ?? error) : '';
      const left = (data.skip !== undefined && data.skip !== false) || (data.todo !== undefined && data.todo !== false);
      if (data.details?.type !== 'suite') {
        report.test(name, data.file, left ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed', detail);
      } else if (type === 'test:fail' && !left && error?.failureType !== 'subtestsFailed') {
        // A hook of the suite failed, and its tests may have passed.
        report.test(name, data.file, 'errored', detail);
      }
    }
  }
  report.end();
}
