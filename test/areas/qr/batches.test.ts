import { beforeAll, describe, expect, vi } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { asAdmin, type TestApp } from '../../support/app.ts';
import { createQrTests, target } from './support.ts';

let app: TestApp;
const { request, call, create, scan } = createQrTests(() => app);
beforeAll(async () => {
  app = await sharedApp('named');
}, 60_000);

const upload = (csv: string, query = '', headers: Record<string, string> = asAdmin) =>
  request({
    method: 'POST',
    url: `/api/v1/qr-batches${query}`,
    headers: { ...headers, 'content-type': 'text/csv' },
    payload: csv,
  });
const batchOf = async (id: string) =>
  (await call('GET', `/${id}`, undefined, asAdmin, '/api/v1/qr-batches')).json();
const finished = (id: string) =>
  vi.waitFor(
    async () => {
      const batch = await batchOf(id);
      expect(batch.status).toBe('done');
      return batch;
    },
    { timeout: 60_000, interval: 50 },
  );
const codesOf = async (id: string, query = '') =>
  (await call('GET', `?batch_id=${id}&sort=name&limit=100${query}`)).json().data;

describe('a file of codes', () => {
  it('becomes codes by a job, each with a short link that works', async () => {
    const rows = Array.from({ length: 120 }, (_, at) => `Table ${at},${target}?table=${at},menu`);
    const answer = await upload(['name,url,utm_campaign', ...rows].join('\n'));
    expect(answer.statusCode).toBe(202);
    const { id, total } = answer.json();
    expect(total).toBe(120);
    expect(await finished(id)).toMatchObject({ done: 120, failed: 0, errors: [] });
    const codes = await codesOf(id);
    expect(codes).toHaveLength(100);
    expect((await scan(codes[0]?.code ?? '')).headers.location).toMatch(
      /table=\d+&utm_campaign=menu$/,
    );
    expect(
      (await call('GET', '', undefined, asAdmin, '/api/v1/qr-batches')).json().data[0]?.id,
    ).toBe(id);
  });

  it('with an invalid row creates nothing, and names the lines', async () => {
    const before = (await call('GET', '?limit=1')).json().data[0]?.id;
    const answer = await upload(
      `name,url,scan_limit\nFine,${target},\nBad,javascript:alert(1),\nBad,${target},-3\n`,
    );
    expect(answer.statusCode).toBe(422);
    const details: { loc: unknown[] }[] = answer.json().detail;
    expect(details.map(({ loc }) => loc)).toEqual([['body', 4, 'scan_limit']]);
    const targets = await upload(`name,url\nFine,${target}\nBad,http://127.0.0.1/\n`);
    expect(targets.json().detail[0]?.loc).toEqual(['body', 3, 'url']);
    expect((await call('GET', '?limit=1')).json().data[0]?.id).toBe(before);
  });

  it('skips rows whose short link is taken, and says which', async () => {
    await create({ code: 'taken' });
    const answer = await upload(`name,url,code\nA,${target},taken\nB,${target},own-1\n`);
    const batch = await finished(answer.json().id);
    expect(batch).toMatchObject({ done: 2, failed: 1 });
    expect(batch.errors).toMatchObject([{ line: 2, code: 'qr.code_taken' }]);
    expect((await codesOf(batch.id)).map(({ code }) => code)).toEqual(['own-1']);
  });

  it('gives its codes the style of another one', async () => {
    const { id } = await create({ style: { shape: 'rounded' } });
    const answer = await upload(`name,url\nA,${target}\n`, `?style_of=${id}`);
    const batch = await finished(answer.json().id);
    expect((await codesOf(batch.id))[0]?.style.shape).toBe('rounded');
    const unknown = '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58';
    expect((await upload(`name,url\nA,${target}\n`, `?style_of=${unknown}`)).statusCode).toBe(404);
  });

  it('goes on after a process died, without a code twice', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => `Seat ${at},${target}`);
    const { id } = (await upload(['name,url', ...rows].join('\n'))).json();
    await finished(id);
    // As after a kill between the codes and the note that they are done.
    await app.stores.db
      .updateTable('qr_batches')
      .set({
        done: 0,
        finished_at: null,
        rows: JSON.stringify(
          (await codesOf(id)).map(({ code, name }, at) => ({
            line: at + 2,
            code,
            values: { name, url: target },
          })),
        ),
      })
      .where('id', '=', id)
      .execute();
    await app.services.qrBatches.resume(id);
    expect(await finished(id)).toMatchObject({ done: 60, failed: 0 });
    expect(await codesOf(id)).toHaveLength(60);
  });

  it('has at most 5,000 rows, and needs an admin', async () => {
    const rows = Array.from({ length: 5001 }, () => `A,${target}`);
    expect((await upload(['name,url', ...rows].join('\n'))).statusCode).toBe(422);
    expect((await upload(`name,url\nA,${target}\n`, '', {})).statusCode).toBe(401);
    expect((await call('GET', '', undefined, {}, '/api/v1/qr-batches')).statusCode).toBe(401);
  });
});
