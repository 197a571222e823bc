import { describe, expect, it } from 'vitest';
import { format, parse } from './csv.js';

describe('csv', () => {
  it('reads numbers', () => {
    expect(parse('1,2')).toEqual([1, 2]);
  });

  it('writes numbers', () => {
    expect(format([1, 2])).toBe('1,2');
  });
});
