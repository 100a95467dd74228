import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { redirectTo } from '../../support/responses.ts';
import { nfcClient } from '../../areas/nfc/support.ts';
import { faultsOf, home, personOf, unknownId } from './pages.ts';

const app = await sharedApp('console');
const admin = await personOf(app, 'ada@example.com', ['admin']);
const viewer = await personOf(app, 'vic@example.com', ['viewer']);
const tags = nfcClient(app);

/** What a browser sends that has filled in no more than `typed`. */
function asOffered(page: string, typed: Record<string, string>): Record<string, string> {
  const [, form = ''] = /<form[^>]* action="[^"]*\/nfc"[^>]*>(.*?)<\/form>/s.exec(page) ?? [];
  const values: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const name = / name="([^"]+)"/.exec(tag)?.[1] ?? '';
    const value = / value="([^"]*)"/.exec(tag)?.[1] ?? '';
    const isChoice = / type="(?:radio|checkbox)"/.test(tag);
    if (!isChoice || tag.includes(' checked')) values[name] = value;
  }
  for (const [, name = '', options = ''] of form.matchAll(
    /<select[^>]* name="([^"]+)"[^>]*>(.*?)<\/select>/gs,
  )) {
    const chosen = /<option value="([^"]*)"[^>]* selected/.exec(options);
    values[name] = (chosen ?? /<option value="([^"]*)"/.exec(options))?.[1] ?? '';
  }
  return { ...values, ...typed };
}

const idIn = (location: unknown): string => /nfc\/([\da-f-]{36})/.exec(String(location))?.[1] ?? '';

