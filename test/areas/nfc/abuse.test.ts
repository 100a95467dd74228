import { sql } from 'kysely';
import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { freshApp, type TestApp } from '../../support/app.ts';
import { type NfcClient, nfcClient, randomUid } from './support.ts';
import { tapQuery } from './virtual-tag.ts';

let app: TestApp;
let client: NfcClient;
beforeAll(async () => {
  app = await sharedApp('named');
  client = nfcClient(app);
}, 60_000);

type Tag = Awaited<ReturnType<NfcClient['createSun']>>;
const refused = [403, 'nfc.tap_refused'];
const codeOf = ({ statusCode, json }: Awaited<ReturnType<NfcClient['tap']>>) => [
  statusCode,
  json().code,
];

/** The tag has counted this, and nothing else. */
async function expectCounted(tag: Pick<Tag, 'id'>, taps: number, counter: number | null) {
  expect(await client.show(tag.id)).toMatchObject({ taps, last_counter: counter });
}

async function tapped(counter = 5): Promise<Tag> {
  const tag = await client.createSun();
  expect((await client.tap(tag.code, tag.at(counter))).statusCode).toBe(200);
  return tag;
}

describe('abuse of a tag', () => {
  it('sends a message again: replayed', async () => {
    const tag = await tapped();
    expect(codeOf(await client.tap(tag.code, tag.at(5)))).toEqual(refused);
    expect(await client.alarmsOf(tag.id)).toEqual({ replayed: 1 });
    await expectCounted(tag, 1, 5);
  });

  it('sends an older message that was kept back: replayed', async () => {
    const tag = await tapped();
    expect(codeOf(await client.tap(tag.code, tag.at(4)))).toEqual(refused);
    expect(await client.alarmsOf(tag.id)).toEqual({ replayed: 1 });
    await expectCounted(tag, 1, 5);
  });

  it('sends the last message again from another network: cloned', async () => {
    const tag = await tapped();
    const address = '198.51.100.20';
    expect(codeOf(await client.tap(tag.code, tag.at(5), { address }))).toEqual(refused);
    expect(await client.alarmsOf(tag.id)).toEqual({ cloned: 1 });
    await expectCounted(tag, 1, 5);
  });

  it('sends one new message a hundred times at once: one counts', async () => {
    const tag = await tapped();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => client.tap(tag.code, tag.at(6))),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 403)).toHaveLength(99);
    await expectCounted(tag, 2, 6);
  });

  it('makes up a MAC: forged', async () => {
    const tag = await tapped();
    const forged = tag.at(6).replace(/cmac=.*/, `cmac=${'0'.repeat(16)}`);
    expect(codeOf(await client.tap(tag.code, forged))).toEqual(refused);
    expect(await client.alarmsOf(tag.id)).toEqual({ forged: 1 });
    await expectCounted(tag, 1, 5);
  });

  it('raises the counter of a plain mirror to lock the tag out: forged', async () => {
    const tag = await client.createSun({ picc_data: 'plain' }, { isPlain: true });
    const raised = tag.at(1).replace('ctr=000001', 'ctr=FFFFFF');
    expect(codeOf(await client.tap(tag.code, raised))).toEqual(refused);
    await expectCounted(tag, 0, null);
    expect((await client.tap(tag.code, tag.at(1))).statusCode).toBe(200);
  });

  it('sends a message of another tag of this service: refused', async () => {
    const [tag, other] = [await tapped(), await tapped()];
    expect(codeOf(await client.tap(tag.code, other.at(9)))).toEqual(refused);
    await expectCounted(tag, 1, 5);
    await expectCounted(other, 1, 5);
  });

  it('sends a message of another chip with the same given keys: unknown UID', async () => {
    const tag = await tapped();
    const query = tapQuery({ ...tag.chip, uid: randomUid() }, 9);
    expect(codeOf(await client.tap(tag.code, query))).toEqual(refused);
    expect(await client.alarmsOf(tag.id)).toEqual({ unknown_uid: 1 });
    await expectCounted(tag, 1, 5);
  });

  it('gives a new tag the UID of another one by the first tap: unknown UID', async () => {
    const old = await tapped();
    const tag = await client.createSun({
      meta_key: Buffer.from(old.chip.metaKey).toString('hex'),
      file_key: Buffer.from(old.chip.fileKey).toString('hex'),
    });
    expect(codeOf(await client.tap(tag.code, old.at(9)))).toEqual(refused);
    expect(await client.alarmsOf(tag.id)).toEqual({ unknown_uid: 1 });
    expect((await client.show(tag.id)).uid).toBeNull();
    await expectCounted(tag, 0, null);
  });

  it('races with two chips for the UID of a new tag: one is learned, one refused', async () => {
    const tag = await client.createSun();
    const chips = [tag.chip, { ...tag.chip, uid: randomUid() }];
    const answers = await Promise.all(chips.map((chip) => client.tap(tag.code, tapQuery(chip, 1))));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
    const winner = answers.findIndex(({ statusCode }) => statusCode === 200);
    expect((await client.show(tag.id)).uid).toBe(chips[winner]?.uid);
  });

  it('asks with HEAD, or as a prefetch: nothing is used up', async () => {
    const tag = await client.createSun();
    const head = await client.tap(tag.code, tag.at(1), { method: 'HEAD' });
    expect({ status: head.statusCode, body: head.body }).toEqual({ status: 200, body: '' });
    expect(head.headers.location).toBeUndefined();
    for (const headers of [
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'x-moz': 'prefetch' },
    ] as Record<string, string>[]) {
      const ahead = await client.tap(tag.code, tag.at(1), headers);
      expect({ status: ahead.statusCode, body: ahead.body }).toEqual({ status: 204, body: '' });
    }
    await expectCounted(tag, 0, null);
    expect((await client.tap(tag.code, tag.at(1))).statusCode).toBe(200);
  });

  it('makes a link preview of the bare URL: refused, without an alarm', async () => {
    const tag = await tapped();
    expect(codeOf(await client.tap(tag.code, ''))).toEqual(refused);
    expect(await client.alarmsOf(tag.id)).toEqual({});
    await expectCounted(tag, 1, 5);
  });

  it('repeats parameters, to pass a check and mean another value: forged', async () => {
    const tag = await tapped();
    const [picc = '', mac = ''] = tag.at(6).split('&');
    for (const query of [`${picc}&${picc}&${mac}`, `${mac}&${picc}&${mac}`, `${picc}&${mac}&cmac=`])
      expect(codeOf(await client.tap(tag.code, query))).toEqual(refused);
    await expectCounted(tag, 1, 5);
  });

  it('floods with forgeries: one row, and the tag still works', async () => {
    const tag = await tapped();
    await Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        client.tap(tag.code, `picc_data=${String(at).padStart(32, '0')}&cmac=${'0'.repeat(16)}`),
      ),
    );
    const { rows } = await sql<{ rows: number; count: number }>`
      select count(*)::int as rows, sum(count)::int as count from nfc_alarms
      where tag_id = ${tag.id}`.execute(app.stores.db);
    expect(rows[0]?.count).toBe(300);
    // Two, if the hour has changed.
    expect(rows[0]?.rows).toBeLessThanOrEqual(2);
    expect((await client.tap(tag.code, tag.at(6))).statusCode).toBe(200);
  });

  it('sends megabytes, null bytes and broken encodings: refused, and nothing breaks', async () => {
    const tag = await tapped();
    for (const query of ['%00', '%E0%A4%A', '%FF=%FF', `a=${'x'.repeat(8000)}`, '&&&===', '?'])
      expect((await client.tap(tag.code, query)).statusCode).toBe(403);
    for (const code of ['%00', '..%2F..%2Fetc', 'a'.repeat(64), "'%20or%201=1--"])
      expect([404, 400, 422]).toContain((await client.tap(code, '')).statusCode);
    await expectCounted(tag, 1, 5);
  });

  it('changes the UID of a tapped tag to take it over: refused', async () => {
    const tag = await tapped();
    const answer = await client.admin('PATCH', `/tags/${tag.id}`, { uid: randomUid() });
    expect({ status: answer.statusCode, code: answer.json().code }).toEqual({
      status: 409,
      code: 'nfc.uid_fixed',
    });
    expect((await client.show(tag.id)).uid).toBe(tag.chip.uid);
  });
});

describe('a limit', () => {
  it('holds for one address, and not for another', { timeout: 60_000 }, async () => {
    const limited = await freshApp({ env: { RATE_LIMIT: 'on' } });
    const ask = async (remoteAddress: string) =>
      (await limited.http.inject({ url: '/n/unknown', remoteAddress })).statusCode;
    try {
      const statuses = await Promise.all(Array.from({ length: 605 }, () => ask('203.0.113.50')));
      expect(statuses.filter((status) => status === 404)).toHaveLength(600);
      expect(statuses.filter((status) => status === 429)).toHaveLength(5);
      expect(await ask('203.0.113.51')).toBe(404);
    } finally {
      await limited.close();
    }
  });
});
