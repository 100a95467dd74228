import { CreateApiKeyBody } from '../areas/api-keys/schemas.ts';
import { auditActions } from '../areas/audit/actions.ts';
import { AuditListQuery } from '../areas/audit/schemas.ts';
import { bindingTexts, countryOf, programOf } from '../areas/blackops/pages/page-parts.ts';
import { bindingOf } from '../areas/blackops/clearance/policy.ts';
import type { RequestView } from '../areas/blackops/clearance/decisions.ts';
import type { Device } from '../areas/blackops/store.ts';
import { toReasons, toRequestView } from '../areas/blackops/views.ts';
import type { ShownDevice } from '../surfaces/console/people/device-rows.ts';
import type { Asking } from '../surfaces/console/people/devices-page.ts';
import { checked } from '../surfaces/console/form-values.ts';
import { nameOf } from '../surfaces/console/people/people-words.ts';
import type { AuditSource } from '../surfaces/console/people/routes.audit.ts';
import type { DeviceSource } from '../surfaces/console/people/routes.devices.ts';
import type { KeySource } from '../surfaces/console/people/routes.keys.ts';
import type { PeopleSource } from '../surfaces/console/people/routes.users.ts';
import type { FinderSource } from '../surfaces/console/routes.search.ts';
import { blackopsErrors } from '../areas/blackops/errors.ts';
import { createUserAdmin } from '../areas/users/administration.ts';
import { createFinder } from './console-finder.ts';
import type { Services } from './services.ts';
import { isUuid } from '../lib/ids.ts';

const shortBindings = {
  fingerprint: 'nothing',
  cookie: 'cookie',
  key: 'key',
  webauthn: 'key and passkey',
} as const;
const perDeviceList = 50;
const shownDecisions = 20;
const shownEntries = 8;
const figureDays = 30;

function toShown(device: Device, owner: string): ShownDevice {
  const {
    id,
    user_id: userId,
    name,
    state,
    country,
    address,
    last_seen: lastSeen,
    expires_at: expiresAt,
  } = device;
  const place =
    country === null && address === null
      ? 'place unknown'
      : [...(country === null ? [] : [countryOf(country)]), address ?? 'network unknown'].join(
          ', ',
        );
  return {
    id,
    userId,
    owner,
    name,
    state,
    program: programOf(device),
    bound: shortBindings[bindingOf(device)],
    place,
    reasons: toReasons(device).map(({ text }) => text),
    lastSeen,
    expiresAt,
  };
}

function toAsking(request: RequestView, viewerId: string): Asking {
  const view = toRequestView(request, viewerId);
  return {
    ...view,
    program: programOf(view),
    bound: bindingTexts[view.binding],
    country: countryOf(view.country),
  };
}

/** People, their sessions and roles: the services of sign-in, with the entries in the audit log that their REST calls write. */
function peopleSource(
  { users, sessions, devices, secondFactor, payments, audit }: Services,
  { namesIn }: Pick<AuditSource, 'namesIn'>,
  now: () => number,
): PeopleSource {
  const admin = createUserAdmin({ users, audit, clock: { now } });
  return {
    list: ({ disabled, ...query }, signal) =>
      users.list(
        { ...query, disabled: disabled === undefined ? undefined : disabled === 'yes' },
        signal,
      ),
    get: users.get,

    async view(id, signal) {
      await users.get(id);
      const [[user], factor, held, own, plan, entries] = await Promise.all([
        users.findAll([id]),
        secondFactor.statusOf(id),
        sessions.list(id),
        devices.management.listOf(id),
        payments.planOf(id),
        audit.list({ target_id: id, limit: shownEntries }, signal),
      ]);
      // Asked once more: between both reads the person may have gone.
      const shown = user ?? {
        ...(await users.get(id)),
        lastSeenAt: null,
        hasTotp: false,
        hasPasskey: false,
      };
      const names = await namesIn(entries.data, {});
      return {
        names,
        actions: auditActions,
        user: shown,
        factor,
        sessions: held,
        devices: own.map((device) => toShown(device, nameOf(shown))),
        plan,
        entries: entries.data,
        isAdminByConfig: users.isAdminByConfig(shown),
      };
    },

    async endSession(id, sessionId, by) {
      if (await sessions.end(id, sessionId))
        await audit.record({
          action: 'session.revoked',
          ...by,
          target: { kind: 'session', id: sessionId },
          details: { user_id: id },
        });
    },

    async endSessions(id, by) {
      await users.get(id);
      await sessions.endAll(id);
      await audit.record({ action: 'session.revoked_all', ...by, target: { kind: 'user', id } });
    },

    ...admin,
  };
}

