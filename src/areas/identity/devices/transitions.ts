import type { Database } from '../../../platform/database/database.ts';
import type { Publisher } from '../../../platform/bus/types.ts';
import type { AuditAction } from '../../audit/actions.ts';
import type { Audit, AuditActor, AuditEntry } from '../../audit/service.ts';
import type { Sessions } from '../sessions/service.ts';
import { deviceTimes } from './approval/policy.ts';
import { approvalRequestStore } from './approval/store.ts';
import type { DeviceResources } from './context.ts';
import { type DeviceState, type TransitionName, transitions } from './states.ts';
import { type Device, type DevicePatch, deviceStore } from './store.ts';

export interface TransitionInput {
  name: TransitionName;
  by: AuditActor;
  /** Names of risk rules, or a word such as `owner`. */
  reasons?: readonly string[];
  /** Checked on the locked device; false leaves it unchanged. */
  onlyIf?: (before: Device) => boolean;
  /** Other columns that change with the state. */
  set?: DevicePatch;
  /** For the audit log. */
  details?: Readonly<Record<string, unknown>>;
}

const actions: Readonly<Record<TransitionName, AuditAction>> = {
  request: 'device.requested',
  bootstrap: 'device.cleared',
  approve: 'device.cleared',
  deny: 'device.denied',
  time_out: 'device.expired',
  suspend: 'device.suspended',
  restore: 'device.restored',
  expire: 'device.expired',
  revoke: 'device.revoked',
};

const isStored = (state: DeviceState): state is Device['state'] => state !== 'unknown';

/** Transitions that also settle the device's open request, with the state it gets. */
const requestOutcomes: Partial<Record<TransitionName, 'expired' | 'withdrawn'>> = {
  time_out: 'expired',
  revoke: 'withdrawn',
};

/** Returns when an approval of `clearedAt` ends without use after `now`, both in Unix ms. */
const approvalEnd = (clearedAt: number, now: number): Date =>
  new Date(Math.min(now + deviceTimes.unused, clearedAt + deviceTimes.absolute));

/** The columns that change with every transition to a state. */
function changesTo(state: Device['state'], now: number, clearedAt: number): DevicePatch {
  if (state === 'cleared')
    return {
      expires_at: approvalEnd(clearedAt, now),
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

const toAuditEntry = (
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

/** Changes states of devices, each together with its audit entry. Nothing else may change one. */
export function createTransitions({
  db,
  audit,
  sessions,
  bus,
  clock,
  logger,
}: Pick<DeviceResources, 'db' | 'clock' | 'logger'> & {
  audit: Pick<Audit, 'recordIn'>;
  sessions: Pick<Sessions, 'setDeviceState' | 'endOnDevice'>;
  bus: Pick<Publisher, 'publishInBackground'>;
}) {
  return { enrol, write, run, propagate, publish, endSessions };

  /** Inserts a device in the transition's state. Returns false when it exists already. */
  async function enrol(
    transaction: Database,
    device: Device,
    input: TransitionInput,
  ): Promise<boolean> {
    const isNew = await deviceStore.insert(transaction, device);
    if (isNew) await audit.recordIn(transaction, [toAuditEntry(device, 'unknown', input)]);
    return isNew;
  }

  /**
   * Applies a transition to the device `before`, which this transaction has locked. Undefined when
   * its state does not allow the transition. Call `propagate` after the commit.
   */
  async function write(
    transaction: Database,
    before: Device,
    input: TransitionInput,
  ): Promise<Device | undefined> {
    const { to, from } = transitions[input.name];
    const states: readonly DeviceState[] = from;
    const now = clock.now();
    const clearedAt = input.name === 'restore' ? (before.cleared_at?.getTime() ?? now) : now;
    const after = await deviceStore.update(transaction, before.id, states.filter(isStored), {
      state: to,
      state_at: new Date(now),
      reasons: [...(input.reasons ?? [])],
      ...changesTo(to, now, clearedAt),
      ...input.set,
    });
    if (after === undefined) return undefined;
    const outcome = requestOutcomes[input.name];
    if (outcome !== undefined)
      await approvalRequestStore.settleOpen(transaction, after.id, {
        state: outcome,
        at: new Date(now),
        by: input.by.actor.id ?? 'system',
        note: null,
      });
    await audit.recordIn(transaction, [toAuditEntry(after, before.state, input)]);
    return after;
  }

  /** Locks the device, applies the transition in a new transaction, and propagates it. */
  async function run(id: string, input: TransitionInput): Promise<Device | undefined> {
    const after = await db.transaction().execute(async (transaction) => {
      const before = await deviceStore.lock(transaction, id);
      return before === undefined || input.onlyIf?.(before) === false
        ? undefined
        : write(transaction, before, input);
    });
    if (after !== undefined) await propagate(after);
    return after;
  }

  /** Publishes the state of a device to clients and updates its sessions. */
  async function propagate(device: Device): Promise<void> {
    publish(device);
    // A failure does not undo the transition: the next use of the device updates its sessions.
    await sessions
      .setDeviceState(device.user_id, device.id, device.state)
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'the sessions on a device could not be notified of its state'),
      );
  }

  /** Publishes the state of a device to the clients of admins and of its owner. */
  function publish({ id, user_id: userId, state, name, state_at: at }: Device): void {
    const event = {
      type: 'device.updated',
      data: { device_id: id, user_id: userId, state, name, at: at.toISOString() },
    };
    bus.publishInBackground('devices', event);
    bus.publishInBackground(`svc:${userId}`, event);
  }

  /**
   * Ends the sessions on a revoked device and returns their number. A session that is being bound
   * to the device at the same time reads the device afterwards and ends itself; if this process
   * dies first, the sweep ends it.
   */
  async function endSessions({ id, user_id: userId }: Device): Promise<number> {
    const ended = await sessions.endOnDevice(userId, id);
    await deviceStore.markSessionsEnded(db, id, new Date(clock.now()));
    return ended;
  }
}
