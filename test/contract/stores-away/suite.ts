import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Answered,
  askAll,
  createOutage,
  type Outage,
  type Prepared,
  type Store,
} from './outage.ts';
import { nameOf, type Outcome, type Row } from './rows.ts';
import { nfcRows, qrRows } from './rows.codes.ts';
import { contactRows } from './rows.contact.ts';
import { userRows } from './rows.users.ts';
import { waitlistRows } from './rows.waitlist.ts';

const rows: readonly Row[] = [...waitlistRows, ...contactRows, ...userRows, ...qrRows, ...nfcRows];

/** The operations of these areas, by their ids. */
const areas = /^(?:waitlist|contact|savedReplies|users|invitations|scim|account|qr|nfc)/;

/** How long an answer may take, in ms: a store that is lost is noticed at once. */
const maxMs = 5000;

/** The rows that were added, changed or deleted, by table. */
function changesOf(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...after].flatMap(([table, lines]) => {
    const [old, now] = [(before.get(table) ?? '').split('\n'), lines.split('\n')];
    const changed = [
      ...old.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
      ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
    ];
    return changed.filter((line) => line.length > 2).map((line) => `${table} ${line}`);
  });
}

/** Answers of one kind, by row. */
type Answers = ReadonlyMap<Row, Answered>;

const toMap = (answers: readonly Answered[]): Answers =>
  new Map(answers.map((answer) => [answer.row, answer]));

/** What a test compares; with the text of a response that is not as promised. */
const seen = (answers: Answers, row: Row, status: number) => {
  const found = answers.get(row);
  return { status: found?.status, text: found?.status === status ? '' : found?.text };
};

/** Tests what every request gets while a store is away, on a service of its own. */
export function testAway(store: Store): void {
  const rowsThat = (outcome: Outcome) => rows.filter(({ promised }) => promised[store] === outcome);
  const working = rowsThat('works');
  const refused = rowsThat('is refused');
  const repeated = rowsThat('is completed by repeating it');
  let outage: Outage;
  let answers: Answers;
  let later: Answers;
  let before: Map<string, string>;
  let after: Map<string, string>;

  beforeAll(async () => {
    outage = await createOutage();
    const prepared = await outage.prepareAll(rows);
    const those = (which: readonly Row[]): Prepared[] =>
      prepared.filter(({ row }) => which.includes(row));
    before = await outage.content();
    outage.cut(store);
    const refusals = await askAll(those(refused));
    after = await outage.content();
    answers = toMap([...refusals, ...(await askAll(those([...repeated, ...working])))]);
    await outage.mend(store);
    later = toMap(await askAll(those([...refused, ...repeated])));
  }, 120_000);
  afterAll(() => outage.close());

  const named = (those: readonly Row[]) => those.map((row) => [nameOf(row), row] as const);

  function expectRefusal(row: Row): void {
    expect(seen(answers, row, 503)).toEqual({ status: 503, text: '' });
    const { headers, body, text } = answers.get(row) ?? {};
    expect(Number(headers?.['retry-after'])).toBeGreaterThan(0);
    // SCIM has its own format, and pages are for people.
    if (String(headers?.['content-type']).startsWith('application/problem+json'))
      expect(body).toMatchObject({ status: 503, code: 'request.unavailable' });
    else expect(text).toMatch(/^<!DOCTYPE html>|urn:ietf:params:scim:api:messages:2.0:Error/);
  }

  it.each(named(working))('%s works', (_name, row) => {
    expect(seen(answers, row, row.usual)).toEqual({ status: row.usual, text: '' });
  });

  it.each(named(refused))('%s is refused, and works afterwards', (_name, row) => {
    expectRefusal(row);
    expect(seen(later, row, row.usual)).toEqual({ status: row.usual, text: '' });
  });

  if (repeated.length > 0)
    it.each(named(repeated))('%s is completed by repeating it', (_name, row) => {
      expectRefusal(row);
      expect(seen(later, row, row.repeated)).toEqual({ status: row.repeated, text: '' });
    });

  it('every route of these areas is in the table', () => {
    // Pages of the account and the console belong to surfaces.
    const operations = outage
      .routes()
      .filter(({ url }) => !url.startsWith('/account') && !url.startsWith('/api/svc/'))
      .map(({ schema }) => schema?.operationId ?? '')
      .filter((operation) => areas.test(operation));
    expect([...new Set(rows.map(({ operation }) => operation))].sort()).toEqual(operations.sort());
  });

  it('every request is answered in time', () => {
    const late = [...answers.values()].filter(({ ms }) => ms > maxMs);
    expect(late.map(({ row, ms }) => `${nameOf(row)}: ${ms} ms`)).toEqual([]);
  });

  it('refused requests leave nothing in the database', () => {
    expect(changesOf(before, after)).toEqual([]);
  });

  it('no response tells where the store is, or shows a stack', () => {
    const leaks = [...answers.values()].filter(({ text }) =>
      /ECONN|127\.0\.0\.1|postgres|ioredis|\bat \w+ \(|node_modules/i.test(text),
    );
    expect(leaks.map(({ row }) => nameOf(row))).toEqual([]);
  });
}
