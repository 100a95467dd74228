import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createShutdown } from '../../../src/platform/process/shutdown.ts';

/** A promise that the test settles. */
function later() {
  let resolve = (): void => undefined;
  let reject = (_error: Error): void => undefined;
  const promise = new Promise<void>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve: () => resolve(), reject: (error: Error) => reject(error) };
}

describe('a process ends', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A process whose shutdown steps the test settles. */
  function setUp() {
    const stopGracefully = later();
    const prepareExit = later();
    const happened: (string | number)[] = [];
    const ending = createShutdown({
      now: () => Date.now(),
      limitMs: 10_000,
      stopGracefully: (signal) => (happened.push(signal), stopGracefully.promise),
      prepareExit: () => (happened.push('halt'), prepareExit.promise),
      exit: (code) => happened.push(code),
      onForce: (reason) => happened.push(reason),
    });
    return { ending, happened, stopGracefully, prepareExit };
  }

  it('gracefully with 0 for one signal that arrives twice, as npm sends it', async () => {
    const { ending, happened, stopGracefully } = setUp();
    ending.signal('SIGINT');
    await vi.advanceTimersByTimeAsync(50);
    ending.signal('SIGINT');
    ending.signal('SIGTERM');
    stopGracefully.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(happened).toEqual(['SIGINT', 0]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'by force with the signal number after a later %s, once the exit is prepared',
    async (signal, code) => {
      const { ending, happened, prepareExit } = setUp();
      ending.signal(signal);
      await vi.advanceTimersByTimeAsync(2500);
      ending.signal(signal);
      ending.signal(signal);
      await vi.advanceTimersByTimeAsync(1000);
      expect(happened).toEqual([signal, 'told to stop once more', 'halt']);
      prepareExit.resolve();
      await vi.advanceTimersByTimeAsync(0);
      expect(happened.slice(3)).toEqual([code]);
    },
  );

  it('by force with 1 when the graceful shutdown fails or takes too long', async () => {
    const failing = setUp();
    failing.ending.signal('SIGTERM');
    failing.stopGracefully.reject(new Error('a store does not close'));
    failing.prepareExit.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(failing.happened).toEqual(['SIGTERM', 'could not stop in order', 'halt', 1]);

    const late = setUp();
    late.ending.signal('SIGTERM');
    late.prepareExit.resolve();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(late.happened).toEqual(['SIGTERM', 'could not stop in time', 'halt', 1]);
    late.stopGracefully.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(late.happened).toHaveLength(4);
  });

  it('by force with 1 after an uncaught error', async () => {
    const { ending, happened, prepareExit } = setUp();
    ending.fail('an error that nobody has caught', new Error('a mistake'));
    prepareExit.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(happened).toEqual(['an error that nobody has caught', 'halt', 1]);
  });
});
