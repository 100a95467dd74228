import { equalSecrets } from '../../../../lib/secrets/secrets.ts';
import { cancellable, type Database } from '../../../../platform/database/database.ts';
import { systemActor } from '../../../../platform/http/requests/request-actor.ts';
import type { AuditActor } from '../../../audit/service.ts';
import type { User } from '../../users/model.ts';
import type { DeviceParts } from '../context.ts';
import { blackopsErrors } from '../errors.ts';
import { type Device, deviceStore } from '../store.ts';
import { type RequestRow, approvalRequestStore } from './store.ts';

/** An admin on an approved device, or a client with ADMIN_API_KEY. */
export interface Approver extends AuditActor {
  /** Undefined for the API key. */
  userId: string | undefined;
  /** The approved device, checked again in the transaction. Undefined when none is required. */
  deviceId: string | undefined;
}

export interface DecisionInput {
  isApproved: boolean;
  /** The number the approver entered. Required to approve. */
  number: string | undefined;
  note: string | undefined;
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
      /** Set when the device changed its state even so. */
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

/** Returns the id of a user, `env` for ADMIN_API_KEY, or `system`. */
function deciderId({ actor: { kind, id } }: AuditActor): string {
  if (kind === 'user') return id ?? '';
  return kind === 'api_key' ? 'env' : 'system';
}

interface SettleInput {
  state: 'approved' | 'denied' | 'expired';
  by: AuditActor;
  reason?: string;
  note?: string | undefined;
}

/** Each request for approval gets one decision, never by the owner of the device. */
export function createDecisions({ db, transitions, notices, findUser, clock }: DeviceParts) {
  return { list, decide };

  /** Lists at most 100 requests: open ones oldest first, or decided ones latest first. */
  async function list(
    which: 'open' | 'decided',
    signal?: AbortSignal,
  ): Promise<RequestWithOwner[]> {
    const now = new Date(clock.now());
    const rows = await approvalRequestStore.list(cancellable(db, signal), which, now, maxListed);
    const ids = [...new Set(rows.map(({ request }) => request.user_id))];
    const owners = new Map(
      await Promise.all(ids.map(async (id) => [id, await findUser(id)] as const)),
    );
    return rows.map((row) => ({ ...row, owner: owners.get(row.request.user_id) }));
  }

  /**
   * Approves or denies a request and returns the changed device. Throws
   * `blackops.request_not_found`, `.own_request`, `.device_not_cleared` (the approver's),
   * `.already_decided`, `.wrong_number`; the third wrong number denies the request.
   */
  async function decide(
    requestId: string,
    input: DecisionInput,
    approver: Approver,
  ): Promise<Device> {
    const outcome = await db
      .transaction()
      .execute((transaction) => decideLocked(transaction, requestId, input, approver));
    if (outcome.device !== undefined) {
      await transitions.propagate(outcome.device);
      if (outcome.device.state !== 'expired') await notices.decided(outcome.device);
    }
    if (outcome.is !== 'decided') throw refusals[outcome.is]();
    return outcome.device;
  }

  async function decideLocked(
    transaction: Database,
    requestId: string,
    { isApproved, number, note }: DecisionInput,
    approver: Approver,
  ): Promise<Outcome> {
    const before = await approvalRequestStore.find(transaction, requestId);
    const device = before && (await deviceStore.lock(transaction, before.device_id));
    // Read again: another decision may have been made while this one waited for the lock.
    const request = await approvalRequestStore.find(transaction, requestId);
    if (device === undefined || request === undefined) return { is: 'not_found' };
    if (request.user_id === approver.userId) return { is: 'own' };
    if (!(await isStillApproved(transaction, approver.deviceId)))
      return { is: 'approver_not_cleared' };
    if (request.state !== 'open' || device.state !== 'pending') return { is: 'settled' };
    const settleAs = (input: SettleInput) => settle(transaction, device, requestId, input);
    if (request.expires_at.getTime() <= clock.now())
      return settleAs({ state: 'expired', by: systemActor });
    if (!isApproved) return settleAs({ state: 'denied', by: approver, reason: 'admin', note });
    if (equalSecrets(number ?? '', request.number))
      return settleAs({ state: 'approved', by: approver, note });
    if ((await approvalRequestStore.countWrongNumber(transaction, requestId)) < maxWrongNumbers)
      return { is: 'wrong_number' };
    const denied = await settleAs({ state: 'denied', by: approver, reason: 'wrong_number' });
    return { ...denied, is: 'wrong_number' };
  }

  async function isStillApproved(
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

  /** Settles the request of a locked device and changes the state of the device. */
  async function settle(
    transaction: Database,
    device: Device,
    requestId: string,
    { state, by, reason, note }: SettleInput,
  ): Promise<Outcome> {
    await approvalRequestStore.settle(transaction, requestId, {
      state,
      at: new Date(clock.now()),
      by: deciderId(by),
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
}
