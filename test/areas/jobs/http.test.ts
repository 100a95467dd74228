import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { PermanentJobError } from '../../../src/platform/queues/permanent-job-error.ts';
import { asAdmin, freshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';

const soon = { timeout: 8000, interval: 20 };
const sometime = expect.any(String) as string;
let isWell = false;
const app = await freshApp();
const admin = new TestClient(app).as(asAdmin).at('/api/v1/jobs');
const { add } = app.services.queues.defineJob({
  name: 'letters',
  schema: z.object({ to: z.string() }),
  process: async () => {
    if (!isWell) throw new PermanentJobError('no paper');
  },
});
await app.services.queues.start();

const jobs = async (query: string) =>
  (await admin.get<{ data: { id: string }[]; next_cursor: string | null }>(query)).body;
const idsOf = async (query: string) => (await jobs(query)).data.map(({ id }) => id);
const results = async (action: 'retry' | 'cancel', ids: readonly string[]) =>
  (await admin.post<{ data: { result: string }[] }>(`/${action}`, { ids })).body.data;
const cancel = async (ids: readonly string[]) =>
  (await results('cancel', ids)).map(({ result }) => result);

describe('the jobs', () => {
  it('are listed with errors, retried and cancelled by admins; both are audited', async () => {
    for (let at = 0; at < 3; at += 1) await add({ to: `person-${at}@example.com` });
    await vi.waitFor(async () => expect(await idsOf('?name=letters')).toHaveLength(3), soon);
    const first = await jobs('?name=letters&limit=2');
    const second = await jobs(`?name=letters&limit=2&cursor=${first.next_cursor}`);
    expect(second.next_cursor).toBeNull();
    const all = [...first.data, ...second.data];
    const [again = '', ...others] = all.map(({ id }) => id);
    expect(new Set([again, ...others]).size).toBe(3);
    expect(all[0]).toEqual({
      id: expect.stringMatching(/^letters:/) as string,
      name: 'letters',
      state: 'failed',
      created_at: sometime,
      attempts: 3,
      attempts_made: 1,
      run_at: sometime,
      finished_at: sometime,
      error: 'no paper',
    });
    isWell = true;
    expect(await results('retry', [again, 'letters:nothing'])).toEqual([
      { id: again, result: 'retried' },
      { id: 'letters:nothing', result: 'not_found' },
    ]);
    const completed = () => idsOf('?name=letters&state=completed');
    await vi.waitFor(async () => expect(await completed()).toEqual([again]), soon);
    expect(await results('retry', [again])).toEqual([{ id: again, result: 'not_failed' }]);
    expect(await cancel([...others, again])).toEqual(['cancelled', 'cancelled', 'completed']);
    expect(await cancel(others)).toEqual(['not_found', 'not_found']);
    expect(await idsOf('?name=letters')).toEqual([]);
    const audit = await admin.at('/api/v1/audit').get('?action=jobs.*');
    const actor = { kind: 'api_key', id: 'env' };
    expect(audit.body.data).toMatchObject([
      { action: 'jobs.cancelled', actor, details: { count: 2, kinds: { letters: 2 } } },
      { action: 'jobs.retried', actor, details: { count: 1, kinds: { letters: 1 } } },
    ]);
  });

  it('have kinds, which are listed by name with counts, interval and last success', async () => {
    await vi.waitFor(async () => {
      const { data } = (await admin.get<{ data: { name: string }[] }>('/queues')).body;
      const names = data.map(({ name }) => name);
      expect(names).toEqual(names.toSorted());
      expect(data.find(({ name }) => name === 'audit-retention')).toMatchObject({
        concurrency: 1,
        every_s: 86_400,
        delayed: 1,
        failed: 0,
        last_success_at: sometime,
      });
      expect(data.find(({ name }) => name === 'comms-delivery')).toMatchObject({
        concurrency: 10,
        every_s: null,
      });
    }, soon);
  });

  it('are refused to strangers, and to keys without the scope admin', async () => {
    const fields = { name: 'x', scopes: ['analytics:read'] };
    const { key } = (await admin.at('/api/v1/api-keys').post('', fields)).body;
    for (const [status, code, headers] of [
      [401, 'request.unauthenticated', {}],
      [403, 'request.forbidden', { authorization: `Bearer ${String(key)}` }],
    ] as const) {
      const other = new TestClient(app).as(headers).at('/api/v1/jobs');
      for (const path of ['', '/queues']) expect(await other.get(path)).toBeProblem(status, code);
      for (const path of ['/retry', '/cancel'])
        expect(await other.post(path, { ids: ['x'] })).toBeProblem(status, code);
    }
  });

  it('of an unknown kind are 404', async () => {
    expect(await admin.get('?name=nothing')).toBeProblem(404, 'jobs.unknown_kind');
  });

  const cursor = (value: unknown) =>
    `cursor=${Buffer.from(JSON.stringify(value)).toString('base64url')}`;

  it.each(['state=lost', 'limit=101', 'cursor=x', cursor([1, 2])])(
    'are not listed by ?%s',
    async (query) => {
      expect(await admin.get(`?${query}`)).toMatchObject({ status: 422 });
    },
  );

  it.each(['waiting', 'failed', 'delayed'])(
    'that are %s are listed from a cursor with the number of a time only',
    async (state) => {
      const after = (at: number) => admin.get(`?state=${state}&${cursor(['letters', 'x', at])}`);
      expect(await after(2 ** 52)).toMatchObject({ status: 200 });
      for (const at of [1.5, 1e300, -1]) expect(await after(at)).toMatchObject({ status: 422 });
    },
  );

  it.each([
    {},
    { ids: [] },
    { ids: [1] },
    { ids: Array.from({ length: 501 }, () => 'a:1') },
    { ids: ['a:1'], all: true },
  ])('are neither retried nor cancelled by the body %.40j', async (body) => {
    for (const path of ['/retry', '/cancel'])
      expect(await admin.post(path, body)).toMatchObject({ status: 422 });
  });
});
