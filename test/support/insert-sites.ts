import { pino } from 'pino';
import { migrations } from '../../src/app/migrations.ts';
import { openDatabase } from '../../src/platform/database/database.ts';

// Run as its own process by the database's tests: inserts sites into the embedded database until it
// is killed, and prints the number of each once its insert has resolved.
const logger = pino({ level: 'silent' });
const db = await openDatabase({ migrations, dataDir: process.argv[2] ?? '', logger });
for (let n = 1; ; n += 1) {
  const site = { site_id: `n${n}`, created_at: new Date(), registered_by: 'open' } as const;
  await db.insertInto('sites').values(site).execute();
  console.log(String(n));
}
