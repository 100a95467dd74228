import { auditActions } from '../../../../areas/audit/actions.ts';
import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import type { SessionRecord } from '../../../../areas/identity/sessions/records.ts';
import type { PlanView } from '../../../../areas/payments/service.ts';
import type { FactorReset } from '../../../../areas/identity/resets/store.ts';
import type { SecondFactorStatus } from '../../../../areas/identity/factors/service.ts';
import type { ListedUser } from '../../../../areas/identity/users/model.ts';
import type { ConsoleServices } from '../../context.ts';
import type { DeviceRow } from '../devices/device-table.tsx';
import { toDeviceRow } from '../devices/device-views.ts';
import { nameOf } from '../labels.tsx';
import { readNames, type UserNames, userIdsIn } from '../user-names.ts';

export interface UserView {
  user: ListedUser;
  factor: SecondFactorStatus;
  /** The open or else the last 2FA reset. */
  reset: FactorReset | undefined;
  /** Newest first. */
  sessions: readonly SessionRecord[];
  devices: readonly DeviceRow[];
  plan: PlanView | undefined;
  /** Audit entries with the user as target, newest first. */
  entries: readonly AuditEventView[];
  /** Names of the users in the entries and in the reset. */
  names: UserNames;
  /** Meanings of the actions. */
  actions: Readonly<Record<string, string>>;
  /** The configuration makes the user an admin at every sign-in. */
  isAdminByConfig: boolean;
}

const maxEntries = 8;

const adminsOf = (reset: FactorReset | undefined): string[] =>
  [reset?.requested_by ?? [], reset?.approved_by ?? []].flat();

/** Reads what the page of a user shows. Throws `users.not_found`. */
export async function readUser(
  services: ConsoleServices,
  id: string,
  signal: AbortSignal,
): Promise<UserView> {
  const { users, secondFactor, factorResets, sessions, devices, payments, audit } = services;
  await users.get(id);
  const [[listedUser], factor, reset, userSessions, userDevices, plan, { data: entries }] =
    await Promise.all([
      users.findAll([id]),
      secondFactor.statusOf(id),
      factorResets.latest(id),
      sessions.list(id),
      devices.management.listByUser(id),
      payments.planOf(id),
      audit.list({ target_id: id, limit: maxEntries }, signal),
    ]);
  // The user may have been deleted between the reads: `get` throws then.
  const user = listedUser ?? {
    ...(await users.get(id)),
    lastSeenAt: null,
    hasTotp: false,
    hasPasskey: false,
  };
  return {
    user,
    factor,
    reset,
    sessions: userSessions,
    devices: userDevices.map((device) => toDeviceRow(device, nameOf(user))),
    plan,
    entries,
    names: await readNames(services, [...userIdsIn(entries), ...adminsOf(reset)]),
    actions: auditActions,
    isAdminByConfig: users.isAdminByConfig(user),
  };
}

/** Reads whose 2FA is about to be reset. */
export async function readOpenResets(
  services: Pick<ConsoleServices, 'factorResets' | 'users'>,
  signal: AbortSignal,
): Promise<{ userId: string; name: string }[]> {
  const open = await services.factorResets.listOpen(signal);
  const ids = open.map(({ user_id: id }) => id);
  const names = ids.length === 0 ? undefined : await readNames(services, ids);
  return ids.map((userId) => ({ userId, name: names?.get(userId) ?? userId }));
}
