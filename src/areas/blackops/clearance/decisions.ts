import type { Clock } from '../../../lib/clock.ts';
import { equalSecrets } from '../../../lib/secrets/secrets.ts';
import { cancellable, type Database } from '../../../platform/database/database.ts';
import { systemActor } from '../../../platform/http/requests/request-actor.ts';
import type { AuditActor } from '../../audit/service.ts';
import type { User } from '../../users/store.ts';
import { blackopsErrors } from '../errors.ts';
import { type Device, deviceStore } from '../store.ts';
import type { Transitions } from '../transitions.ts';
import type { Notices } from './notices.ts';
import { type RequestRow, requestStore } from './request-store.ts';

/** Who decides: an admin on a cleared device, or whoever holds ADMIN_API_KEY. */
export interface Approver extends AuditActor {
  /** Undefined for the key. */
  userId: string | undefined;
  /** The cleared device, checked again at the decision. Undefined where none is needed. */
  deviceId: string | undefined;
}

export interface DecisionInput {
  isApproved: boolean;
  /** What the device shows, according to the approver. Approving needs it. */
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

export interface RequestWithOwner extends RequestRow {
  owner: User | undefined;
}

const maxWrongNumbers = 3;
const maxListed = 100;

type Outcome =
  | { is: 'decided'; device: Device }
  | {
      is: 'settled' | 'wrong_number' | 'not_found' | 'own' | 'approver_not_cleared';
      /** Set when the device has changed its state all the same. */
      device?: Device | undefined;
    };

const refusals = {
  not_found: blackopsErrors.request_not_found,
  own: blackopsErrors.own_request,
  approver_not_cleared: blackopsErrors.device_not_cleared,
  settled: blackopsErrors.already_decided,
  wrong_number: blackopsErrors.wrong_number,
};

const transitionNames = { approved: 'approve', denied: 'deny', expired: 'time_out' } as const;

/** Id of a user, `env` for the admin key, or `system`. */
function deciderOf({ actor: { kind, id } }: AuditActor): string {
  if (kind === 'user') return id ?? '';
  return kind === 'api_key' ? 'env' : 'system';
}

async function isCleared(
  { clock }: DecisionsDeps,
  transaction: Database,
  deviceId: string | undefined,
): Promise<boolean> {
  if (deviceId === undefined) return true;
  const device = await deviceStore.find(transaction, deviceId);
  return (
    device?.state === 'cleared' &&
    device.expires_at !== null &&
    device.expires_at.getTime() > clock.now()
  );
}

interface SettleInput {
  state: 'approved' | 'denied' | 'expired';
  by: AuditActor;
  reason?: string;
  note?: string | undefined;
}

/** Settles the request of a locked device, and the device with it. */
async function settle(
  { transitions, clock }: DecisionsDeps,
  transaction: Database,
  device: Device,
  requestId: string,
  { state, by, reason, note }: SettleInput,
): Promise<Outcome> {
  await requestStore.settle(transaction, requestId, {
    state,
    at: new Date(clock.now()),
    by: deciderOf(by),
    note: note ?? null,
  });
  const after = await transitions.write(transaction, device, {
    name: transitionNames[state],
    by,
    ...(reason === undefined ? {} : { reasons: [reason] }),
    details: { request_id: requestId },
  });
  if (after === undefined) return { is: 'settled' };
  return { is: state === 'expired' ? 'settled' : 'decided', device: after };
}

async function decideLocked(
  deps: DecisionsDeps,
  transaction: Database,
  requestId: string,
  { isApproved, number, note }: DecisionInput,
  approver: Approver,
): Promise<Outcome> {
  const before = await requestStore.find(transaction, requestId);
  const device = before && (await deviceStore.lock(transaction, before.device_id));
  // Read again: whoever held the lock before may have decided.
  const request = await requestStore.find(transaction, requestId);
  if (device === undefined || request === undefined) return { is: 'not_found' };
  if (request.user_id === approver.userId) return { is: 'own' };
  if (!(await isCleared(deps, transaction, approver.deviceId)))
    return { is: 'approver_not_cleared' };
  if (request.state !== 'open' || device.state !== 'pending') return { is: 'settled' };
  const settleAs = (input: SettleInput) => settle(deps, transaction, device, requestId, input);
  if (request.expires_at.getTime() <= deps.clock.now())
    return settleAs({ state: 'expired', by: systemActor });
  if (!isApproved) return settleAs({ state: 'denied', by: approver, reason: 'admin', note });
  if (equalSecrets(number ?? '', request.number))
    return settleAs({ state: 'approved', by: approver, note });
  if ((await requestStore.countWrongNumber(transaction, requestId)) < maxWrongNumbers)
    return { is: 'wrong_number' };
  const denied = await settleAs({ state: 'denied', by: approver, reason: 'wrong_number' });
  return { ...denied, is: 'wrong_number' };
}

async function withOwners(
  rows: readonly RequestRow[],
  findUser: DecisionsDeps['findUser'],
): Promise<RequestWithOwner[]> {
  const ids = [...new Set(rows.map(({ request }) => request.user_id))];
  const users = await Promise.all(ids.map(async (id) => [id, await findUser(id)] as const));
  const owners = new Map(users);
  return rows.map((row) => ({ ...row, owner: owners.get(row.request.user_id) }));
}

/** Decisions on requests for clearance: one for each, by somebody else. */
export function createDecisions(deps: DecisionsDeps) {
  const { db, transitions, notices, findUser, clock } = deps;

  return {
    /** Open requests oldest first, or those that were decided last. */
    async list(which: 'open' | 'decided', signal?: AbortSignal): Promise<RequestWithOwner[]> {
      const now = new Date(clock.now());
      const rows = await requestStore.list(cancellable(db, signal), which, now, maxListed);
      return withOwners(rows, findUser);
    },

    /**
     * Approves or denies a request, and returns the device as it is then. Throws
     * `blackops.request_not_found`, `.own_request`, `.device_not_cleared` (the approver's),
     * `.already_decided`, `.wrong_number`; the third wrong number denies it.
     */
    async decide(requestId: string, input: DecisionInput, approver: Approver): Promise<Device> {
      const outcome = await db
        .transaction()
        .execute((transaction) => decideLocked(deps, transaction, requestId, input, approver));
      if (outcome.device !== undefined) {
        await transitions.propagate(outcome.device);
        if (outcome.device.state !== 'expired') await notices.decided(outcome.device);
      }
      if (outcome.is !== 'decided') throw refusals[outcome.is]();
      return outcome.device;
    },
  };
}