describe('NFC tags in the console', () => {
  it.each([
    ['ntag213', { chip: 'ntag213', mode: 'plain' }],
    ['ntag424', { chip: 'ntag424', mode: 'sun', encryption: 'aes', mirrored: 'uid_and_counter' }],
    ['ntag424_tt', { mode: 'sun', tamper_status: true, file_data: 'encrypted' }],
  ])('are added with the form for %s as it is offered', async (chip, shown) => {
    const page = await admin.page(`nfc/new?chip=${chip}`);
    expect(await faultsOf(page.text)).toEqual([]);
    expect(page.text).not.toContain('Don’t change');
    const added = await admin.form(
      'nfc',
      asOffered(page.text, { name: chip, target: 'cafe.example/menu' }),
    );
    const id = idIn(added.headers.location);
    expect(added).toMatchObject(redirectTo(`${home}nfc/${id}/write?done=created`));
    expect(await tags.show(id)).toMatchObject({
      ...{ active: true, action: 'redirect', target: 'https://cafe.example/menu' },
      ...shown,
    });
  });

  it('show a page in place of a target, with a heading of its own', async () => {
    const page = await admin.page('nfc/new?chip=ntag213');
    const typed = { name: 'Lot 4471', action: 'page', title: 'Hand-dyed', page_text: 'In Bergen.' };
    const added = await admin.form('nfc', asOffered(page.text, typed));
    const tag = await tags.show(idIn(added.headers.location));
    expect(tag).toMatchObject({ action: 'page', target: null, title: 'Hand-dyed' });
    const tapped = await tags.open(tag.code, '');
    expect(tapped.text).toContain('Hand-dyed');
    expect(tapped.text).not.toContain('Lot 4471');
  });

  it.each(['', 'not an address', 'http://localhost/', 'ftp://example.com/'])(
    'say what to enter for the target “%s”, and add nothing',
    async (target) => {
      const page = await admin.page('nfc/new?chip=ntag213');
      const added = await admin.form('nfc', asOffered(page.text, { name: 'No target', target }));
      expect(added.status).toBe(422);
      expect(added.text).toContain('Enter a full address, such as https://example.com/menu.');
      expect((await admin.page('nfc')).text).not.toContain('No target');
    },
  );

  it('have a page of their own, without ids, JSON or members that are not set', async () => {
    const { id } = await tags.create({ chip: 'ntag424', mode: 'sun', name: 'Certificate' });
    for (const tab of ['', '/alarms', '/settings', '/write']) {
      const { status, text } = await admin.page(`nfc/${id}${tab}`);
      expect(status).toBe(200);
      expect(await faultsOf(text)).toEqual([]);
      const shown = text.replace(/<script.*?<\/script>|<[^>]*>/gs, ' ');
      expect(shown).not.toContain(id);
      expect(shown).not.toMatch(/\{(?:&#34;|")/);
      expect(shown).not.toContain('uid_and_counter');
    }
  });

  it('have one page about encoding, where bookmarks of the former tab lead', async () => {
    const { id } = await tags.create({ chip: 'ntag424', mode: 'sun' });
    expect(await admin.page(`nfc/${id}/encoding`)).toMatchObject({
      status: 302,
      headers: { location: `${home}nfc/${id}/write` },
    });
    expect((await admin.page(`nfc/${id}`)).text).not.toContain(`${id}/encoding"`);
  });

  it('show their target in its own letters', async () => {
    const target = 'https://müller.example/日本?q=für';
    const { id } = await tags.create({ chip: 'ntag213', mode: 'plain', target });
    expect((await admin.page(`nfc/${id}`)).text).toContain(`value="${target}"`);
  });

  it('get another target where it stands, and are paused and resumed', async () => {
    const { id } = await tags.create({ chip: 'ntag213', mode: 'plain', name: 'Door' });
    await tags.admin.patch(`/tags/${id}`, { target: 'https://a.example/', action: 'redirect' });
    expect(await admin.form(`nfc/${id}/target`, { target: 'cafe.example/new' })).toMatchObject(
      redirectTo(`${home}nfc/${id}?done=target`),
    );
    expect(await admin.form(`nfc/${id}/state`, { active: 'false' })).toMatchObject(
      redirectTo(`${home}nfc/${id}?done=paused`),
    );
    expect(await tags.show(id)).toMatchObject({
      active: false,
      target: 'https://cafe.example/new',
    });
    const page = (await admin.page(`nfc/${id}?done=paused`)).text;
    expect(page).toContain('Tag paused.');
    expect(page).toContain('Undo');
    await admin.form(`nfc/${id}/state`, { active: 'true' });
    expect(await tags.show(id)).toMatchObject({ active: true });
  });

  it('keep their target when the settings are saved, where it is not asked for again', async () => {
    const target = 'https://cafe.example/menu';
    const { id } = await tags.create({ chip: 'ntag213', mode: 'plain', name: 'Bar', target });
    const { text } = await admin.page(`nfc/${id}/settings`);
    expect(text.match(/ id="target"/g)).toHaveLength(1);
    const [, kept = ''] = /type="hidden" name="target" value="([^"]*)"/.exec(text) ?? [];
    const settings = { name: 'The bar', action: 'redirect', target: kept };
    expect(await admin.form(`nfc/${id}/settings`, settings)).toMatchObject(
      redirectTo(`${home}nfc/${id}/settings?done=updated`),
    );
    expect(await tags.show(id)).toMatchObject({ name: 'The bar', target });
  });

  it('are deleted after a word was typed', async () => {
    const { id } = await tags.create({ chip: 'ntag213', mode: 'plain', name: 'Old' });
    expect((await admin.form(`nfc/${id}/delete`, {})).status).toBe(422);
    expect((await admin.page(`nfc/${id}`)).status).toBe(200);
    expect(await admin.form(`nfc/${id}/delete`, { confirm: 'delete' })).toMatchObject(
      redirectTo(`${home}nfc?done=deleted`),
    );
    expect((await admin.page(`nfc/${id}`)).status).toBe(404);
  });

  it('give their encoding as a file, with keys for a fresh sign-in alone', async () => {
    const { id, code } = await tags.create({ chip: 'ntag424', mode: 'sun', name: 'Keys' });
    const sheet = await admin.page(`nfc/${id}/encoding/sheet`);
    expect(sheet.headers['content-disposition']).toContain(`${code}-encoding.json`);
    expect(JSON.parse(sheet.text)).toMatchObject({ keys: null, chip: 'ntag424' });
    const keys = await admin.page(`nfc/${id}/encoding/keys?uid=04DE5F1EACC040`);
    expect(keys.text).toMatch(/"file": "[\dA-F]{32}"/);
  });

  it('are for admins only, and unknown ones are not found', async () => {
    const { id } = await tags.create({ chip: 'ntag213', mode: 'mirror', name: 'A' });
    for (const path of [id, `${id}/write`, `${id}/encoding/keys`, 'alarms', 'new'])
      expect((await viewer.page(`nfc/${path}`)).status).toBe(403);
    expect((await admin.page(`nfc/${id}/write`)).text).toContain('turn on the chip’s counter');
    expect((await admin.page(`nfc/${unknownId}/write`)).status).toBe(404);
  });
});

describe('NFC alarms in the console', () => {
  it('are sentences about a tag, which are resolved and opened again', async () => {
    const tag = await tags.create({ chip: 'ntag213', mode: 'mirror', name: 'Shelf 7' });
    for (let tap = 0; tap < 3; tap += 1) await tags.tap(tag.code, 'm=wrong');
    const list = await admin.page('nfc');
    expect(list.text).toContain('is waiting.');
    const page = await admin.page('nfc/alarms');
    expect(await faultsOf(page.text)).toEqual([]);
    expect(page.text).toContain('3 taps with a wrong signature');
    expect(page.text).toContain(`href="${home}nfc/${tag.id}/alarms"`);
    expect(page.text).toMatch(new RegExp(`href="${home}nfc/${tag.id}"[^>]*>Shelf 7</a>`));
    expect(page.text).toMatch(/Open\s*<span class="count">\d+/);
    const since = / name="since" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const form = { kind: 'forged', tag_id: tag.id, since, place: 'tag' };
    const done = await admin.form('nfc/alarms/resolve', { ...form, resolved: 'true' });
    expect(done.status).toBe(303);
    const after = await admin.page(String(done.headers.location));
    expect(after.text).toContain('Alarm resolved.');
    expect(after.text).toContain('Undo');
    expect(after.text).not.toContain('3 taps with a wrong signature');
    expect((await admin.page('nfc/alarms?state=resolved')).text).toContain('Shelf 7');
    await admin.form('nfc/alarms/resolve', { ...form, resolved: 'false' });
    expect((await admin.page(`nfc/${tag.id}/alarms`)).text).toContain('3 taps with a wrong');
  });
});

describe('what was below “Records”', () => {
  it.each([
    ['records', ''],
    ['records/nfc-tags', 'nfc'],
    [`records/nfc-tags/${unknownId}`, `nfc/${unknownId}`],
    ['records/nfc-alarms', 'nfc/alarms'],
    ['records/saved-replies', 'contact/saved-replies'],
    ['records/waitlist-entries', 'waitlist/entries'],
    [`records/waitlist-entries/${unknownId}`, `waitlist/${unknownId}`],
    ['records/signups', 'users/sign-ups'],
    ['records/nothing//evil.example', ''],
  ])('/%s leads to /%s', async (from, to) => {
    expect(await admin.page(from)).toMatchObject({
      status: 302,
      headers: { location: home + to },
    });
  });

  it('has no entry in the menu, and no page says its name', async () => {
    for (const path of ['', 'nfc', 'contact/saved-replies', 'users/sign-ups', 'waitlist/entries'])
      expect((await admin.page(path)).text).not.toMatch(/\bRecords\b/);
  });
});
