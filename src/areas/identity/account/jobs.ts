import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { hourMs } from '../../../lib/durations.ts';
import type { AreaPersonalData } from '../../../platform/database/personal-data.ts';
import type { Queues } from '../../../platform/queues/queues.ts';
import type { JobContext } from '../../../platform/queues/types.ts';
import { PermanentJobError } from '../../../platform/queues/permanent-job-error.ts';
import type { Users } from '../users/service.ts';
import type { Erasure } from './deletion/erasure.ts';
import { zipOf } from './export/archive.ts';
import type { Collect } from './export/collecting.ts';
import type { ExportStore } from './export/store.ts';
import { keptMs } from './export/service.ts';
import { readmeOf } from './export/readme.ts';
import { type AccountNotices, recipientOf } from './notices.ts';
import { texts } from './texts/en.ts';

const attempts = 3;

export interface ExportJobDeps {
  queues: Queues;
  exports: ExportStore;
  collect: Collect;
  /** The user's picture, if they have uploaded one. */
  pictureOf: (userId: string) => Promise<Buffer | undefined>;
  users: Pick<Users, 'get'>;
  notices: AccountNotices;
  personalData: readonly AreaPersonalData[];
  clock: Clock;
  appName: string;
}

/** Makes the file of an export and notifies the user. An export that is gone is left alone. */
async function makeExport(deps: ExportJobDeps, id: string): Promise<void> {
  const { exports, collect, pictureOf, users, notices, personalData, clock, appName } = deps;
  const userId = await exports.claim(id);
  if (userId === undefined) return;
  const at = new Date(clock.now());
  const parts = await collect(userId, (done) => exports.progress(id, done));
  const picture = await pictureOf(userId);
  const hasPicture = picture !== undefined;
  const readme = readmeOf({ app: appName, at, parts, hasPicture, personalData });
  const file = await zipOf({ parts, readme, picture, at });
  if (!(await exports.finish(id, file, new Date(clock.now())))) return;
  const { identities } = await users.get(userId);
  await notices.trySend(recipientOf(identities), texts.exportReady, `account-export:${id}`);
}

/** Defines the job that makes exports. Returns the function that queues one. */
export function defineExportJob(deps: ExportJobDeps) {
  const { queues, exports, clock } = deps;
  const isLast = (error: unknown, { attempt }: JobContext) =>
    attempt >= attempts || error instanceof PermanentJobError;

  const job = queues.defineJob({
    name: 'account-exports',
    schema: z.strictObject({ id: z.uuid() }),
    options: { attempts, keepDone: false },
    process: ({ id }, context) =>
      makeExport(deps, id).catch(async (error: unknown) => {
        if (isLast(error, context)) await exports.fail(id, new Date(clock.now()));
        throw error;
      }),
  });
  return (id: string) => job.add({ id });
}

/** Defines the hourly job that deletes accounts that are due, and exports after 24 hours. */
export function defineAccountUpkeep({
  queues,
  exports,
  eraseDue,
  clock,
}: {
  queues: Queues;
  exports: ExportStore;
  eraseDue: Erasure['eraseDue'];
  clock: Clock;
}) {
  return queues.defineJob({
    name: 'account-upkeep',
    schema: z.strictObject({}),
    options: { every: { ms: hourMs, payload: {} } },
    async process() {
      await exports.deleteFinishedBefore(new Date(clock.now() - keptMs));
      await eraseDue();
    },
  });
}
