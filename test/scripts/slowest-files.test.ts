import { describe, expect, it } from 'vitest';
import { slowestLines } from '../../scripts/setup/slowest-files.mjs';

const files = Array.from({ length: 12 }, (_, at) => ({
  path: `${at}.test.ts`,
  seconds: at + 0.04,
}));

describe('the list of the slowest test files', () => {
  it('has ten files, the slowest first', () => {
    const lines = slowestLines(files, Infinity);
    expect(lines).toHaveLength(11);
    expect(lines[1]).toBe('   11.0 11.test.ts');
    expect(lines.at(-1)).toBe('    2.0 2.test.ts');
  });

  it('warns of the files that take more than the limit, and of no other', () => {
    expect(slowestLines(files, 10).at(-1)).toBe(
      'over 10 s: 11.test.ts, 10.test.ts; ' +
        'split it, make its set-up cheaper, or move it to the slow suite',
    );
    expect(slowestLines(files, 12).join('\n')).not.toContain('over');
  });
});
