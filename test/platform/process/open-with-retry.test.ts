import { expect, it } from 'vitest';
import { createLogger } from '../../../src/platform/process/logger.ts';
import { openWithRetry } from '../../../src/platform/process/open-with-retry.ts';

const away = () =>
  new Error('Redis cannot be reached: connect ECONNREFUSED', {
    cause: Object.assign(new Error('connect ECONNREFUSED'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    }),
  });

function capturing() {
  const lines: string[] = [];
  return {
    lines,
    logger: createLogger({ level: 'info', destination: { write: (line) => lines.push(line) } }),
  };
}

it('opens a store that is unavailable at first, and logs what it waits for', async () => {
  const { lines, logger } = capturing();
  let tries = 0;
  const opened = await openWithRetry(
    async () => {
      tries += 1;
      if (tries < 3) throw away();
      return 'open';
    },
    { name: 'Redis', limitMs: 60_000, logger, pauseMs: 1 },
  );
  expect(opened).toBe('open');
  expect(tries).toBe(3);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"store":"Redis"');
});

it('does not retry other errors, nor without a limit', async () => {
  const { lines, logger } = capturing();
  const wrong = new Error('WRONGPASS invalid username-password pair');
  const open = (error: Error, limitMs: number) =>
    openWithRetry(() => Promise.reject(error), { name: 'Redis', limitMs, logger });
  await expect(open(wrong, 60_000)).rejects.toBe(wrong);
  await expect(open(away(), 0)).rejects.toThrow('ECONNREFUSED');
  expect(lines).toEqual([]);
});