/** Devices and decisions on them, as the API of device security does it. */
function deviceSource({ users, devices, dashboard }: Services, now: () => number): DeviceSource {
  const { management, decisions } = devices;

  async function ownersOf(all: readonly Device[]): Promise<ReadonlyMap<string, string>> {
    const owners = await users.findAll([...new Set(all.map(({ user_id: id }) => id))]);
    return new Map(owners.map((owner) => [owner.id, nameOf(owner)]));
  }

  return {
    async view({ userId }, query, signal) {
      const [open, decided, figures, { data, next_cursor: next }] = await Promise.all([
        decisions.list('open', signal),
        decisions.list('decided', signal),
        dashboard.overview(figureDays, signal),
        management.list({ ...query, limit: perDeviceList }, signal),
      ]);
      const owners = await ownersOf(data);
      const toView = (request: RequestView) => toAsking(request, userId);
      return {
        open: open.map(toView),
        decided: decided.slice(0, shownDecisions).map(toView),
        figures,
        devices: data.map((device) =>
          toShown(device, owners.get(device.user_id) ?? device.user_id),
        ),
        next,
        now: now(),
      };
    },

    decide: (requestId, verdict, approver) => decisions.decide(requestId, verdict, approver),

    async othersDevice(id, { userId }) {
      const device = await management.get(id, 'all');
      if (device.user_id === userId)
        throw blackopsErrors.own_request({
          detail: 'This is your own device: you find it under Your devices.',
        });
      return device;
    },

    suspend: (id, { by }) => management.suspend(id, 'all', by, 'admin'),
    restore: (id, { userId, by }) => management.restoreOther(id, userId, by),
    revoke: (id, { by }) => management.revoke(id, 'all', by, 'admin'),
  };
}

/** Keys of programs, and the payment provider's events. */
function keySource({ apiKeys, payments, baseOrigin }: Services, now: () => number): KeySource {
  return {
    newKey: CreateApiKeyBody,
    baseUrl: baseOrigin,
    now,
    list: (query, signal) => apiKeys.list(query, signal),
    get: apiKeys.get,
    create: (body, by) => apiKeys.create(body, by),
    revoke: (id, by) => apiKeys.revoke(id, by),
    retry: (eventId, by) => payments.retry(eventId, by),
    async webhook(query, signal) {
      const [{ data, next_cursor: next }, counts] = await Promise.all([
        payments.list(query, signal),
        payments.counts(signal),
      ]);
      return {
        events: data,
        next,
        counts,
        isConfigured: payments.isConfigured,
        url: `${baseOrigin}/api/auth/webhooks/payments`,
      };
    },
  };
}

/** The audit log, with the names of the people in it. */
function auditSource({ audit, users }: Services): AuditSource {
  const instant = (text: string | undefined) =>
    text === undefined ? undefined : `${text.length === 16 ? `${text}:00` : text}Z`;
  return {
    actions: auditActions,
    list: ({ since, until, ...filters }, { limit, cursor }, signal) =>
      audit.list(
        checked(AuditListQuery, {
          ...filters,
          since: instant(since),
          until: instant(until),
          limit,
          cursor,
        }),
        signal,
      ),
    async namesIn(entries, { actor_id: actor, target_id: target }) {
      const inEntries = entries.flatMap((entry) =>
        [entry.actor, ...(entry.target === null ? [] : [entry.target])].flatMap(({ kind, id }) =>
          kind === 'user' && id !== null ? [id] : [],
        ),
      );
      const ids = [
        ...inEntries,
        ...(actor === undefined ? [] : [actor]),
        ...(target === undefined ? [] : [target]),
      ].filter((id) => isUuid(id));
      return new Map(
        (await users.findAll([...new Set(ids)])).map((user) => [user.id, nameOf(user)]),
      );
    },
  };
}

export interface PeopleSources {
  people: PeopleSource;
  deviceDesk: DeviceSource;
  keyDesk: KeySource;
  auditDesk: AuditSource;
  finder: FinderSource;
  requireFresh: Services['guards']['requireFresh'];
  approverOf: Services['deviceGuards']['approverOf'];
}

/** What the pages about people, devices, keys and the audit log show and do: the same services as the API. */
export function createPeopleSources(services: Services, now: () => number): PeopleSources {
  const auditDesk = auditSource(services);
  return {
    people: peopleSource(services, auditDesk, now),
    deviceDesk: deviceSource(services, now),
    keyDesk: keySource(services, now),
    auditDesk,
    finder: createFinder(services),
    requireFresh: (request) => services.guards.requireFresh(request),
    approverOf: (request) => services.deviceGuards.approverOf(request),
  };
}
