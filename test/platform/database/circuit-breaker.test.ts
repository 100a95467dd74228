import { expect, it } from 'vitest';
import { createCircuitBreaker } from '../../../src/platform/database/circuit-breaker.ts';

it('allows no caller right after a loss, then one, and all once that one has succeeded', () => {
  let now = 0;
  const reach = createCircuitBreaker(() => now);
  expect([reach.mayTry(), reach.mayTry()]).toEqual([true, true]);
  reach.failed();
  expect(reach.mayTry()).toBe(false);
  now = 500;
  expect([reach.mayTry(), reach.mayTry()]).toEqual([true, false]);
  reach.failed();
  expect(reach.mayTry()).toBe(false);
  now = 1000;
  expect(reach.mayTry()).toBe(true);
  reach.abandoned();
  expect([reach.mayTry(), reach.mayTry()]).toEqual([true, false]);
  reach.succeeded();
  expect([reach.mayTry(), reach.mayTry()]).toEqual([true, true]);
});
