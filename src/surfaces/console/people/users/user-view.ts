import { auditActions } from '../../../../areas/audit/actions.ts';
import type { ConsoleServices } from '../../context.ts';
import { toDeviceRow } from '../devices/device-views.ts';
import { nameOf } from '../labels.tsx';
import { readNames, userIdsIn } from '../user-names.ts';
import type { UserView } from './user-page.tsx';

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
