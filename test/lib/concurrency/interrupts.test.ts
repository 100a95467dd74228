import { describe, expect, it } from 'vitest';
import { createInterrupts } from '../../../src/lib/concurrency/interrupts.ts';

describe('interrupts', () => {
  it('count as echoes within two seconds of the first, and as new ones after that', () => {
    let now = 5000;
    const interrupt = createInterrupts(() => now);
    expect(interrupt()).toBe('first');
    for (const at of [5000, 5001, 5050, 6999]) {
      now = at;
      expect(interrupt()).toBe('same');
    }
    now = 7000;
    expect(interrupt()).toBe('again');
  });
});
