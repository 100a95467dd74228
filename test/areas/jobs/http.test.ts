import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { PermanentJobError } from '../../../src/platform/queues/permanent-job-error.ts';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';

interface Job {
  id: string;
  name: string;
  state: string;
  error: string | null;
}
interface Result {
  id: string;
  result: string;
}

let app: FreshApp;
let add: (payload: { to: string }) => Promise<string>;
let isWell = false;
beforeAll(async () => {
  app = await freshApp();
  ({ add } = app.services.queues.defineJob({
    name: 'letters',
    schema: z.object({ to: z.string() }),
    process: async () => {
      if (!isWell) throw new PermanentJobError('no paper');
    },
  }));
  await app.services.queues.start();
});
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = asAdmin) =>
  app.http.inject({ url, headers });
const post = (url: string, payload: object, headers: Record<string, string> = asAdmin) =>
  app.http.inject({ method: 'POST', url, headers, payload });
const jobs = async (query: string) =>
  (await get(`/api/v1/jobs${query}`)).json<{ data: Job[]; next_cursor: string | null }>();
const results = async (action: 'retry' | 'cancel', ids: readonly string[]) =>
  (await post(`/api/v1/jobs/${action}`, { ids })).json<{ data: Result[] }>().data;

it('admins list failed jobs with errors, retry and cancel them; both are audited', async () => {
  for (let at = 0; at < 3; at += 1) await add({ to: `person-${at}@example.com` });
  await vi.waitFor(async () => expect((await jobs('?name=letters')).data).toHaveLength(3), {
    timeout: 8000,
    interval: 20,
  });
  const first = await jobs('?name=letters&limit=2');
  const second = await jobs(`?name=letters&limit=2&cursor=${first.next_cursor}`);
  const all = [...first.data, ...second.data];
  expect({ size: new Set(all.map(({ id }) => id)).size, next_cursor: second.next_cursor }).toEqual({
    size: 3,
    next_cursor: null,
  });
  expect(all[0]).toEqual({
    id: expect.stringMatching(/^letters:/) as string,
    name: 'letters',
    state: 'failed',
    created_at: expect.any(String) as string,
    attempts: 3,
    attempts_made: 1,
    run_at: expect.any(String) as string,
    finished_at: expect.any(String) as string,
    error: 'no paper',
  });
  const [again = '', ...others] = all.map(({ id }) => id);
  isWell = true;
  expect(await results('retry', [again, 'letters:nothing'])).toEqual([
    { id: again, result: 'retried' },
    { id: 'letters:nothing', result: 'not_found' },
  ]);
  await vi.waitFor(
    async () =>
      expect((await jobs('?name=letters&state=completed')).data.map(({ id }) => id)).toEqual([
        again,
      ]),
    { timeout: 8000, interval: 20 },
  );
  expect(await results('retry', [again])).toEqual([{ id: again, result: 'not_failed' }]);
  expect((await results('cancel', [...others, again])).map(({ result }) => result)).toEqual([
    'cancelled',
    'cancelled',
    'completed',
  ]);
  expect((await results('cancel', others)).map(({ result }) => result)).toEqual([
    'not_found',
    'not_found',
  ]);
  expect((await jobs('?name=letters')).data).toEqual([]);
  const audit = (await get('/api/v1/audit?action=jobs.*')).json<{
    data: { action: string; actor: object; details: object }[];
  }>();
  const actor = { kind: 'api_key', id: 'env' };
  expect(audit.data.map(({ action, actor: by, details }) => [action, by, details])).toEqual([
    ['jobs.cancelled', actor, { count: 2, kinds: { letters: 2 } }],
    ['jobs.retried', actor, { count: 1, kinds: { letters: 1 } }],
  ]);
});

it('kinds of jobs are listed with counts, interval and last success', async () => {
  await vi.waitFor(
    async () => {
      const { data } = (await get('/api/v1/jobs/queues')).json<{
        data: Record<string, unknown>[];
      }>();
      expect(data.map(({ name }) => name)).toEqual(
        [...data.map(({ name }) => String(name))].sort(),
      );
      expect(data.find(({ name }) => name === 'audit-retention')).toMatchObject({
        concurrency: 1,
        every_s: 86_400,
        delayed: 1,
        failed: 0,
        last_success_at: expect.any(String) as string,
      });
      expect(data.find(({ name }) => name === 'comms-delivery')).toMatchObject({
        concurrency: 10,
        every_s: null,
      });
    },
    { timeout: 8000 },
  );
});

it('only admins have access, and invalid parameters are named', async () => {
  const { key } = (await post('/api/v1/api-keys', { name: 'x', scopes: ['analytics:read'] })).json<{
    key: string;
  }>();
  for (const [headers, status] of [
    [{}, 401],
    [{ authorization: `Bearer ${key}` }, 403],
  ] as const) {
    expect({
      first: (await get('/api/v1/jobs', headers)).statusCode,
      second: (await get('/api/v1/jobs/queues', headers)).statusCode,
    }).toEqual({ first: status, second: status });
    expect({
      first: (await post('/api/v1/jobs/retry', { ids: ['x'] }, headers)).statusCode,
      second: (await post('/api/v1/jobs/cancel', { ids: ['x'] }, headers)).statusCode,
    }).toEqual({ first: status, second: status });
  }
  const unknown = await get('/api/v1/jobs?name=nothing');
  expect({ status: unknown.statusCode, code: unknown.json<{ code: string }>().code }).toEqual({
    status: 404,
    code: 'jobs.unknown_kind',
  });
  for (const query of [
    '?state=lost',
    '?limit=101',
    '?cursor=x',
    `?cursor=${Buffer.from('[1,2]').toString('base64url')}`,
  ])
    expect({ query, status: (await get(`/api/v1/jobs${query}`)).statusCode }).toEqual({
      query,
      status: 422,
    });
  for (const body of [
    {},
    { ids: [] },
    { ids: [1] },
    { ids: Array.from({ length: 501 }, () => 'a:1') },
    { ids: ['a:1'], all: true },
  ]) {
    expect({
      first: (await post('/api/v1/jobs/retry', body)).statusCode,
      second: (await post('/api/v1/jobs/cancel', body)).statusCode,
    }).toEqual({ first: 422, second: 422 });
  }
  const after = (at: number) =>
    Buffer.from(JSON.stringify(['letters', 'x', at])).toString('base64url');
  for (const state of ['waiting', 'failed', 'delayed']) {
    expect({
      state,
      status: (await get(`/api/v1/jobs?state=${state}&cursor=${after(2 ** 52)}`)).statusCode,
    }).toEqual({ state, status: 200 });
    for (const at of [1.5, 1e300, -1])
      expect({
        state,
        at,
        status: (await get(`/api/v1/jobs?state=${state}&cursor=${after(at)}`)).statusCode,
      }).toEqual({ state, at, status: 422 });
  }
});
