import { beforeAll, describe, expect, vi } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { type Codes, type QrClient, qrClient, target } from '../../areas/qr/support.ts';
import type { TestApp } from '../../support/app.ts';
import { faultsOf, home, look, personOf, submit } from './pages.ts';

let app: TestApp;
let now = Date.now();
let admin: Record<string, string>;
let viewer: Record<string, string>;
let qr: QrClient;

beforeAll(async () => {
  app = await sharedApp('console', { clock: { now: () => now } });
  qr = qrClient(app);
  admin = (await personOf(app, 'ada@example.com', ['admin'])).headers;
  viewer = (await personOf(app, 'vic@example.com', ['viewer'])).headers;
}, 60_000);

const files = async () => (await app.services.qrBatches.list()).map(({ id }) => id);
const codeCount = async () =>
  (await app.stores.db.selectFrom('qr_codes').select('id').execute()).length;

const unknown = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';
const idIn = ({ headers }: { headers: { location?: string | string[] | undefined } }): string =>
  /files\/([\da-f-]{36})\?done=created$/.exec(String(headers.location))?.[1] ?? '';

/** Uploads a file by the form, and waits for its codes. Returns its page. */
async function uploaded(values: Record<string, string>): Promise<string> {
  const answer = await submit(app, 'qr/files', values, admin);
  expect({ status: answer.statusCode, body: answer.body }).toEqual({ status: 303, body: '' });
  const id = idIn(answer);
  await vi.waitFor(async () => expect((await app.services.qrBatches.get(id)).status).toBe('done'), {
    timeout: 60_000,
    interval: 50,
  });
  return String(answer.headers.location);
}

