import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import type { SessionRecord } from '../../../../areas/identity/sessions/records.ts';
import type { PlanView } from '../../../../areas/payments/service.ts';
import type { FactorReset } from '../../../../areas/identity/resets/store.ts';
import type { SecondFactorStatus } from '../../../../areas/identity/factors/service.ts';
import type { ListedUser } from '../../../../areas/identity/users/model.ts';
import type { ConsoleServices } from '../../context.ts';
import type { DeviceRow } from '../devices/device-table.tsx';
import { toDeviceRow } from '../devices/device-views.ts';
import { readSubjects, type Subjects } from '../audit/subjects.ts';
import { nameOf } from '../labels.tsx';
import { readNames, type UserNames } from '../user-names.ts';

export interface UserView {
  user: ListedUser;
  factor: SecondFactorStatus;
  /** The open or else the last 2FA reset. */
  reset: FactorReset | undefined;
  plan: PlanView | undefined;
  /** Names of the users in the reset. */
  names: UserNames;
}

/** What the page about sessions and devices shows. */
export interface UserDevicesView {
  user: ListedUser;
  /** Newest first. */
  sessions: readonly SessionRecord[];
  devices: readonly DeviceRow[];
}

/** What the page about activity shows: audit entries, newest first. */
export interface UserActivityView {
  user: ListedUser;
  /** What the user did, and what was done to the account. */
  entries: readonly AuditEventView[];
  subjects: Subjects;
}

const maxEntries = 25;

const adminsOf = (reset: FactorReset | undefined): string[] =>
  [reset?.requested_by ?? [], reset?.approved_by ?? []].flat();

/** Reads a user as lists show them. Throws `users.not_found`. */
export async function readListedUser(
  { users }: Pick<ConsoleServices, 'users'>,
  id: string,
): Promise<ListedUser> {
  const [found] = await users.findAll([id]);
  return found ?? { ...(await users.get(id)), lastSeenAt: null, hasTotp: false, hasPasskey: false };
}

/** Reads what the page of a user shows. Throws `users.not_found`. */
export async function readUser(services: ConsoleServices, id: string): Promise<UserView> {
  const { secondFactor, factorResets, payments } = services;
  const user = await readListedUser(services, id);
  const [factor, reset, plan] = await Promise.all([
    secondFactor.statusOf(id),
    factorResets.latest(id),
    payments.planOf(id),
  ]);
  return { user, factor, reset, plan, names: await readNames(services, adminsOf(reset)) };
}

/** Reads sessions and devices of a user. Throws `users.not_found`. */
export async function readUserDevices(
  services: ConsoleServices,
  id: string,
): Promise<UserDevicesView> {
  const user = await readListedUser(services, id);
  const { management, decisions } = services.devices;
  const [sessions, devices, open] = await Promise.all([
    services.sessions.list(id),
    management.listByUser(id),
    decisions.list('open'),
  ]);
  const requests = new Map(open.map(({ device, request }) => [device.id, request.id]));
  return {
    user,
    sessions,
    devices: devices.map((device) => ({
      ...toDeviceRow(device, nameOf(user)),
      requestId: requests.get(device.id),
    })),
  };
}

/** Reads what a user did, and what was done to the account. Throws `users.not_found`. */
export async function readUserActivity(
  services: ConsoleServices,
  id: string,
  signal: AbortSignal,
): Promise<UserActivityView> {
  const user = await readListedUser(services, id);
  const query = { personIds: [id], limit: maxEntries };
  const { data: entries } = await services.audit.list(query, signal);
  return { user, entries, subjects: await readSubjects(services, entries) };
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
