import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { type IngestClient, newSite, openIngest } from './ingest-client.ts';

let client: IngestClient;
let reader: { authorization: string };
let site = '';
const unknownId = '01900000-0000-7000-8000-000000000000';
beforeAll(async () => {
  client = await openIngest();
  reader = await client.keyWith('analytics:read');
});
afterAll(() => client.close());

async function registerSite(): Promise<string> {
  const name = newSite();
  await client.ask('POST', '/analytics/sites', asAdmin, { site_id: name });
  return name;
}
interface Note {
  id: string;
  at: string;
  text: string;
}
const at = (name: string, path = '') => `/analytics/sites/${name}/annotations${path}`;
const create = (body: object, name = site, headers: Record<string, string> = asAdmin) =>
  client.ask('POST', at(name), headers, body);
const list = async (query = '', name = site) =>
  (await client.ask('GET', at(name, `/${query}`), reader)).body as unknown as {
    data: Note[];
    next_cursor: string | null;
  };
const auditEntries = async (id: string) =>
  (
    (await client.ask('GET', `/api/v1/audit?action=analytics.*&target_id=${id}`, asAdmin)).body
      .data as { action: string; details: object }[]
  ).map(({ action, details }) => ({ action, details }));

describe('annotations of a site', () => {
  it('are written by admins, recorded in the audit log, and read by readers', async () => {
    site = await registerSite();
    const made = await create({ at: '2026-05-04T11:30:00+02:00', text: '  New prices  ' });
    const id = String(made.body.id);
    expect({ status: made.status, body: made.body }).toEqual({
      status: 201,
      body: {
        id,
        site_id: site,
        at: '2026-05-04T09:30:00.000Z',
        text: 'New prices',
        created_by: 'env',
        created_at: expect.any(String) as string,
        updated_at: made.body.created_at,
      },
    });
    expect((await list()).data).toEqual([made.body]);
    const changed = await client.ask('PATCH', at(site, `/${id}/`), asAdmin, {
      text: 'New prices in Europe',
    });
    expect({ status: changed.status, body: changed.body }).toMatchObject({
      status: 200,
      body: {
        id,
        at: '2026-05-04T09:30:00.000Z',
        text: 'New prices in Europe',
        created_at: made.body.created_at,
      },
    });
    expect(
      (await client.ask('PATCH', at(site, `/${id}`), asAdmin, { at: '2026-05-05T00:00:00Z' })).body,
    ).toMatchObject({ at: '2026-05-05T00:00:00.000Z', text: 'New prices in Europe' });
    const gone = await client.ask('DELETE', at(site, `/${id}`), asAdmin);
    expect({ status: gone.status, text: gone.text }).toEqual({ status: 204, text: '' });
    expect((await list()).data).toEqual([]);
    expect(await auditEntries(id)).toEqual([
      { action: 'analytics.annotation_deleted', details: { site_id: site } },
      { action: 'analytics.annotation_changed', details: { site_id: site, fields: ['at'] } },
      { action: 'analytics.annotation_changed', details: { site_id: site, fields: ['text'] } },
      { action: 'analytics.annotation_created', details: { site_id: site } },
    ]);
  });

  it('can be changed by admins only: a refused request writes nothing', async () => {
    site = await registerSite();
    const {
      body: { id },
    } = await create({ at: '2026-05-04T09:30:00Z', text: 'kept' });
    const path = at(site, `/${String(id)}`);
    const writer = await client.keyWith('analytics:write');
    const tries = [
      await create({ at: '2026-05-04T09:30:00Z', text: 'x' }, site, reader),
      await client.ask('PATCH', path, reader, { text: 'x' }),
      await client.ask('DELETE', path, reader),
      await client.ask('GET', at(site), writer),
      await client.ask('GET', at(site), {}),
      await create({ at: '2026-05-04T09:30:00Z', text: 'x' }, site, {}),
    ];
    expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403, 401, 401]);
    expect((await list()).data).toMatchObject([{ id, text: 'kept' }]);
    expect(await auditEntries(String(id))).toHaveLength(1);
  });

  it('are listed newest first and in pages, with `from` included and `to` excluded', async () => {
    site = await registerSite();
    const times = [
      '2026-05-01T00:00:00Z',
      '2026-05-02T00:00:00Z',
      '2026-05-02T00:00:00Z',
      '2026-05-02T00:00:00Z',
      '2026-05-03T12:00:00Z',
    ];
    for (const [index, time] of times.entries()) await create({ at: time, text: `note ${index}` });
    const all = (await list()).data;
    expect(all.map((note) => note.at.slice(0, 10))).toEqual([
      '2026-05-03',
      '2026-05-02',
      '2026-05-02',
      '2026-05-02',
      '2026-05-01',
    ]);
    const seen: string[] = [];
    for (let cursor: string | null = '', page = 0; cursor !== null && page < 9; page++) {
      const { data, next_cursor: next } = await list(
        `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...data.map(({ id }) => id));
      // Deleting the annotation at a cursor must not end the pagination.
      if (page === 0) await client.ask('DELETE', at(site, `/${data.at(-1)?.id ?? ''}`), asAdmin);
      cursor = next;
    }
    expect(seen).toEqual(all.map(({ id }) => id));
    expect((await list('?from=2026-05-02&to=2026-05-03')).data).toHaveLength(2);
    expect((await list('?from=2026-05-02T00:00:00.001Z')).data).toHaveLength(1);
    expect((await list('', await registerSite())).data).toEqual([]);
  });

  it.each([
    ['no time', { text: 'x' }],
    ['no text', { at: '2026-05-04T09:30:00Z' }],
    ['only whitespace', { at: '2026-05-04T09:30:00Z', text: '  ' }],
    ['201 characters', { at: '2026-05-04T09:30:00Z', text: 'x'.repeat(201) }],
    ['NUL', { at: '2026-05-04T09:30:00Z', text: 'a\u0000b' }],
    ['two lines', { at: '2026-05-04T09:30:00Z', text: 'a\nb' }],
    ['a date without a time', { at: '2026-05-04', text: 'x' }],
    ['a time before 1970', { at: '1969-12-31T23:59:59Z', text: 'x' }],
    [
      'a time whose offset leads into the year 10000',
      { at: '9999-12-31T23:59:59-14:00', text: 'x' },
    ],
    ['an invalid time', { at: '2026-02-30T00:00:00Z', text: 'x' }],
    ['an unknown member', { at: '2026-05-04T09:30:00Z', text: 'x', id: unknownId }],
  ])('422 for %s, and nothing is written', async (_, body) => {
    const name = await registerSite();
    expect((await create(body, name)).status).toBe(422);
    expect((await list('', name)).data).toEqual([]);
  });

  it.each([
    '?limit=0',
    '?limit=501',
    '?cursor=x',
    `?cursor=${unknownId}`,
    '?cursor=1%00',
    '?from=yesterday',
    '?to=2026-13-01',
    '?from=0000-01-01',
    `?cursor=999999999999999_${unknownId}`,
  ])('422 for %s', async (query) => {
    expect((await client.ask('GET', at(await registerSite(), query), asAdmin)).status).toBe(422);
  });

  it('404 for unknown sites and annotations, and for those of another site', async () => {
    const [here, there] = [await registerSite(), await registerSite()];
    const {
      body: { id },
    } = await create({ at: '2026-05-04T09:30:00Z', text: 'x' }, here);
    for (const path of [at(here, `/${unknownId}`), at(there, `/${String(id)}`)]) {
      const answers = [
        await client.ask('PATCH', path, asAdmin, { text: 'y' }),
        await client.ask('DELETE', path, asAdmin),
      ];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
        [404, 'analytics.annotation_unknown'],
        [404, 'analytics.annotation_unknown'],
      ]);
    }
    for (const answer of [
      await client.ask('GET', at(newSite()), asAdmin),
      await create({ at: '2026-05-04T09:30:00Z', text: 'x' }, newSite()),
    ])
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: 404,
        code: 'analytics.site_unknown',
      });
    expect((await client.ask('DELETE', at(here, '/none'), asAdmin)).status).toBe(422);
    expect((await list('', here)).data).toMatchObject([{ text: 'x' }]);
  });
});
