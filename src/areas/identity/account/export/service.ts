import { dayMs, hourMs } from '../../../../lib/durations.ts';
import { uuidv7 } from '../../../../lib/ids.ts';
import type { RequestOrigin } from '../../../../platform/http/requests/request-origin.ts';
import { userActor } from '../../../../platform/http/requests/request-actor.ts';
import type { AccountParts } from '../context.ts';
import { accountErrors } from '../errors.ts';
import type { ExportView } from '../schemas.ts';
import type { DataExport, ExportStore } from './store.ts';

/** How long a file is kept. */
export const keptMs = dayMs;
/** A new export replaces a finished one that is older. */
const pauseMs = hourMs;
/** After this time an export without a file has lost its job. */
const lostMs = 2 * hourMs;

const noExport: ExportView = {
  state: 'none',
  progress: null,
  size: null,
  requested_at: null,
  expires_at: null,
};

const expiryOf = ({ state, finished_at: finished }: DataExport): Date | undefined =>
  state === 'ready' && finished !== null ? new Date(finished.getTime() + keptMs) : undefined;

function toView(found: DataExport): ExportView {
  const { state, done, total, size, requested_at: requestedAt } = found;
  return {
    state,
    progress: { done, total },
    size,
    requested_at: requestedAt.toISOString(),
    expires_at: expiryOf(found)?.toISOString() ?? null,
  };
}

/** A file to send. */
export interface ExportFile {
  size: number;
  name: string;
  chunks: AsyncGenerator<Buffer>;
}

async function* chunksOf(exports: Pick<ExportStore, 'chunk'>, id: string): AsyncGenerator<Buffer> {
  for (let position = 0; ; position += 1) {
    const chunk = await exports.chunk(id, position);
    if (chunk === undefined) return;
    yield chunk;
  }
}

/** Copies of a user's own data. `queue` queues the job that makes a file of `total` parts. */
export function createExports(
  { exports, audit, clock }: AccountParts,
  { queue, total }: { queue: (id: string) => Promise<unknown>; total: number },
) {
  async function live(userId: string): Promise<DataExport | undefined> {
    const found = await exports.find(userId);
    if (found === undefined) return undefined;
    const expiry = expiryOf(found);
    return expiry !== undefined && expiry.getTime() <= clock.now() ? undefined : found;
  }

  async function state(userId: string): Promise<ExportView> {
    const found = await live(userId);
    return found === undefined ? noExport : toView(found);
  }

  const record = (
    action: 'user.export_requested' | 'user.export_downloaded',
    userId: string,
    from: RequestOrigin,
  ) => audit.record({ action, ...userActor(userId, from), target: { kind: 'user', id: userId } });

  return {
    /** Whether there is a copy, and how far it is. */
    state,

    /**
     * Starts an export, unless one is in progress or less than an hour old. Throws
     * `request.unavailable` without Redis.
     */
    async start(userId: string, from: RequestOrigin): Promise<ExportView> {
      const now = clock.now();
      const [id, at] = [uuidv7(now), new Date(now)];
      const isEntered = await exports.enter({
        id,
        userId,
        total,
        at,
        finishedBefore: new Date(now - pauseMs),
        lostBefore: new Date(now - lostMs),
      });
      if (!isEntered) return state(userId);
      await queue(id).catch(async (error: unknown) => {
        await exports.withdraw(id).catch(() => undefined);
        throw error;
      });
      await record('user.export_requested', userId, from);
      const entered = { id, total, requested_at: at, done: 0, size: null, finished_at: null };
      return toView({ ...entered, state: 'queued' });
    },

    /** The file, for its user only. Throws `account.export_not_ready`. */
    async file(userId: string, from: RequestOrigin): Promise<ExportFile> {
      const found = await live(userId);
      if (found?.state !== 'ready' || found.size === null) throw accountErrors.export_not_ready();
      await record('user.export_downloaded', userId, from);
      const day = found.requested_at.toISOString().slice(0, 10);
      return { size: found.size, name: `my-data-${day}.zip`, chunks: chunksOf(exports, found.id) };
    },
  };
}
