import { sql } from 'kysely';
import { parseArgs } from 'node:util';
import { migrations } from '../src/app/migrations.ts';
import { createRankingStore, type Standing } from '../src/areas/waitlist/ranking-store.ts';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { createLogger } from '../src/platform/process/logger.ts';
import { runBenchmark } from './support/lifetime.ts';
import { median, ms, printConditions, printTable, verdict, whole } from './support/report.ts';

/**
 * How long a position on the waitlist takes on PGlite, for people at the front, in the middle and
 * at the end, beside a count of the rows before them. `--entries N` for another size.
 */
const { values: options } = parseArgs({ options: { entries: { type: 'string' } } });
const entries = Number(options.entries ?? 100_000);
const goalMs = 10;
const runs = 21;

/** A launch: a third of the people in its first hour, the others within a year. */
async function fill(db: Database): Promise<void> {
  for (let from = 0; from < entries; from += 10_000)
    await sql`insert into waitlist_entries (id, email, mailbox, status, source, is_disposable,
        score, referral_code, credit, created_at, updated_at, verified_at, last_asked_at, asked)
      select gen_random_uuid(), 'p' || i || '@example.com', 'p' || i || '@example.com', 'verified',
        'form', false, case when i % 5 = 0 then (i % 40) * 10 else 0 end, 'c' || i, 'none',
        at, at, at, at, 0
      from (select i, timestamptz '2026-01-01' + case when i % 3 = 0
          then (i % 3600) * interval '1 second'
          else (i::float / ${entries}) * interval '365 days' end as at
        from generate_series(${from}::int, ${Math.min(entries, from + 10_000) - 1}::int) i) given
    `.execute(db);
  await sql`analyze waitlist_entries`.execute(db);
  await sql`analyze waitlist_counts`.execute(db);
}

async function standingAt(db: Database, offset: number): Promise<Standing> {
  const { rows } = await sql<{ id: string; score: number; verified_at: Date }>`
    select id, score, verified_at from waitlist_entries where status = 'verified'
    order by score desc, verified_at, id offset ${offset} limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the list is too short');
  return { id: row.id, score: row.score, verifiedAt: row.verified_at };
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  }
  return median(times.slice(1));
}

const countRows = (db: Database, { score, verifiedAt, id }: Standing) =>
  sql`select count(*) from waitlist_entries where status = 'verified' and (score > ${score}
    or (score = ${score} and (verified_at, id) < (${verifiedAt}, ${id})))`.execute(db);

await runBenchmark(async (lifetime) => {
  const logger = createLogger({ level: 'error' });
  const db = await openDatabase({ dataDir: lifetime.folder(), logger, migrations });
  lifetime.atEnd(() => db.destroy());
  printConditions(`npm run bench -- waitlist --entries ${entries}`);
  await fill(db);
  const { countAhead } = createRankingStore(db);
  const limit = await timeOf(() => sql`select 1`.execute(db));
  const rows = [['place', 'position', 'goal', 'result', 'limit', 'ratio', 'counting rows']];
  let missed = 0;
  for (const share of [0, 0.2, 0.5, 0.999]) {
    const offset = Math.floor(share * (entries - 1));
    const standing = await standingAt(db, offset);
    const found = await countAhead(standing);
    if (found !== offset) throw new Error(`the position of ${offset} is ${found}`);
    const time = await timeOf(() => countAhead(standing));
    const counting = await timeOf(() => countRows(db, standing));
    missed += time < goalMs ? 0 : 1;
    rows.push([
      whole(offset + 1),
      ms(time),
      `< ${goalMs} ms`,
      verdict(time < goalMs),
      ms(limit),
      (time / limit).toFixed(1),
      ms(counting),
    ]);
  }
  printTable(rows);
  console.log(
    `\n${whole(entries)} people on PGlite, median of ${runs - 1} after one that is discarded. ` +
      'Limit: `select 1` on the same database.',
  );
  return missed;
});
