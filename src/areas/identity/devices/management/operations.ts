import type { z } from 'zod';
import type { HttpCall } from '../../../../platform/operations/call.ts';
import { operationsOf } from '../../../../platform/operations/operation.ts';
import {
  AssertionCredential,
  PasskeyRequestOptions,
} from '../../factors/passkeys/webauthn-schemas.ts';
import type { DevicesContext } from '../compose.ts';
import { blackopsErrors } from '../errors.ts';
import { bodyLimit, deviceLimits } from '../limits.ts';
import type { RecognisedDevice } from '../recognition/recognition.ts';
import {
  DeviceList,
  DeviceListQuery,
  DeviceParams,
  DeviceView,
  RenameBody,
  RevokeDeviceBody,
  RevokedView,
} from '../schemas.ts';
import { toDeviceList, toDeviceView } from '../views.ts';

type Device = RecognisedDevice['device'];

const operation = operationsOf<DevicesContext>({
  scope: 'signedIn',
  tag: 'blackops',
  limit: deviceLimits.change,
});

/** The devices of a user. */
export const listDevicesOperation = operation({
  id: 'blackops.list_devices',
  path: 'GET /api/auth/blackops/devices',
  limit: deviceLimits.read,
  summary: 'List your devices',
  description:
    'Removed devices are not included. For each device, only the network and ' +
    'country it is used from are stored.',
  query: DeviceListQuery,
  output: DeviceList,
  errors: ['request.forbidden', 'blackops.device_not_cleared', 'blackops.device_revoked'],
  async run({ devices, deviceGuards, guards }, { user_id: wanted }, { request, reply }) {
    const { userId } = guards.sessionOf(request);
    const owner = wanted ?? userId;
    if (owner !== userId) await deviceGuards.requireAdmin(request, reply);
    const current = await deviceGuards.recognise(request, reply);
    return toDeviceList(await devices.management.listByUser(owner), current?.device.id);
  },
});

/** Selects the devices of the body: one by id, own ones by fingerprint, or all other own ones. */
async function selectDevices(
  { devices, deviceGuards, guards }: DevicesContext,
  { request, reply }: HttpCall,
  { device_id: id, fingerprint, all_others: allOthers }: z.output<typeof RevokeDeviceBody>,
  current: Device | undefined,
): Promise<Device[]> {
  if (id !== undefined)
    return [await devices.management.get(id, await deviceGuards.scopeFor(request, reply, id))];
  const own = await devices.management.listByUser(guards.sessionOf(request).userId);
  const hash = fingerprint === undefined ? undefined : devices.fingerprintHash(fingerprint);
  return own.filter((device) =>
    allOthers === true ? device.id !== current?.id : device.fingerprint_hash === hash,
  );
}

/** Revokes the devices one by one and returns the number of ended sessions. */
async function revokeDevices(
  { devices, guards }: DevicesContext,
  { request, by }: HttpCall,
  targets: readonly Device[],
  current: Device | undefined,
): Promise<number> {
  const { userId } = guards.sessionOf(request);
  let ended = 0;
  for (const { id, user_id: owner } of targets) {
    const reason = owner === userId ? 'owner' : 'admin';
    const isCurrent = id === current?.id;
    const scope = { userId: owner };
    ended += (await devices.management.revoke(id, scope, by, reason, isCurrent)).sessionsEnded;
  }
  return ended;
}

const suspendErrors = [
  'auth.step_up_required',
  'blackops.device_not_found',
  'blackops.transition_not_allowed',
  'request.forbidden',
  'blackops.device_not_cleared',
  'blackops.device_revoked',
] as const;