describe('codes from files in the console', () => {
  it('are reached from the list of codes, which has no other import', async () => {
    const list = (await look(app, 'records/qr-codes', admin)).body;
    expect(list).toContain(`href="${home}qr/files"`);
    expect(list).not.toContain('qr-codes/import');
    expect((await look(app, 'records/qr-codes/import', admin)).statusCode).not.toBe(200);
    const empty = await look(app, 'qr/files', admin);
    expect(empty.body).toContain('No files yet.');
    expect(empty.body).toContain(`href="${home}qr/files/new"`);
    expect(await faultsOf(empty.body)).toEqual([]);
  });

  it('are created by a form, and listed with their progress, name and sender', async () => {
    // Few enough for one page of the list, whose order is random: all have the same time.
    const rows = ['name,url', ...Array.from({ length: 45 }, (_, at) => `Seat ${at},${target}`)];
    const path = await uploaded({ rows: rows.join('\r\n'), name: 'seats <1>.csv', style_of: '' });
    const page = await look(app, path, admin);
    expect(page.statusCode).toBe(200);
    expect(await faultsOf(page.body)).toEqual([]);
    expect(page.body).toContain('File accepted.');
    expect(page.body).toContain('45 of 45');
    expect(page.body).toContain('seats &lt;1&gt;.csv');
    expect(page.body).not.toContain('seats <1>');
    expect(page.body).toContain('Every row so far has become a code.');
    const list = await look(app, 'qr/files', admin);
    expect(await faultsOf(list.body)).toEqual([]);
    expect(list.body).toMatch(/seats &lt;1&gt;\.csv[\s\S]*ada@example\.com[\s\S]*45 of 45/);
    const codes = await look(
      app,
      /records\/qr-codes\?batch_id=[\da-f-]+/.exec(page.body)?.[0] ?? '',
      admin,
    );
    expect(codes.body).toContain('Seat 44');
  });

  it('tell which rows failed and why, with nothing of the file as markup', async () => {
    await qr.create({ code: 'taken' });
    const rows = `name,url,code\n<script>alert(1)</script>,${target},own-1\nB,${target},taken\n`;
    const path = await uploaded({ rows, name: '<script>alert(2)</script>' });
    const page = await look(app, path, admin);
    expect(page.body).toMatch(/<th scope="row">3<\/th>\s*<td>Another QR code has this short link/);
    const list = await look(app, 'qr/files', admin);
    const id = /files\/([^?]+)/.exec(path)?.[1] ?? '';
    const codes = await look(app, `records/qr-codes?batch_id=${id}`, admin);
    for (const { body } of [page, list]) {
      expect(body).toContain('&lt;script&gt;alert(2)');
      expect(body).not.toContain('<script>alert');
    }
    expect(codes.body).toContain('&lt;script&gt;alert(1)');
    expect(codes.body).not.toContain('<script>alert');
  });

  it('may be 5,000 rows of 400 characters', async () => {
    const long = 'x'.repeat(360);
    const rows = Array.from({ length: 5000 }, (_, at) => `Chair ${at},${target}?${long}`);
    const answer = await submit(app, 'qr/files', { rows: ['name,url', ...rows].join('\n') }, admin);
    expect(answer.statusCode).toBe(303);
    const id = idIn(answer);
    const running = await look(app, `qr/files/${id}`, admin);
    expect(running.body).toMatch(/[\d,]+ of 5,000/);
    expect(running.body).toContain('data-every="3"');
    expect(running.body).toContain('Pictures and labels appear here once all codes are created.');
    for (const path of [`qr/files/${id}/images`, `qr/labels?batch_id=${id}&layout=l7160`])
      expect((await look(app, path, admin)).statusCode).toBe(409);
    // As when all are created, which takes minutes.
    await app.stores.db
      .updateTable('qr_batches')
      .set({ done: 5000, finished_at: new Date(now) })
      .where('id', '=', id)
      .execute();
    const finished = (await look(app, `qr/files/${id}`, admin)).body;
    expect(finished).toContain('<option value="4500">4,501 to 5,000</option>');
    expect(finished).not.toContain('data-every');
  });

  it('may have the style of another code, which has to exist', async () => {
    const styled = await qr.create({ name: 'Round', style: { shape: 'dots' } });
    const plain = await qr.create({ name: 'Not styled' });
    const form = await look(app, `qr/files/new?style_of=${styled.id}`, admin);
    expect(await faultsOf(form.body)).toEqual([]);
    expect(form.body).toContain(`<option value="${styled.id}" selected>Round (`);
    expect(form.body).not.toContain(plain.id);
    const rows = `name,url\nA,${target}\n`;
    const path = await uploaded({ rows, style_of: styled.id });
    const { data } = (await qr.codes.get<Codes>(`?batch_id=${/files\/([^?]+)/.exec(path)?.[1]}`))
      .body;
    expect(data[0]?.style.shape).toBe('dots');
    const before = await files();
    for (const wrong of [unknown, 'x']) {
      const refused = await submit(app, 'qr/files', { rows, style_of: wrong }, admin);
      expect(refused.statusCode).toBe(422);
    }
    expect(await files()).toEqual(before);
  });

  it('come with an example, which is a file of codes', async () => {
    const example = await look(app, 'qr/files/example', admin);
    expect(example.headers['content-type']).toContain('text/csv');
    expect(example.body).toMatch(/^name,url,site_id,/);
    await uploaded({ rows: example.body });
  });

  it.each([
    ['an invalid row', `name,url\nA,${target}\nB,javascript:alert(1)\n`, 'Line 3, url: '],
    ['a number that is none', `name,url,scan_limit\nA,${target},<b>`, 'Line 2, scan_limit: '],
    ['an unknown column', `name,<script>\nA,B\n`, 'has the unknown columns'],
    ['no row', '  ', 'Choose a file or paste rows first.'],
    [
      '5,001 rows',
      `name,url\n${`A,${target}\n`.repeat(5001)}`,
      'Line 5002 must be among the first 5000 rows.',
    ],
  ])('with %s create nothing, and say what is wrong', async (_case, rows, message) => {
    const before = { files: await files(), codes: await codeCount() };
    const answer = await submit(app, 'qr/files', { rows }, admin);
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain(message);
    expect(answer.body).not.toMatch(/<script>(?!\s*\{)|<b>/);
    expect({ files: await files(), codes: await codeCount() }).toEqual(before);
  });

  it('become a zip of pictures, and labels on sheets', async () => {
    const rows = ['name,url', ...Array.from({ length: 25 }, (_, at) => `Bed ${at},${target}`)];
    const path = await uploaded({ rows: rows.join('\n') });
    const id = /files\/([^?]+)/.exec(path)?.[1] ?? '';
    const zip = await look(app, `qr/files/${id}/images?format=svg`, admin);
    expect({ status: zip.statusCode, 'content-type': zip.headers['content-type'] }).toEqual({
      status: 200,
      'content-type': 'application/zip',
    });
    expect(zip.rawPayload.toString('latin1').match(/Bed-\d+-\w+\.svg/g)).toHaveLength(50);
    const pages = async (query: string) => {
      const sheet = await look(app, `qr/labels?batch_id=${id}&${query}`, admin);
      expect({ status: sheet.statusCode, 'content-type': sheet.headers['content-type'] }).toEqual({
        status: 200,
        'content-type': 'application/pdf',
      });
      return sheet.rawPayload.toString('latin1').match(/\/Type \/Page\b/g)?.length;
    };
    expect(await pages('layout=l7160&columns=3')).toBe(2);
    expect(await pages('layout=l7160&columns=3&offset=20')).toBe(1);
    expect(await pages('layout=5160&columns=3')).toBe(1);
    expect(await pages('layout=grid-letter&columns=1')).toBeGreaterThan(10);
    for (const query of ['layout=a3', 'layout=l7160&columns=9', 'layout=l7160&offset=-1'])
      expect((await look(app, `qr/labels?batch_id=${id}&${query}`, admin)).statusCode).toBe(422);
  });

  it('are as many labels of one code as were asked for', async () => {
    const { id } = await qr.create();
    expect((await look(app, `qr?id=${id}`, admin)).body).toContain('Copies');
    const sheet = await look(app, `qr/labels?id=${id}&copies=22&layout=l7160&columns=3`, admin);
    expect(sheet.rawPayload.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2);
    for (const [query, status] of [
      [`id=${id}&copies=501&layout=l7160`, 422],
      [`id=${id}&batch_id=${unknown}&layout=l7160`, 422],
      ['layout=l7160', 422],
      [`id=${unknown}&layout=l7160`, 404],
      [`batch_id=${unknown}&layout=l7160`, 404],
    ] as const)
      expect({ query, status: (await look(app, `qr/labels?${query}`, admin)).statusCode }).toEqual({
        query,
        status,
      });
  });

  it('are for admins with a fresh sign-in, and forms of this origin', async () => {
    const before = { files: await files(), codes: await codeCount() };
    const rows = `name,url\nEve,${target}\n`;
    const pages = ['qr/files', 'qr/files/new', 'qr/files/example', `qr/files/${unknown}`];
    for (const path of [...pages, `qr/files/${unknown}/images`, 'qr/labels?layout=l7160'])
      expect({ path, status: (await look(app, path, viewer)).statusCode }).toEqual({
        path,
        status: 403,
      });
    expect((await submit(app, 'qr/files', { rows }, viewer)).statusCode).toBe(403);
    const forged = await app.http.inject({
      method: 'POST',
      url: `${home}qr/files`,
      payload: new URLSearchParams({ rows }).toString(),
      headers: {
        ...admin,
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
      },
    });
    expect(forged.statusCode).toBe(403);
    for (const path of [`qr/files/${unknown}`, `qr/files/${unknown}/images`])
      expect((await look(app, path, admin)).statusCode).toBe(404);
    now += 6 * 60_000;
    const stale = await submit(app, 'qr/files', { rows }, admin);
    expect({ status: stale.statusCode, location: stale.headers.location }).toEqual({
      status: 303,
      location: expect.stringMatching(/^\/login\?.*reason=fresh/) as string,
    });
    expect((await look(app, 'qr/files/new', admin)).statusCode).toBe(303);
    expect((await look(app, 'qr/files', admin)).statusCode).toBe(200);
    expect({ files: await files(), codes: await codeCount() }).toEqual(before);
  });
});
