import { describe, expect } from 'vitest';
import { minuteMs } from '../../../src/lib/durations.ts';
import { errorsIn } from '../../support/log.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { type Codes, qrClient, target } from '../../areas/qr/support.ts';
import { fromElsewhere, redirectTo } from '../../support/responses.ts';
import { faultsOf, home, personOf, unknownId } from './pages.ts';

let now = Date.now();

const app = await sharedApp('console', { clock: { now: () => now } });
const qr = qrClient(app);
const admin = await personOf(app, 'ada@example.com', ['admin']);
const viewer = await personOf(app, 'vic@example.com', ['viewer']);

const files = async () => (await app.services.qr.batches.list()).map(({ id }) => id);
const stored = async () => ({
  files: await files(),
  codes: (await app.stores.db.selectFrom('qr_codes').select('id').execute()).length,
});

/** Uploads a file with the form. Returns its id. */
async function upload(values: Record<string, string>): Promise<string> {
  const { status, headers, text } = await admin.form('qr/files', { ...values, confirmed: 'yes' });
  expect({ status, text }).toEqual({ status: 303, text: '' });
  return /files\/([\da-f-]{36})\?done=created$/.exec(String(headers.location))?.[1] ?? '';
}

/** Uploads a file with the form, and waits for its codes. Returns its id. */
async function uploaded(values: Record<string, string>): Promise<string> {
  const id = await upload(values);
  await qr.finished(id);
  return id;
}

const pagesIn = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length;