/** What users do with their own devices, and admins on an approved device with all. */
export const deviceOperations = [
  operation({
    id: 'blackops.revoke_device',
    path: 'DELETE /api/auth/blackops/devices',
    summary: 'Remove a device permanently',
    description:
      'Ends the sessions and refresh tokens of the device before responding. ' +
      'Removing a device other than the current one requires a sign-in within the ' +
      'last five minutes. Admins on an approved device can remove the devices of all ' +
      'users.',
    body: RevokeDeviceBody,
    output: RevokedView,
    errors: [
      'auth.step_up_required',
      'blackops.device_not_found',
      'request.forbidden',
      'blackops.device_not_cleared',
      'blackops.device_revoked',
    ],
    route: { bodyLimit },
    async run(context, body, call) {
      const { deviceCookie, deviceGuards, guards } = context;
      const { request, reply } = call;
      const { device: bound } = guards.sessionOf(request);
      const current = (await deviceGuards.recognise(request, reply))?.device;
      const targets = await selectDevices(context, call, body, current);
      if (targets.length === 0 && body.all_others !== true) throw blackopsErrors.device_not_found();
      if (targets.some(({ id }) => id !== current?.id)) guards.requireFresh(request);
      const ended = await revokeDevices(context, call, targets, current);
      if (targets.some(({ id }) => id === current?.id))
        void reply.header('set-cookie', [
          deviceCookie.cleared,
          ...(bound?.id === current?.id ? guards.clearedSessionCookies : []),
        ]);
      return {
        revoked: true as const,
        device_id: targets.length === 1 ? (targets[0]?.id ?? null) : null,
        devices: targets.length,
        sessions_ended: ended,
      };
    },
  }),
  operation({
    id: 'blackops.rename_device',
    path: 'PATCH /api/auth/blackops/devices/:id',
    summary: 'Rename a device',
    description: 'You can rename only your own devices.',
    params: DeviceParams,
    body: RenameBody,
    output: DeviceView,
    errors: ['blackops.device_not_found', 'blackops.device_revoked'],
    route: { bodyLimit },
    async run(
      { devices, deviceGuards, guards },
      { id, device_name: name },
      { request, reply, by },
    ) {
      const { userId } = guards.sessionOf(request);
      const current = await deviceGuards.recognise(request, reply);
      const renamed = await devices.management.rename(id, userId, name, by);
      return toDeviceView(renamed, current?.device.id);
    },
  }),
  operation({
    id: 'blackops.suspend_device',
    path: 'POST /api/auth/blackops/devices/:id/suspend',
    summary: 'Suspend a device',
    description:
      'Suspends your own device. Admins on an approved device can suspend any ' +
      'device. Actions that require an approved device fail until it is restored.',
    params: DeviceParams,
    output: DeviceView,
    errors: suspendErrors,
    async run({ devices, deviceGuards, guards }, { id }, { request, reply, by }) {
      const current = await deviceGuards.recognise(request, reply);
      const scope = await deviceGuards.scopeFor(request, reply, id);
      guards.requireFresh(request);
      const reason = scope === 'all' ? 'admin' : 'owner';
      const suspended = await devices.management.suspend(id, scope, by, reason);
      return toDeviceView(suspended, current?.device.id);
    },
  }),
  operation({
    id: 'blackops.restore_device',
    path: 'POST /api/auth/blackops/devices/:id/restore',
    summary: 'Restore a suspended device',
    description:
      'Owners restore a device from the device itself, within five minutes of ' +
      'signing in with a second factor. The device gets a new cookie, and copies of ' +
      'the old one stop working. Admins on an approved device can restore other ' +
      "users' devices.",
    params: DeviceParams,
    output: DeviceView,
    errors: [
      ...suspendErrors,
      'blackops.aal2_required',
      'blackops.not_this_device',
      'blackops.own_request',
    ],
    async run(context, { id }, { request, reply, by }) {
      const { devices, deviceSignals, deviceCookie, deviceGuards, guards } = context;
      const session = guards.sessionOf(request);
      // A wrong proof must fail the request before anything else is checked.
      await deviceGuards.recognise(request, reply);
      if ((await deviceGuards.scopeFor(request, reply, id)) === 'all') {
        guards.requireFresh(request);
        const restored = await devices.management.restoreOther(id, session.userId, by);
        return toDeviceView(restored, undefined);
      }
      const signals = deviceSignals.of(request);
      const { device, cookie } = await devices.management.restoreOwn(id, session, signals);
      if (cookie !== undefined) void reply.header('set-cookie', deviceCookie.header(cookie));
      return toDeviceView(device, id);
    },
  }),
  operation({
    id: 'blackops.passkey_options',
    path: 'POST /api/auth/blackops/passkey/options',
    summary: 'Start passkey verification for this device',
    description:
      'Options for `PublicKeyCredential.parseRequestOptionsFromJSON`. The passkey ' +
      'must verify the user.',
    output: PasskeyRequestOptions,
    errors: ['second_factor.passkey_not_found', 'second_factor.passkeys_unavailable'],
    run: ({ devices, guards }, _input, { request }) =>
      devices.management.passkeyOptions(guards.sessionOf(request)),
  }),
  operation({
    id: 'blackops.verify_passkey',
    path: 'POST /api/auth/blackops/passkey',
    summary: 'Verify this device’s passkey',
    description:
      'The first device-bound passkey raises the device’s `binding` to `webauthn`, ' +
      'the strongest. The request must also prove possession of the device key. The ' +
      'verification stays valid for twelve hours in this session.',
    body: AssertionCredential,
    output: DeviceView,
    errors: [
      'blackops.passkey_refused',
      'blackops.device_revoked',
      'otp.invalid',
      'otp.too_many_attempts',
    ],
    async run(context, credential, { request, reply, by }) {
      const { devices, deviceSignals, deviceGuards, guards } = context;
      const session = guards.sessionOf(request);
      const { from } = deviceSignals.of(request);
      const recognised = await deviceGuards.recognise(request, reply);
      if (recognised?.hasProved !== true) throw blackopsErrors.passkey_refused();
      const { management } = devices;
      const device = await management.usePasskey(session, recognised.device, credential, by);
      await devices.bind(session, device, { hasProved: true, hasUsedPasskey: true, from });
      return toDeviceView(device, device.id);
    },
  }),
];
