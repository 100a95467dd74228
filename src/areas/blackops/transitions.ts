import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Publisher } from '../../platform/bus/types.ts';
import type { AuditAction } from '../audit/actions.ts';
import type { Audit, AuditActor, AuditEntry } from '../audit/service.ts';
import type { Sessions } from '../auth/sessions.ts';
import { deviceTimes } from './clearance/policy.ts';
import { requestStore } from './clearance/request-store.ts';
import { type DeviceState, type TransitionName, transitions } from './states.ts';
import { type Device, type DevicePatch, deviceStore } from './store.ts';

export interface TransitionInput {
  name: TransitionName;
  by: AuditActor;
  /** Why: names of risk rules, or a word. */
  reasons?: readonly string[];
  /** Looked at when nobody else can change the device any more: false leaves it as it is. */
  onlyIf?: (before: Device) => boolean;
  /** What else changes with it. */
  set?: DevicePatch;
  /** For the audit log. */
  details?: Readonly<Record<string, unknown>>;
}

const actions: Readonly<Record<TransitionName, AuditAction>> = {
  request: 'device.requested',
  bootstrap: 'device.cleared',
  approve: 'device.cleared',
  self_clear: 'device.cleared',
  deny: 'device.denied',
  time_out: 'device.expired',
  suspend: 'device.suspended',
  restore: 'device.restored',
  expire: 'device.expired',
  revoke: 'device.revoked',
};

const isKept = (state: DeviceState): state is Device['state'] => state !== 'unknown';

/** What becomes of a request that nobody has decided on. */
const unansweredBy: Partial<Record<TransitionName, 'expired' | 'withdrawn'>> = {
  time_out: 'expired',
  revoke: 'withdrawn',
};

export interface TransitionsDeps {
  db: Database;
  audit: Pick<Audit, 'recordIn'>;
  sessions: Pick<Sessions, 'setDeviceState' | 'endOnDevice'>;
  publisher: Pick<Publisher, 'publishInBackground'>;
  clock: Clock;
  logger: Logger;
}

/**
 * When clearance that was given at `clearedAt` (Unix ms) ends, if the device is not used after
 * `now`.
 */
const endOf = (clearedAt: number, now: number): Date =>
  new Date(Math.min(now + deviceTimes.unused, clearedAt + deviceTimes.absolute));

/** What changes with every transition to a state. */
function changesTo(state: Device['state'], now: number, clearedAt: number): DevicePatch {
  if (state === 'cleared')
    return {
      expires_at: endOf(clearedAt, now),
      cleared_at: new Date(clearedAt),
      last_seen: new Date(now),
    };
  if (state === 'pending') return { expires_at: new Date(now + deviceTimes.request) };
  return {
    expires_at: null,
    ...(state === 'revoked'
      ? {
          secret_hash: null,
          previous_secret_hash: null,
          rotation: null,
          enrolled_in: null,
          sessions_ended_at: null,
        }
      : {}),
  };
}

/**
 * The only place where a device changes its state: by the table, once, and with its entry in the
 * audit log or not at all.
 */
export function createTransitions({
  db,
  audit,
  sessions,
  publisher,
  clock,
  logger,
}: TransitionsDeps) {
  const entryOf = (
    device: Device,
    from: string,
    { name, by, reasons = [], details }: TransitionInput,
  ): AuditEntry => ({
    ...by,
    action: actions[name],
    reason: reasons[0],
    target: { kind: 'device', id: device.id },
    details: {
      transition: name,
      from,
      to: device.state,
      owner: device.user_id,
      ...(reasons.length > 1 ? { reasons } : {}),
      ...details,
    },
  });

  async function write(
    transaction: Database,
    before: Device,
    move: TransitionInput,
  ): Promise<Device | undefined> {
    const { to } = transitions[move.name];
    const from: readonly DeviceState[] = transitions[move.name].from;
    const states = from.filter(isKept);
    const now = clock.now();
    const clearedAt = move.name === 'restore' ? (before.cleared_at?.getTime() ?? now) : now;
    const changes = {
      state: to,
      state_at: new Date(now),
      reasons: [...(move.reasons ?? [])],
      ...changesTo(to, now, clearedAt),
      ...move.set,
    };
    const after = await deviceStore.update(transaction, before.id, states, changes);
    if (after === undefined) return undefined;
    const unanswered = unansweredBy[move.name];
    if (unanswered !== undefined)
      await requestStore.settleOpen(transaction, after.id, {
        state: unanswered,
        at: new Date(now),
        by: move.by.actor.id ?? 'system',
        note: null,
      });
    await audit.recordIn(transaction, [entryOf(after, before.state, move)]);
    return after;
  }

  /** Tells admins and the owner what has become of a device. */
  function publish({ id, user_id: userId, state, name, state_at: at }: Device): void {
    const event = {
      type: 'device.updated',
      data: { device_id: id, user_id: userId, state, name, at: at.toISOString() },
    };
    publisher.publishInBackground('devices', event);
    publisher.publishInBackground(`svc:${userId}`, event);
  }

  /**
   * Tells the sessions on a device what has become of it, and whoever listens. What is decided
   * stays decided: the next use of the device tells the sessions otherwise.
   */
  async function propagate(device: Device): Promise<void> {
    const { id, user_id: userId, state } = device;
    publish(device);
    await sessions
      .setDeviceState(userId, id, state)
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'the sessions on a device could not be told of its state'),
      );
  }

  return {
    /** A new device in the state that the transition leads to. False when there is one already. */
    async enrol(transaction: Database, device: Device, move: TransitionInput): Promise<boolean> {
      const isNew = await deviceStore.insert(transaction, device);
      if (isNew) await audit.recordIn(transaction, [entryOf(device, 'unknown', move)]);
      return isNew;
    },

    /**
     * Changes a device that was read as `before` and locked in this transaction. Undefined when it
     * is in no state that allows it. Call `spread` after.
     */
    write: write,

    /** As `within`, in a transaction of its own, and `spread`. */
    async run(id: string, move: TransitionInput): Promise<Device | undefined> {
      const after = await db.transaction().execute(async (transaction) => {
        const before = await deviceStore.lock(transaction, id);
        return before === undefined || move.onlyIf?.(before) === false
          ? undefined
          : write(transaction, before, move);
      });
      if (after !== undefined) await propagate(after);
      return after;
    },

    propagate,

    /** Tells whoever listens of a device that has begun. */
    publish,

    /**
     * Ends the sessions on a device that was revoked. Gives how many there were. A session that is
     * put on it in the same moment looks at the device afterwards, and ends then; if this process
     * dies before, the sweep does it.
     */
    async endSessions({ id, user_id: userId }: Device): Promise<number> {
      const ended = await sessions.endOnDevice(userId, id);
      await deviceStore.markSessionsEnded(db, id, new Date(clock.now()));
      return ended;
    },
  };
}

export type Transitions = ReturnType<typeof createTransitions>;
