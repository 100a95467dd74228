import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it, vi } from 'vitest';
import { createReader } from '../../../../src/areas/analytics/store/duckdb/questions/reader.ts';

it('closing aborts what runs, refuses what comes, and waits for statements', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const setUp = await instance.connect();
  // Nobody has the time to count these.
  await setUp.run(
    'CREATE VIEW events AS SELECT i % 7 AS site_id, make_timestamp(i) AS ts ' +
      'FROM range(1000000000000) t(i)',
  );
  const connect = vi.fn(async () => instance.connect());
  const reader = createReader({ connect, temporaryDir: '/nonexistent' });
  const asked = Promise.allSettled([reader.siteStats(), reader.siteStats()]);
  await vi.waitFor(() => expect(connect).toHaveBeenCalledTimes(2));
  await reader.close();
  const reasons = (await asked).map((result) =>
    result.status === 'rejected' ? String(result.reason) : 'answered',
  );
  expect(reasons).toEqual([
    expect.stringMatching(/interrupt/i),
    expect.stringMatching(/interrupt/i),
  ]);
  await expect(reader.siteStats()).rejects.toThrow('the event store is being closed');
  expect(connect).toHaveBeenCalledTimes(2);
  setUp.closeSync();
  instance.closeSync();
});
