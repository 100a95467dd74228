import { z } from 'zod';
import { hourMs } from '../../../lib/durations.ts';
import { accountDataPath } from '../../../lib/site-paths.ts';
import type { JobContext } from '../../../platform/queues/types.ts';
import { PermanentJobError } from '../../../platform/queues/permanent-job-error.ts';
import type { AccountParts } from './context.ts';
import type { Erasure } from './deletion/erasure.ts';
import { zipOf } from './export/archive.ts';
import type { Collect } from './export/collect.ts';
import { keptMs } from './export/service.ts';
import { readmeOf } from './export/readme.ts';
import { recipientOf } from './notices.ts';
import { texts } from './texts/en.ts';

const attempts = 3;

/** Defines the job that makes exports. Returns the function that queues one. */
export function defineExportJob(
  { queues, exports, avatars, users, notices, personalData, clock, brand, baseUrl }: AccountParts,
  collect: Collect,
) {
  const isLast = (error: unknown, { attempt }: JobContext) =>
    attempt >= attempts || error instanceof PermanentJobError;

  const job = queues.defineJob({
    name: 'account-exports',
    schema: z.strictObject({ id: z.uuid() }),
    options: { attempts, keepDone: false },
    process: ({ id }, context) =>
      makeExport(id).catch(async (error: unknown) => {
        if (isLast(error, context)) await exports.fail(id, new Date(clock.now()));
        throw error;
      }),
  });
  return (id: string) => job.add({ id });

  /** Makes the file of an export and notifies the user. An export that is gone is left alone. */
  async function makeExport(id: string): Promise<void> {
    const userId = await exports.claim(id);
    if (userId === undefined) return;
    const at = new Date(clock.now());
    const parts = await collect(userId, (done) => exports.progress(id, done));
    const picture = await pictureOf(userId);
    const hasPicture = picture !== undefined;
    const readme = readmeOf({ app: brand().name, at, parts, hasPicture, personalData });
    const file = await zipOf({ parts, readme, picture, at });
    if (!(await exports.finish(id, file, new Date(clock.now())))) return;
    const { identities } = await users.get(userId);
    const link = { label: texts.openData, url: `${baseUrl}${accountDataPath}` };
    const text = { ...texts.exportReady, link };
    await notices.trySend(recipientOf(identities), text, `account-export:${id}`);
  }

  /** The picture that the user has uploaded, if any. */
  async function pictureOf(userId: string): Promise<Buffer | undefined> {
    const hash = await avatars.hashOf(userId);
    return hash === undefined ? undefined : avatars.find(userId, hash);
  }
}

/** Defines the hourly job that deletes due accounts, exports after 24 hours, and old links. */
export function defineAccountUpkeep(
  { queues, exports, contactUndos, clock }: AccountParts,
  eraseDue: Erasure['eraseDue'],
) {
  return queues.every('account-upkeep', hourMs, async () => {
    await exports.deleteFinishedBefore(new Date(clock.now() - keptMs));
    await contactUndos.deleteExpired(new Date(clock.now()));
    await eraseDue();
  });
}
