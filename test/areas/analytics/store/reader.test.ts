import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it, vi } from 'vitest';
import { createReader } from '../../../../src/areas/analytics/store/duckdb/queries/reader.ts';

it('closing aborts running queries, refuses new ones and waits for statements', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const setup = await instance.connect();
  // Counting these would take hours.
  await setup.run(
    'CREATE VIEW events AS SELECT i % 7 AS site_id, make_timestamp(i) AS ts ' +
      'FROM range(1000000000000) t(i)',
  );
  const connect = vi.fn(async () => instance.connect());
  const reader = createReader({ connect, temporaryDir: '/nonexistent' });
  const pending = Promise.allSettled([
    reader.read('siteStats', null),
    reader.read('siteStats', null),
  ]);
  await vi.waitFor(() => expect(connect).toHaveBeenCalledTimes(2));
  await reader.close();
  const reasons = (await pending).map((result) =>
    result.status === 'rejected' ? String(result.reason) : 'answered',
  );
  expect(reasons).toEqual([
    expect.stringMatching(/interrupt/i),
    expect.stringMatching(/interrupt/i),
  ]);
  await expect(reader.read('siteStats', null)).rejects.toThrow('the event store is being closed');
  expect(connect).toHaveBeenCalledTimes(2);
  setup.closeSync();
  instance.closeSync();
});
