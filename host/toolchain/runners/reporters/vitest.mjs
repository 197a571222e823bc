// A reporter of vitest (https://vitest.dev/advanced/reporters). Until version 3 `onFinished` is called, from then on `onTestRunEnd`.
import { createRequire } from 'node:module';

const report = createRequire(import.meta.url)('./channel.cjs');

const OUTCOMES = { pass: 'passed', fail: 'failed' };

function text(errors) {
  return (errors ?? []).map((error) => error.stack ?? error.message ?? String(error)).join('\n');
}

/** A suite or file with an error of its own could not be loaded, or a hook of it failed. */
function visit(task, titles, file) {
  const { state, errors } = task.result ?? {};
  if (task.type === 'suite') {
    if (state === 'fail' && errors?.length > 0) report.test(titles, file, 'errored', text(errors));
    for (const inner of task.tasks) visit(inner, [...titles, inner.name], file);
  } else {
    report.test(titles, file, OUTCOMES[state] ?? 'skipped', text(errors));
  }
}

export default class {
  ended = false;

  onFinished(files = []) {
    if (this.ended) return;
    this.ended = true;
    for (const file of files) visit(file, [], file.filepath);
    report.end();
  }

  onTestRunEnd(modules) {
    this.onFinished(modules.map((module) => module.task));
  }
}
