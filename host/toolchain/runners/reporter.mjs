// A reporter of node:test that writes one JSON object a test: the built-in ones leave out the file (Node 20) or the nesting.
import { inspect } from 'node:util';

export default async function* (source) {
  const path = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') {
      path.length = data.nesting;
      path[data.nesting] = data.name;
    } else if ((type === 'test:pass' || type === 'test:fail') && data.details?.type !== 'suite') {
      const left = data.skip !== undefined || data.todo !== undefined;
      yield JSON.stringify({
        name: [...path.slice(0, data.nesting), data.name],
        file: data.file ?? null,
        outcome: left ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed',
        detail: type === 'test:fail' ? inspect(data.details?.error?.cause ?? data.details?.error) : '',
      }) + '\n';
    }
  }
  yield '{"end":true}\n';
}
