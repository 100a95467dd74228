import { expect, it } from 'vitest';
import { createCircuitBreaker } from '../../../src/platform/database/circuit-breaker.ts';

it('allows no caller right after a loss, then one, and all once that one has succeeded', () => {
  let now = 0;
  const reach = createCircuitBreaker(() => now);
  expect({ first: reach.mayTry(), second: reach.mayTry() }).toEqual({ first: true, second: true });
  reach.failed();
  expect(reach.mayTry()).toBe(false);
  now = 500;
  expect({ first: reach.mayTry(), second: reach.mayTry() }).toEqual({ first: true, second: false });
  reach.failed();
  expect(reach.mayTry()).toBe(false);
  now = 1000;
  expect(reach.mayTry()).toBe(true);
  reach.abandoned();
  expect({ first: reach.mayTry(), second: reach.mayTry() }).toEqual({ first: true, second: false });
  reach.succeeded();
  expect({ first: reach.mayTry(), second: reach.mayTry() }).toEqual({ first: true, second: true });
});
