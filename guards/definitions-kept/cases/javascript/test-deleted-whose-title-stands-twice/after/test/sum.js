const { sum, mean } = require('../src/sum')
const assert = require('assert')

describe('sum', function () {
  it('should be nothing of nothing', function () {
    const result = sum([])
    assert.strictEqual(result, 0)
  })
})

describe('mean', function () {
})
