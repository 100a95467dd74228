import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { type Codes, qrClient, target } from './support.ts';

const app = await sharedApp('named');
const qr = qrClient(app);

const codesOf = async (id: string) =>
  (await qr.codes.get<Codes>(`?batch_id=${id}&sort=name&limit=100`)).body.data;
const newestCode = async () => (await qr.codes.get<Codes>('?limit=1')).body.data[0]?.id;

describe('a file of codes', () => {
  it('becomes codes by a job, each with a short link that works', async () => {
    const rows = Array.from({ length: 120 }, (_, at) => `Table ${at},${target}?table=${at},menu`);
    const accepted = await qr.uploadCsv(['name,url,utm_campaign', ...rows].join('\n'));
    expect(accepted).toMatchObject({ status: 202, body: { total: 120 } });
    const { id } = accepted.body;
    expect(await qr.finished(id)).toMatchObject({ done: 120, failed: 0, errors: [] });
    const codes = await codesOf(id);
    expect(codes).toHaveLength(100);
    expect(await qr.leadsTo(codes[0]?.code ?? '')).toMatch(/table=\d+&utm_campaign=menu$/);
    expect((await qr.admin.get<Codes>('/qr-batches')).body.data[0]?.id).toBe(id);
  });

  it('with an invalid row creates nothing, and names the lines', async () => {
    const before = await newestCode();
    const fine = `Fine,${target}`;
    const wrong = `name,url,scan_limit\n${fine},\nBad,javascript:alert(1),\nBad,${target},-3\n`;
    expect(await qr.uploadCsv(wrong)).toBeInvalid('body.3.url', 'body.4.scan_limit');
    const local = `name,url\n${fine}\nBad,http://127.0.0.1/\n`;
    expect(await qr.uploadCsv(local)).toBeInvalid('body.3.url');
    expect(await newestCode()).toBe(before);
  });

  it('skips rows whose short link is taken, and says which', async () => {
    await qr.create({ code: 'taken' });
    const { body } = await qr.uploadCsv(`name,url,code\nA,${target},taken\nB,${target},own-1\n`);
    expect(await qr.finished(body.id)).toMatchObject({
      done: 2,
      failed: 1,
      errors: [{ line: 2, code: 'qr.code_taken' }],
    });
    expect((await codesOf(body.id)).map(({ code }) => code)).toEqual(['own-1']);
  });

  it('gives its codes the style of another one', async () => {
    const { id } = await qr.create({ style: { shape: 'rounded' } });
    const { body } = await qr.uploadCsv(`name,url\nA,${target}\n`, `?style_of=${id}`);
    await qr.finished(body.id);
    expect((await codesOf(body.id))[0]?.style.shape).toBe('rounded');
    const unknown = '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58';
    const refused = await qr.uploadCsv(`name,url\nA,${target}\n`, `?style_of=${unknown}`);
    expect(refused.status).toBe(404);
  });

  it('continues after a process died, without a code twice', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => `Seat ${at},${target}`);
    const { id } = (await qr.uploadCsv(['name,url', ...rows].join('\n'))).body;
    await qr.finished(id);
    // As after a kill between the codes and the note that they are done.
    const made = (await codesOf(id)).map(({ code, name }, at) => {
      return { line: at + 2, code, values: { name, url: target } };
    });
    await app.stores.db
      .updateTable('qr_batches')
      .set({ done: 0, finished_at: null, rows: JSON.stringify(made) })
      .where('id', '=', id)
      .execute();
    await app.services.qr.batches.resume(id);
    expect(await qr.finished(id)).toMatchObject({ done: 60, failed: 0 });
    expect(await codesOf(id)).toHaveLength(60);
  });

  it('has at most 5,000 rows', async () => {
    const rows = Array.from({ length: 5001 }, () => `A,${target}`);
    expect(await qr.uploadCsv(['name,url', ...rows].join('\n'))).toMatchObject({ status: 422 });
  });
});
