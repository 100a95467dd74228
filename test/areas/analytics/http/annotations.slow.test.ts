import { beforeEach, describe, expect } from 'vitest';
import { it } from '../../../support/test.ts';
import { expectAdminsOnly, expectReadersOnly, newSite, useSharedAnalytics } from '../support.ts';

const analytics = await useSharedAnalytics();
const unknownId = '01900000-0000-7000-8000-000000000000';
let site: string;
const reader = await analytics.key('analytics:read');
beforeEach(async () => {
  site = await analytics.registerSite();
});

interface Note {
  id: string;
  at: string;
  text: string;
}
const morning = '2026-05-04T09:30:00Z';
const note = { at: morning, text: 'x' };
const at = (path: unknown = '', of = site) =>
  `/analytics/sites/${of}/annotations${path === '' ? '' : `/${String(path)}`}`;
const create = (body: object = note, by = analytics.admin) => by.post(at(), body);
const list = async (query = '', of = site) =>
  (await reader.get<{ data: Note[]; next_cursor: string | null }>(`${at('', of)}/${query}`)).body;

describe('annotations of a site', () => {
  it('are written by admins, recorded in the audit log, and read by readers', async () => {
    const { admin } = analytics;
    const { status, body } = await create({
      at: '2026-05-04T11:30:00+02:00',
      text: '  New prices  ',
    });
    const id = String(body.id);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id,
        site_id: site,
        at: '2026-05-04T09:30:00.000Z',
        text: 'New prices',
        created_by: 'env',
        created_at: expect.any(String) as string,
        updated_at: body.created_at,
      },
    });
    expect((await list()).data).toEqual([body]);
    const text = 'New prices in Europe';
    expect(await admin.patch(`${at(id)}/`, { text })).toMatchObject({
      status: 200,
      body: { id, at: body.at, text, created_at: body.created_at },
    });
    expect((await admin.patch(at(id), { at: '2026-05-05T00:00:00Z' })).body).toMatchObject({
      at: '2026-05-05T00:00:00.000Z',
      text,
    });
    expect(await admin.delete(at(id))).toMatchObject({ status: 204, text: '' });
    expect((await list()).data).toEqual([]);
    expect(await analytics.auditEntries(id)).toEqual([
      { action: 'analytics.annotation_deleted', details: { site_id: site } },
      { action: 'analytics.annotation_changed', details: { site_id: site, fields: ['at'] } },
      { action: 'analytics.annotation_changed', details: { site_id: site, fields: ['text'] } },
      { action: 'analytics.annotation_created', details: { site_id: site } },
    ]);
  });

  it('can be changed by admins only: a refused request writes nothing', async () => {
    const { id } = (await create({ ...note, text: 'kept' })).body;
    await expectAdminsOnly(
      analytics,
      (by) => create(note, by),
      (by) => by.patch(at(id), { text: 'x' }),
      (by) => by.delete(at(id)),
    );
    await expectReadersOnly(analytics, (by) => by.get(at()));
    expect((await list()).data).toMatchObject([{ id, text: 'kept' }]);
    expect(await analytics.auditEntries(id)).toHaveLength(1);
  });

  it('are listed newest first and in pages, with `from` included and `to` excluded', async () => {
    const times = ['01T00', '02T00', '02T00', '02T00', '03T12'];
    for (const [index, time] of times.entries())
      await create({ at: `2026-05-${time}:00:00Z`, text: `note ${index}` });
    const all = (await list()).data;
    expect(all.map((each) => each.at.slice(8, 10))).toEqual(['03', '02', '02', '02', '01']);
    const seen: string[] = [];
    for (let cursor: string | null = '', page = 0; cursor !== null && page < 9; page++) {
      const { data, next_cursor: next } = await list(
        `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...data.map(({ id }) => id));
      // Deleting the annotation at a cursor must not end the pagination.
      if (page === 0) await analytics.admin.delete(at(data.at(-1)?.id));
      cursor = next;
    }
    expect(seen).toEqual(all.map(({ id }) => id));
    expect((await list('?from=2026-05-02&to=2026-05-03')).data).toHaveLength(2);
    expect((await list('?from=2026-05-02T00:00:00.001Z')).data).toHaveLength(1);
    expect((await list('', await analytics.registerSite())).data).toEqual([]);
  });

  it.each([
    ['no time', { text: 'x' }],
    ['no text', { at: morning }],
    ['only whitespace', { at: morning, text: '  ' }],
    ['201 characters', { at: morning, text: 'x'.repeat(201) }],
    ['NUL', { at: morning, text: 'a\u0000b' }],
    ['two lines', { at: morning, text: 'a\nb' }],
    ['a date without a time', { at: '2026-05-04', text: 'x' }],
    ['a time before 1970', { at: '1969-12-31T23:59:59Z', text: 'x' }],
    ['a time that is in the year 10000 in UTC', { at: '9999-12-31T23:59:59-14:00', text: 'x' }],
    ['an invalid time', { at: '2026-02-30T00:00:00Z', text: 'x' }],
    ['an unknown member', { at: morning, text: 'x', id: unknownId }],
  ])('are not written with %s', async (_, body) => {
    expect(await create(body)).toMatchObject({ status: 422 });
    expect((await list()).data).toEqual([]);
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
  ])('are not listed for %s', async (query) => {
    expect(await analytics.admin.get(`${at()}${query}`)).toMatchObject({ status: 422 });
  });

  it('are unknown on another site, as are others and those of unknown sites', async () => {
    const { admin } = analytics;
    const { id } = (await create()).body;
    for (const path of [at(unknownId), at(id, await analytics.registerSite())]) {
      expect(await admin.patch(path, { text: 'y' })).toBeProblem(
        404,
        'analytics.annotation_unknown',
      );
      expect(await admin.delete(path)).toBeProblem(404, 'analytics.annotation_unknown');
    }
    const nowhere = at('', newSite());
    expect(await admin.get(nowhere)).toBeProblem(404, 'analytics.site_unknown');
    expect(await admin.post(nowhere, note)).toBeProblem(404, 'analytics.site_unknown');
    expect(await admin.delete(at('none'))).toMatchObject({ status: 422 });
    expect((await list()).data).toMatchObject([{ text: 'x' }]);
  });
});