describe('codes from files in the console', () => {
  it('are reached from the list of codes, which has no other import', async () => {
    const list = (await admin.page('qr')).text;
    expect(list).toContain(`href="${home}qr/files"`);
    expect(list).not.toContain('qr-codes/import');
    expect((await admin.page('records/qr-codes')).status).toBe(302);
    const empty = await admin.page('qr/files');
    expect(empty.text).toContain('Nothing imported yet.');
    expect(empty.text).toContain(`href="${home}qr/files/new"`);
    expect(await faultsOf(empty.text)).toEqual([]);
  });

  it('are created by a form, and listed with their progress, name and sender', async () => {
    // Few enough for one page of the list, whose order is random: all have the same time.
    const rows = ['name,url', ...Array.from({ length: 20 }, (_, at) => `Seat ${at},${target}`)];
    const id = await uploaded({ rows: rows.join('\r\n'), name: 'seats <1>.csv', style_of: '' });
    const { status, text } = await admin.page(`qr/files/${id}?done=created`);
    expect(status).toBe(200);
    expect(await faultsOf(text)).toEqual([]);
    for (const part of ['Import started.', '20 of 20', 'seats &lt;1&gt;.csv'])
      expect(text).toContain(part);
    expect(text).not.toContain('seats <1>');
    expect(text).toContain('All rows so far have become codes.');
    const list = await admin.page('qr/files');
    expect(await faultsOf(list.text)).toEqual([]);
    expect(list.text).toMatch(/seats &lt;1&gt;\.csv[\s\S]*ada@example\.com[\s\S]*20 of 20/);
    const link = /qr\?batch_id=[\da-f-]+/.exec(text)?.[0] ?? '';
    expect((await admin.page(link)).text).toContain('Seat 19');
  });

  it('tell which rows failed and why, with nothing of the file as markup', async () => {
    await qr.create({ code: 'taken' });
    const rows = `name,url,code\n<script>alert(1)</script>,${target},own-1\nB,${target},taken\n`;
    const id = await uploaded({ rows, name: '<script>alert(2)</script>' });
    const page = await admin.page(`qr/files/${id}`);
    expect(page.text).toMatch(
      /<th scope="row">3<\/th>\s*<td[^>]*>Another QR code uses this short link/,
    );
    const list = await admin.page('qr/files');
    const codes = await admin.page(`qr?batch_id=${id}`);
    for (const { text } of [page, list]) {
      expect(text).toContain('&lt;script&gt;alert(2)');
      expect(text).not.toContain('<script>alert');
    }
    expect(codes.text).toContain('&lt;script&gt;alert(1)');
    expect(codes.text).not.toContain('<script>alert');
  });

  it('may be 5,000 rows of 400 characters', async () => {
    const long = 'x'.repeat(360);
    const rows = Array.from({ length: 5000 }, (_, at) => `Chair ${at},${target}?${long}`);
    const id = await upload({ rows: ['name,url', ...rows].join('\n') });
    const running = (await admin.page(`qr/files/${id}`)).text;
    expect(running).toMatch(/[\d,]+ of 5,000/);
    expect(running).toContain('data-every="3"');
    expect(running).toContain('Pictures and labels appear here once all codes are created.');
    for (const path of [`qr/files/${id}/images`, `qr/labels?batch_id=${id}&layout=l7160`])
      expect((await admin.page(path)).status).toBe(409);
    // As when all are created, which takes minutes.
    await app.stores.db
      .updateTable('qr_batches')
      .set({ done: 5000, finished_at: new Date(now) })
      .where('id', '=', id)
      .execute();
    const finished = (await admin.page(`qr/files/${id}`)).text;
    expect(finished).toContain('<option value="4500">4,501 to 5,000</option>');
    expect(finished).not.toContain('data-every');
  });

  it('may have the style of another code, which has to exist', async () => {
    const styled = await qr.create({ name: 'Round', style: { shape: 'dots' } });
    const plain = await qr.create({ name: 'Not styled' });
    const form = await admin.page(`qr/files/new?style_of=${styled.id}`);
    expect(await faultsOf(form.text)).toEqual([]);
    expect(form.text).toContain(`name="style_of" value="${styled.id}"`);
    const rows = `name,url\nA,${target}\n`;
    const { text } = await admin.form('qr/files', { rows, style_of: styled.id });
    expect(text).toContain(`<option value="${styled.id}" selected>Round (`);
    expect(text).not.toContain(plain.id);
    const id = await uploaded({ rows, style_of: styled.id });
    const codes = await qr.codes.get<Codes>(`?batch_id=${id}`);
    expect(codes.body.data[0]?.style.shape).toBe('dots');
    const before = await files();
    for (const wrong of [unknownId, 'x'])
      expect((await admin.form('qr/files', { rows, style_of: wrong })).status).toBe(422);
    expect(await files()).toEqual(before);
  });

  it('come with an example, which is a file of codes', async () => {
    const example = await admin.page('qr/files/example');
    expect(example.headers['content-type']).toContain('text/csv');
    expect(example.text).toMatch(/^name,url,site_id,/);
    await uploaded({ rows: example.text });
  });

  it('show their first rows before any code is created', async () => {
    const before = await stored();
    const rows = ['name,url', ...Array.from({ length: 7 }, (_, at) => `Row <${at}>,${target}`)];
    const { status, text } = await admin.form('qr/files', {
      ...{ rows: rows.join('\n'), name: 'rows.csv', style_of: '' },
    });
    expect(status).toBe(200);
    expect(await faultsOf(text)).toEqual([]);
    expect(text).toContain('7 codes are ready to create.');
    expect(text).toContain('Row &lt;4&gt;');
    expect(text).not.toMatch(/<td[^>]*>Row &lt;5&gt;|Row <\d>/);
    expect(text).toContain('And 2 more rows.');
    expect(await stored()).toEqual(before);
  });

  it.each([
    ['an invalid row', `name,url\nA,${target}\nB,javascript:alert(1)\n`, 'Line 3, url: '],
    ['an invalid number', `name,url,scan_limit\nA,${target},<b>`, 'Line 2, scan_limit: '],
    ['an unknown column', `name,<script>\nA,B\n`, 'has the unknown columns'],
    ['no row', '  ', 'Choose a file or paste rows first.'],
    [
      '5,001 rows',
      `name,url\n${`A,${target}\n`.repeat(5001)}`,
      'Line 5002 must be among the first 5000 rows.',
    ],
  ])('with %s create nothing, and say what is wrong', async (_case, rows, message) => {
    const before = await stored();
    const answer = await admin.form('qr/files', { rows });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(message);
    expect(answer.text).not.toMatch(/<script>(?!\s*\{)|<b>/);
    expect(await stored()).toEqual(before);
  });

  it('become a zip of pictures, and labels on sheets', async () => {
    const rows = ['name,url', ...Array.from({ length: 25 }, (_, at) => `Bed ${at},${target}`)];
    const id = await uploaded({ rows: rows.join('\n') });
    const zip = await admin.page(`qr/files/${id}/images?format=svg`);
    expect(zip).toMatchObject({ status: 200, headers: { 'content-type': 'application/zip' } });
    expect(zip.bytes.toString('latin1').match(/Bed-\d+-\w+\.svg/g)).toHaveLength(50);
    const pages = async (query: string) => {
      const sheet = await admin.page(`qr/labels?batch_id=${id}&${query}`);
      expect(sheet).toMatchObject({ status: 200, headers: { 'content-type': 'application/pdf' } });
      return pagesIn(sheet.bytes);
    };
    expect(await pages('layout=l7160')).toBe(2);
    expect(await pages('layout=l7160&offset=20')).toBe(1);
    expect(await pages('layout=5160')).toBe(1);
    expect(await pages('layout=grid-letter-3')).toBeGreaterThan(1);
    for (const query of ['layout=a3', 'layout=l7160&offset=-1'])
      expect((await admin.page(`qr/labels?batch_id=${id}&${query}`)).status).toBe(422);
  });

  it('leave no error in the log when they are downloaded', async () => {
    const { id } = await qr.create();
    const before = app.log().length;
    expect((await admin.page(`qr/${id}/picture?format=png`)).status).toBe(200);
    // The log line of a later request shows that the first one has ended.
    await admin.page('qr/files');
    expect(errorsIn(app.log().slice(before))).toEqual([]);
  });

  it('are as many labels of one code as were asked for', async () => {
    const { id } = await qr.create();
    expect((await admin.page(`qr/${id}/labels`)).text).toContain('Copies');
    const sheet = await admin.page(`qr/labels?id=${id}&copies=22&layout=l7160`);
    expect(pagesIn(sheet.bytes)).toBe(2);
    for (const [query, status] of [
      [`id=${id}&copies=501&layout=l7160`, 422],
      [`id=${id}&batch_id=${unknownId}&layout=l7160`, 422],
      [`id=${unknownId}&layout=l7160`, 404],
      [`batch_id=${unknownId}&layout=l7160`, 404],
    ] as const)
      expect((await admin.page(`qr/labels?${query}`)).status, query).toBe(status);
  });

  it('are labels of chosen codes, of the newest ones, and named after the only one', async () => {
    const [one, other] = [await qr.create({ name: 'Summer menu' }), await qr.create()];
    const named = await admin.page(`qr/labels?id=${one.id}&layout=5160`);
    expect(named.headers['content-disposition']).toContain('summer-menu-labels.pdf');
    const both = await admin.page(`qr/labels?id=${one.id}&id=${other.id}&layout=l7160`);
    expect(pagesIn(both.bytes)).toBe(1);
    expect(pagesIn((await admin.page('qr/labels?layout=l7160')).bytes)).toBeGreaterThan(0);
    const page = await admin.page('qr/labels');
    expect(page.text).toContain('All codes, newest first');
    expect(await faultsOf(page.text)).toEqual([]);
  });

  it('are for admins with a fresh sign-in, and forms of this origin', async () => {
    const before = await stored();
    const rows = `name,url\nEve,${target}\n`;
    const pages = ['qr/files', 'qr/files/new', 'qr/files/example', `qr/files/${unknownId}`];
    for (const path of [...pages, `qr/files/${unknownId}/images`, 'qr/labels?layout=l7160'])
      expect((await viewer.page(path)).status, path).toBe(403);
    expect((await viewer.form('qr/files', { rows })).status).toBe(403);
    const forged = await admin.form('qr/files', { rows }, { headers: fromElsewhere });
    expect(forged.status).toBe(403);
    for (const path of [`qr/files/${unknownId}`, `qr/files/${unknownId}/images`])
      expect((await admin.page(path)).status).toBe(404);
    now += 31 * minuteMs;
    expect(await admin.form('qr/files', { rows })).toMatchObject(
      redirectTo(expect.stringMatching(/^\/login\?.*reason=fresh/)),
    );
    expect((await admin.page('qr/files/new')).status).toBe(303);
    expect((await admin.page('qr/files')).status).toBe(200);
    expect(await stored()).toEqual(before);
  });
});
