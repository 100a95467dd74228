import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { atOnce, oneOf } from '../../support/abuse-tables.ts';
import { TestClient } from '../../support/client.ts';
import { type NfcClient, nfcClient, randomUid } from './support.ts';
import { tapQuery } from './virtual-tag.ts';

const app = await sharedApp('named');
const nfc = nfcClient(app);

type Tag = Awaited<ReturnType<NfcClient['createSun']>>;
/** The tag has counted this, and nothing else. */
async function expectCounted(tag: Pick<Tag, 'id'>, taps: number, counter: number | null) {
  expect(await nfc.show(tag.id)).toMatchObject({ taps, last_counter: counter });
}

async function tapped(counter = 5): Promise<Tag> {
  const tag = await nfc.createSun();
  expect((await nfc.tap(tag.code, tag.at(counter))).status).toBe(200);
  return tag;
}

describe('a tag', () => {
  const other = '198.51.100.20';
  it.each<[string, (tag: Tag) => string, Record<string, number>, from?: string]>([
    ['that it sent before', (tag) => tag.at(5), { replayed: 1 }],
    ['that is older and was kept back', (tag) => tag.at(4), { replayed: 1 }],
    ['that it just sent, from another network', (tag) => tag.at(5), { cloned: 1 }, other],
    [
      'with a made-up MAC',
      (tag) => tag.at(6).replace(/cmac=.*/, `cmac=${'0'.repeat(16)}`),
      { forged: 1 },
    ],
    [
      'of another chip with the same keys',
      (tag) => tapQuery({ ...tag.chip, uid: randomUid() }, 9),
      { unknown_uid: 1 },
    ],
    ['that is empty, as a link preview sends it', () => '', {}],
  ])('refuses a message %s', async (_what, queryOf, alarms, from) => {
    const tag = await tapped();
    const answer = await nfc.tap(tag.code, queryOf(tag), {}, from);
    expect(answer).toBeProblem(403, 'nfc.tap_refused');
    expect(await nfc.alarmsOf(tag.id)).toEqual(alarms);
    await expectCounted(tag, 1, 5);
  });

  it('counts one new message once, though it is sent a hundred times at once', async () => {
    const tag = await tapped();
    const statuses = await atOnce(100, () => nfc.tap(tag.code, tag.at(6)));
    expect(statuses).toEqual(oneOf(100, 200, 403));
    await expectCounted(tag, 2, 6);
  });

  it('refuses a raised counter in a plain mirror, and is not locked out', async () => {
    const tag = await nfc.createSun({ picc_data: 'plain' }, { isPlain: true });
    const raised = tag.at(1).replace('ctr=000001', 'ctr=FFFFFF');
    expect(await nfc.tap(tag.code, raised)).toBeProblem(403, 'nfc.tap_refused');
    await expectCounted(tag, 0, null);
    expect((await nfc.tap(tag.code, tag.at(1))).status).toBe(200);
  });

  it('refuses a message of another tag', async () => {
    const [tag, other] = [await tapped(), await tapped()];
    expect(await nfc.tap(tag.code, other.at(9))).toBeProblem(403, 'nfc.tap_refused');
    await expectCounted(tag, 1, 5);
    await expectCounted(other, 1, 5);
  });

  it('learns no UID that another tag has', async () => {
    const old = await tapped();
    const tag = await nfc.createSun({
      meta_key: Buffer.from(old.chip.metaKey).toString('hex'),
      file_key: Buffer.from(old.chip.fileKey).toString('hex'),
    });
    expect(await nfc.tap(tag.code, old.at(9))).toBeProblem(403, 'nfc.tap_refused');
    expect(await nfc.alarmsOf(tag.id)).toEqual({ unknown_uid: 1 });
    expect((await nfc.show(tag.id)).uid).toBeNull();
    await expectCounted(tag, 0, null);
  });

  it('learns the UID of one of two chips that race', async () => {
    const tag = await nfc.createSun();
    const chips = [tag.chip, { ...tag.chip, uid: randomUid() }];
    const answers = await Promise.all(chips.map((chip) => nfc.tap(tag.code, tapQuery(chip, 1))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect((await nfc.show(tag.id)).uid).toBe(chips[winner]?.uid);
  });

  it('uses up no message for HEAD and prefetches', async () => {
    const tag = await nfc.createSun();
    const head = await nfc.client.send('HEAD', `/n/${tag.code}?${tag.at(1)}`);
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers).not.toHaveProperty('location');
    for (const name of ['sec-purpose', 'purpose', 'x-moz']) {
      const ahead = await nfc.tap(tag.code, tag.at(1), { [name]: 'prefetch;prerender' });
      expect(ahead).toMatchObject({ status: 204, text: '' });
    }
    await expectCounted(tag, 0, null);
    expect((await nfc.tap(tag.code, tag.at(1))).status).toBe(200);
  });

  it('refuses repeated parameters, which could mean another value', async () => {
    const tag = await tapped();
    const [picc = '', mac = ''] = tag.at(6).split('&');
    for (const query of [`${picc}&${picc}&${mac}`, `${mac}&${picc}&${mac}`, `${picc}&${mac}&cmac=`])
      expect(await nfc.tap(tag.code, query)).toBeProblem(403, 'nfc.tap_refused');
    await expectCounted(tag, 1, 5);
  });

  it('still works in a flood of forgeries, which is one alarm', async () => {
    const tag = await tapped();
    await Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        nfc.tap(tag.code, `picc_data=${String(at).padStart(32, '0')}&cmac=${'0'.repeat(16)}`),
      ),
    );
    const { rows } = await sql<{ rows: number; count: number }>`
      select count(*)::int as rows, sum(count)::int as count from nfc_alarms
      where tag_id = ${tag.id}`.execute(app.stores.db);
    expect(rows[0]?.count).toBe(300);
    // Two, if the hour has changed.
    expect(rows[0]?.rows).toBeLessThanOrEqual(2);
    expect((await nfc.tap(tag.code, tag.at(6))).status).toBe(200);
  });

  it('refuses megabytes, null bytes and broken encodings', async () => {
    const tag = await tapped();
    for (const query of ['%00', '%E0%A4%A', '%FF=%FF', `a=${'x'.repeat(8000)}`, '&&&===', '?'])
      expect((await nfc.tap(tag.code, query)).status).toBe(403);
    for (const code of ['%00', '..%2F..%2Fetc', 'a'.repeat(64), "'%20or%201=1--"])
      expect([404, 400, 422]).toContain((await nfc.tap(code, '')).status);
    await expectCounted(tag, 1, 5);
  });

  it('keeps its UID once it was tapped', async () => {
    const tag = await tapped();
    const answer = await nfc.admin.patch(`/tags/${tag.id}`, { uid: randomUid() });
    expect(answer).toBeProblem(409, 'nfc.uid_fixed');
    expect((await nfc.show(tag.id)).uid).toBe(tag.chip.uid);
  });
});

it('a client address may tap 600 times a minute', async () => {
  const limited = new TestClient(await sharedApp('limited'));
  const { headers } = await limited.get('/n/unknown');
  expect(headers['ratelimit-limit']).toBe('600');
  expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(60);
});
