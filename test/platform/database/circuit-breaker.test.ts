import { expect, it } from 'vitest';
import { createCircuitBreaker } from '../../../src/platform/database/circuit-breaker.ts';

it('allows no caller right after a loss, then one, and all once that one has succeeded', () => {
  let now = 0;
  const reach = createCircuitBreaker(() => now);
  const tries = () => [reach.mayTry(), reach.mayTry()];
  expect(tries()).toEqual([true, true]);
  reach.failed();
  expect(reach.mayTry()).toBe(false);
  now = 500;
  expect(tries()).toEqual([true, false]);
  reach.failed();
  expect(reach.mayTry()).toBe(false);
  now = 1000;
  expect(reach.mayTry()).toBe(true);
  reach.abandoned();
  expect(tries()).toEqual([true, false]);
  reach.succeeded();
  expect(tries()).toEqual([true, true]);
});
