import { auditActions } from '../../../../areas/audit/actions.ts';
import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import type { SessionRecord } from '../../../../areas/auth/sessions/session-records.ts';
import type { PlanView } from '../../../../areas/payments/service.ts';
import type { SecondFactorStatus } from '../../../../areas/second-factor/service.ts';
import type { ListedUser } from '../../../../areas/users/store.ts';
import type { ConsoleServices } from '../../context.ts';
import type { DeviceRow } from '../devices/device-table.tsx';
import { toDeviceRow } from '../devices/device-views.ts';
import { nameOf } from '../labels.tsx';
import { readNames, type UserNames, userIdsIn } from '../user-names.ts';

export interface UserView {
  user: ListedUser;
  factor: SecondFactorStatus;
  /** Newest first. */
  sessions: readonly SessionRecord[];
  devices: readonly DeviceRow[];
  plan: PlanView | undefined;
  /** Audit entries with the user as target, newest first. */
  entries: readonly AuditEventView[];
  /** Names of the users in the entries. */
  names: UserNames;
  /** Meanings of the actions. */
  actions: Readonly<Record<string, string>>;
  /** The configuration makes the user an admin at every sign-in. */
  isAdminByConfig: boolean;
}

const maxEntries = 8;

/** Reads what the page of a user shows. Throws `users.not_found`. */
export async function readUser(
  services: ConsoleServices,
  id: string,
  signal: AbortSignal,
): Promise<UserView> {
  const { users, secondFactor, sessions, devices, payments, audit } = services;
  await users.get(id);
  const [[listedUser], factor, userSessions, userDevices, plan, { data: entries }] =
    await Promise.all([
      users.findAll([id]),
      secondFactor.statusOf(id),
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
    sessions: userSessions,
    devices: userDevices.map((device) => toDeviceRow(device, nameOf(user))),
    plan,
    entries,
    names: await readNames(services, userIdsIn(entries)),
    actions: auditActions,
    isAdminByConfig: users.isAdminByConfig(user),
  };
}
