import { systemActor } from '../../../platform/identity/actors.ts';
import type { AuditActor } from '../../audit/service.ts';
import type { Clock } from '../../../lib/clock.ts';
import { equalSecrets } from '../../../lib/secrets/secrets.ts';
import { cancellable, type Database } from '../../../platform/database/database.ts';
import type { User } from '../../users/store.ts';
import { blackopsErrors } from '../errors.ts';
import type { Notices } from './notices.ts';
import { type RequestRow, requestStore } from './request-store.ts';
import { type Device, deviceStore } from '../store.ts';
import type { Transitions } from '../transitions.ts';

/** Who decides: an admin on a cleared device, or whoever holds ADMIN_API_KEY. */
export interface Approver extends AuditActor {
  /** Undefined for the key. */
  userId: string | undefined;
  /** The cleared device, checked again at the decision. Undefined where none is needed. */
  deviceId: string | undefined;
}

export interface DecisionInput {
  isApproved: boolean;
  /** What the approver says that the asking device shows. Approving needs it. */
  number: string | undefined;
  note: string | undefined;
}

export interface DecisionsDeps {
  db: Database;
  transitions: Transitions;
  notices: Notices;
  findUser: (id: string) => Promise<User | undefined>;
  clock: Clock;
}

/** A request as its approver sees it. */
export interface RequestWithOwner extends RequestRow {
  owner: User | undefined;
}

const maxWrongNumbers = 3;
const maxListed = 100;

type Outcome =
  | { is: 'decided'; device: Device }
  | {
      is: 'settled' | 'wrong_number' | 'not_found' | 'own' | 'approver_not_cleared';
      device?: Device | undefined;
    };

/** Deciding on requests: once each, by somebody else. */
export function createDecisions({ db, transitions, notices, findUser, clock }: DecisionsDeps) {
  async function isCleared(transaction: Database, deviceId: string | undefined): Promise<boolean> {
    if (deviceId === undefined) return true;
    const device = await deviceStore.find(transaction, deviceId);
    return (
      device?.state === 'cleared' &&
      device.expires_at !== null &&
      device.expires_at.getTime() > clock.now()
    );
  }

  async function settle(
    transaction: Database,
    device: Device,
    requestId: string,
    state: 'approved' | 'denied' | 'expired',
    by: AuditActor,
    reason: string | undefined,
    note?: string,
  ): Promise<Outcome> {
    const name = state === 'approved' ? 'approve' : state === 'denied' ? 'deny' : 'time_out';
    const decidedBy =
      by.actor.kind === 'user'
        ? (by.actor.id ?? '')
        : by.actor.kind === 'api_key'
          ? 'env'
          : 'system';
    await requestStore.settle(transaction, requestId, {
      state,
      at: new Date(clock.now()),
      by: decidedBy,
      note: note ?? null,
    });
    const after = await transitions.write(transaction, device, {
      name,
      by,
      ...(reason === undefined ? {} : { reasons: [reason] }),
      details: { request_id: requestId },
    });
    return after === undefined
      ? { is: 'settled' }
      : { is: state === 'expired' ? 'settled' : 'decided', device: after };
  }

  async function decideLocked(
    transaction: Database,
    requestId: string,
    verdict: DecisionInput,
    approver: Approver,
  ): Promise<Outcome> {
    const before = await requestStore.find(transaction, requestId);
    const device =
      before === undefined ? undefined : await deviceStore.lock(transaction, before.device_id);
    // Read again: who holds the lock before may have decided.
    const request = await requestStore.find(transaction, requestId);
    if (device === undefined || request === undefined) return { is: 'not_found' };
    if (request.user_id === approver.userId) return { is: 'own' };
    if (!(await isCleared(transaction, approver.deviceId))) return { is: 'approver_not_cleared' };
    if (request.state !== 'open' || device.state !== 'pending') return { is: 'settled' };
    if (request.expires_at.getTime() <= clock.now())
      return settle(transaction, device, requestId, 'expired', systemActor, undefined);
    if (!verdict.isApproved)
      return settle(transaction, device, requestId, 'denied', approver, 'admin', verdict.note);
    if (equalSecrets(verdict.number ?? '', request.number))
      return settle(transaction, device, requestId, 'approved', approver, undefined, verdict.note);
    if ((await requestStore.countWrongNumber(transaction, requestId)) < maxWrongNumbers)
      return { is: 'wrong_number' };
    const denied = await settle(transaction, device, requestId, 'denied', approver, 'wrong_number');
    return { ...denied, is: 'wrong_number' };
  }

  const refusals = {
    not_found: blackopsErrors.request_not_found,
    own: blackopsErrors.own_request,
    approver_not_cleared: blackopsErrors.device_not_cleared,
    settled: blackopsErrors.already_decided,
    wrong_number: blackopsErrors.wrong_number,
  };

  return {
    /** Open requests oldest first, and those that were decided last. */
    async list(which: 'open' | 'decided', signal?: AbortSignal): Promise<RequestWithOwner[]> {
      const rows = await requestStore.list(
        cancellable(db, signal),
        which,
        new Date(clock.now()),
        maxListed,
      );
      const owners = new Map(
        await Promise.all(
          [...new Set(rows.map(({ request }) => request.user_id))].map(
            async (id) => [id, await findUser(id)] as const,
          ),
        ),
      );
      return rows.map((row) => ({ ...row, owner: owners.get(row.request.user_id) }));
    },

    /**
     * Approves or denies a request, and gives the device as it is then. Throws
     * `blackops.request_not_found`, `.own_request`, `.device_not_cleared` (the approver's),
     * `.already_decided`, `.wrong_number`; the third wrong number denies it.
     */
    async decide(requestId: string, verdict: DecisionInput, approver: Approver): Promise<Device> {
      const outcome = await db
        .transaction()
        .execute((transaction) => decideLocked(transaction, requestId, verdict, approver));
      if (outcome.device !== undefined) {
        await transitions.propagate(outcome.device);
        if (outcome.device.state !== 'expired') await notices.decided(outcome.device);
      }
      if (outcome.is !== 'decided') throw refusals[outcome.is]();
      return outcome.device;
    },
  };
}
