import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHealth } from '../../../src/areas/health/service.ts';
import type { Check, CheckResult } from '../../../src/areas/health/monitor.ts';

const open = () =>
  createHealth({ clock: { now: () => Date.now() }, intervalMs: 2000, timeoutMs: 1000 });

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the health checks', () => {
  it('run at the start and then on a timer, not when they are read', async () => {
    const health = open();
    const check = vi.fn(async (): Promise<CheckResult> => ({}));
    health.register('database:responseTime', check, { title: 'Records', gate: true });
    expect(check).not.toHaveBeenCalled();
    await health.start();
    for (let read = 0; read < 100; read++) {
      health.ready();
      health.status();
      health.checks();
    }
    expect(check).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(check).toHaveBeenCalledTimes(2);
    health.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(check).toHaveBeenCalledTimes(2);
  });

  it('can have their own interval', async () => {
    const health = open();
    const check = vi.fn(async (): Promise<CheckResult> => ({}));
    health.register('queue:responseTime', check, { title: 'Jobs', intervalMs: 5000 });
    await health.start();
    await vi.advanceTimersByTimeAsync(4999);
    expect(check).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(check).toHaveBeenCalledTimes(2);
    health.stop();
  });

  it('fail on a timeout, never overlap, and recover', async () => {
    const health = open();
    let answer: (result: CheckResult) => void = () => undefined;
    const check = vi.fn<Check>(() => new Promise((resolve) => void (answer = resolve)));
    health.register('database:responseTime', check, { title: 'Records', gate: true });
    void health.start();
    await vi.advanceTimersByTimeAsync(1000);
    expect(health.checks()[0]).toMatchObject({
      status: 'fail',
      result: { output: 'no answer within 1000 ms' },
    });
    expect(check.mock.calls[0]?.[0].aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(check).toHaveBeenCalledTimes(1);
    answer({});
    await vi.advanceTimersByTimeAsync(1500);
    expect(check).toHaveBeenCalledTimes(2);
    answer({});
    await vi.advanceTimersByTimeAsync(0);
    expect(health.checks()[0]).toMatchObject({ status: 'pass' });
    health.stop();
  });

  it('that reject get the status of their onError, with the first line of the reason', async () => {
    const health = open();
    const broken = async () => {
      throw new Error('no route\nsecond line');
    };
    health.register('redis:responseTime', broken, { title: 'Sessions', onError: 'warn' });
    await health.start();
    expect(health.checks()[0]).toMatchObject({ status: 'warn', result: { output: 'no route' } });
    expect(health.status()).toBe('warn');
    health.register('database:responseTime', broken, { title: 'Records' });
    await health.start();
    expect(health.status()).toBe('fail');
    health.stop();
  });

  it('that throw synchronously fail too', async () => {
    const health = open();
    const broken = () => {
      throw new Error('sync');
    };
    health.register('x:y', broken, { title: 'X' });
    await health.start();
    expect(health.checks()[0]).toMatchObject({ status: 'fail', result: { output: 'sync' } });
    health.stop();
  });

  it('record since when they have their status', async () => {
    const health = open();
    const results: CheckResult[] = [{}, {}, { status: 'fail' }];
    health.register('x:y', async () => results.shift() ?? { status: 'fail' }, { title: 'X' });
    await health.start();
    const started = Date.now();
    await vi.advanceTimersByTimeAsync(2000);
    expect(health.checks()[0]).toMatchObject({ changedAt: started, checkedAt: started + 2000 });
    await vi.advanceTimersByTimeAsync(6000);
    expect(health.checks()[0]).toMatchObject({
      changedAt: started + 4000,
      checkedAt: started + 8000,
    });
    health.stop();
  });
});

describe('readiness', () => {
  it('does not depend on checks that are not gates, nor on warnings', async () => {
    const health = open();
    health.register('redis:responseTime', async () => ({ status: 'fail' }), { title: 'Sessions' });
    health.register('database:responseTime', async () => ({ status: 'warn' }), {
      title: 'Records',
      gate: true,
    });
    await health.start();
    expect(health.ready().status).toBe('pass');
    health.stop();
  });
});
