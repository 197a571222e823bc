// A reporter of jest (https://jestjs.io/docs/configuration#custom-reporters).
'use strict';
const report = require('./channel.cjs');

const OUTCOMES = { passed: 'passed', failed: 'failed' };

module.exports = class {
  onRunComplete(_contexts, results) {
    for (const file of results.testResults) {
      const cannotRun = file.testExecError || (file.testResults.length === 0 && file.failureMessage);
      if (cannotRun) report.test([], file.testFilePath, 'errored', file.failureMessage);
      for (const test of file.testResults) {
        const name = [...test.ancestorTitles.filter((title) => title !== ''), test.title];
        report.test(name, file.testFilePath, OUTCOMES[test.status] ?? 'skipped', (test.failureMessages ?? []).join('\n'));
      }
    }
    report.end();
  }
};
