import { userActor } from '../../platform/identity/actors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../platform/errors/errors.ts';
import { limit } from '../../platform/http/rate-limit.ts';
import { noStore } from '../../platform/http/security.ts';
import {
  AssertionCredential,
  PasskeyRequestOptions,
} from '../../platform/identity/webauthn-schemas.ts';
import type { Guards } from '../auth/guards.ts';
import type { Session } from '../auth/sessions.ts';
import type { DeviceCookie } from './recognition/device-cookie.ts';
import type { DevicePasskeys } from './management/device-passkeys.ts';
import { blackopsErrors } from './errors.ts';
import type { DeviceGuards } from './guards.ts';
import type { RecognisedDevice } from './recognition/recognition.ts';
import type { RequestSignals } from './recognition/request-context.ts';
import {
  ClearanceView,
  DeviceFingerprintBody,
  DeviceList,
  DeviceListQuery,
  DeviceParams,
  DeviceStatusView,
  DeviceView,
  RenameBody,
  RevokeDeviceBody,
  RevokedView,
} from './schemas.ts';
import type { Devices } from './service.ts';
import { toClearanceView, toDeviceView, toStatusView } from './views.ts';

export interface DeviceRoutesOptions {
  devices: Devices;
  devicePasskeys: DevicePasskeys;
  deviceSignals: RequestSignals;
  deviceCookie: DeviceCookie;
  deviceGuards: DeviceGuards;
  guards: Pick<Guards, 'peek' | 'sessionOf' | 'requireFresh' | 'clearedSessionCookies'>;
  clock: Clock;
  /** What operation ids begin with: the routes exist under two prefixes. */
  operations: string;
}

/** RFC 7638. */
const thumbprint = async (key: NonNullable<DeviceFingerprintBody['public_key']>): Promise<string> =>
  (await import('jose')).calculateJwkThumbprint(key);

type Device = RecognisedDevice['device'];

type Routes = Parameters<FastifyPluginAsyncZod<DeviceRoutesOptions>>[0];

const tags = ['blackops'];
const bodyLimit = 8 * 1024;
const rateLimits = {
  often: { rateLimit: limit({ max: 120, seconds: 60, group: 'devices' }) },
  seldom: { rateLimit: limit({ max: 30, seconds: 300, group: 'device-changes' }) },
};

/** What anybody may ask of the own device. */
export const deviceStatusRoutes: FastifyPluginAsyncZod<DeviceRoutesOptions> = async (
  app,
  { devices, deviceSignals, deviceCookie, guards, operations },
) => {
  noStore(app);
  app.post(
    '/status',
    {
      bodyLimit,
      config: rateLimits.often,
      schema: {
        operationId: `${operations}.status`,
        summary: 'What is known of this device',
        description:
          'The state of the device whose cookie, or proof of a key, the request carries. Without a session it is `unknown`. The `nonce` is for the next DPoP proof (RFC 9449).',
        tags,
        body: DeviceFingerprintBody,
        errors: ['auth.csrf_origin', 'blackops.invalid_dpop_proof', 'blackops.use_dpop_nonce'],
        response: { 200: DeviceStatusView },
      },
    },
    async (request, reply) => {
      const principal = await guards.peek(request);
      const session = principal?.kind === 'user' ? request.session : undefined;
      const status = await devices.statusOf(
        session,
        devices.fingerprintHash(request.body.fingerprint),
        deviceSignals.of(request, request.body.proof),
      );
      if (status.cookie !== undefined)
        void reply.header('set-cookie', deviceCookie.header(status.cookie));
      return reply.header('dpop-nonce', status.nonce).send(toStatusView(status));
    },
  );
};

function askRoutes(
  app: Routes,
  { devices, deviceSignals, deviceCookie, guards, operations }: DeviceRoutesOptions,
): void {
  app.post(
    '/request-clearance',
    {
      bodyLimit,
      config: rateLimits.seldom,
      schema: {
        operationId: `${operations}.request_clearance`,
        summary: 'Ask for clearance of this device',
        description:
          'Once for each device: a repetition gives the open request. Tell the `number` to the admin who decides. A browser gets a device cookie; other clients send a `public_key` with a `proof`.',
        tags,
        body: DeviceFingerprintBody,
        errors: [
          'blackops.binding_required',
          'blackops.too_many_requests',
          'blackops.device_denied',
          'blackops.device_suspended',
          'blackops.device_revoked',
        ],
        response: { 200: ClearanceView },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const presented = deviceSignals.of(request, body.proof);
      const nonce = devices.nonces.current();
      if (body.public_key !== undefined)
        await devices.proveKey(await thumbprint(body.public_key), await presented.proof());
      const application = {
        fingerprintHash: devices.fingerprintHash(body.fingerprint),
        deviceId: body.device_id,
        name: body.device_name,
        reason: body.reason === '' ? undefined : body.reason,
      };
      const applied = await devices
        .requestClearance(guards.sessionOf(request), application, presented)
        .catch((error: unknown) => {
          if (!(error instanceof AppError) || error.code !== 'blackops.device_revoked') throw error;
          // The browser is to forget a device that is gone: else it could never ask again.
          throw blackopsErrors.device_revoked({ headers: { 'set-cookie': deviceCookie.cleared } });
        });
      if (applied.cookie !== undefined)
        void reply.header('set-cookie', deviceCookie.header(applied.cookie));
      return reply.header('dpop-nonce', nonce).send(toClearanceView(applied, nonce));
    },
  );
}

function removalRoutes(
  app: Routes,
  { devices, deviceCookie, deviceGuards, guards, operations }: DeviceRoutesOptions,
): void {
  async function chosen(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      device_id: id,
      fingerprint,
      all_others: allOthers,
    }: {
      device_id?: string | undefined;
      fingerprint?: string | undefined;
      all_others?: boolean | undefined;
    },
    session: Session,
    current: Device | undefined,
  ): Promise<Device[]> {
    if (id !== undefined)
      return [await devices.management.get(id, await deviceGuards.scopeFor(request, reply, id))];
    const own = await devices.management.listByUser(session.userId);
    const hash = fingerprint === undefined ? undefined : devices.fingerprintHash(fingerprint);
    return own.filter((device) =>
      allOthers === true ? device.id !== current?.id : device.fingerprint_hash === hash,
    );
  }

  app.delete(
    '/devices',
    {
      bodyLimit,
      config: rateLimits.seldom,
      schema: {
        operationId: `${operations}.revoke`,
        summary: 'Remove a device for good',
        description:
          "Its sessions and their refresh tokens end before the answer. Another device than the one that asks needs a sign-in of the last five minutes. Admins on a cleared device may remove anybody's.",
        tags,
        body: RevokeDeviceBody,
        errors: [
          'auth.step_up_required',
          'blackops.device_not_found',
          'request.forbidden',
          'blackops.device_not_cleared',
          'blackops.device_revoked',
        ],
        response: { 200: RevokedView },
      },
    },
    async (request, reply) => {
      const session = guards.sessionOf(request);
      const current = (await deviceGuards.recognise(request, reply))?.device;
      const targets = await chosen(request, reply, request.body, session, current);
      if (targets.length === 0 && request.body.all_others !== true)
        throw blackopsErrors.device_not_found();
      if (targets.some(({ id }) => id !== current?.id)) guards.requireFresh(request);
      const by = userActor(session.userId, { address: request.ip, requestId: request.id });
      let ended = 0;
      for (const { id, user_id: owner } of targets)
        ended += (
          await devices.management.revoke(
            id,
            { userId: owner },
            by,
            owner === session.userId ? 'owner' : 'admin',
            id === current?.id,
          )
        ).sessionsEnded;
      if (targets.some(({ id }) => id === current?.id))
        void reply.header('set-cookie', [
          deviceCookie.cleared,
          ...(session.device?.id === current?.id ? guards.clearedSessionCookies : []),
        ]);
      const [first] = targets;
      return {
        revoked: true as const,
        device_id: targets.length === 1 ? (first?.id ?? null) : null,
        devices: targets.length,
        sessions_ended: ended,
      };
    },
  );
}

function changeRoutes(
  app: Routes,
  { devices, deviceSignals, deviceCookie, deviceGuards, guards, operations }: DeviceRoutesOptions,
): void {
  const askerOf = (request: FastifyRequest) => ({ address: request.ip, requestId: request.id });
  const currentOf = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | undefined> => (await deviceGuards.recognise(request, reply))?.device.id;
  const giveCookie = (reply: FastifyReply, value: string | undefined) =>
    value === undefined ? reply : reply.header('set-cookie', deviceCookie.header(value));

  app.patch(
    '/devices/:id',
    {
      bodyLimit,
      config: rateLimits.seldom,
      schema: {
        operationId: `${operations}.rename`,
        summary: 'Rename a device',
        description: 'One of your own.',
        tags,
        params: DeviceParams,
        body: RenameBody,
        errors: ['blackops.device_not_found', 'blackops.device_revoked'],
        response: { 200: DeviceView },
      },
    },
    async (request, reply) => {
      const { userId } = guards.sessionOf(request);
      const current = await currentOf(request, reply);
      return toDeviceView(
        await devices.management.rename(
          request.params.id,
          userId,
          request.body.device_name,
          askerOf(request),
        ),
        current,
      );
    },
  );

  app.post(
    '/devices/:id/suspend',
    {
      config: rateLimits.seldom,
      schema: {
        operationId: `${operations}.suspend`,
        summary: 'Suspend a device',
        description:
          "Your own, or, for admins on a cleared device, anybody's. Nothing that needs a cleared device works from it until it is restored.",
        tags,
        params: DeviceParams,
        errors: [
          'auth.step_up_required',
          'blackops.device_not_found',
          'blackops.transition_not_allowed',
          'request.forbidden',
          'blackops.device_not_cleared',
          'blackops.device_revoked',
        ],
        response: { 200: DeviceView },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { userId } = guards.sessionOf(request);
      const current = await currentOf(request, reply);
      const whose = await deviceGuards.scopeFor(request, reply, id);
      guards.requireFresh(request);
      const suspended = await devices.management.suspend(
        id,
        whose,
        userActor(userId, askerOf(request)),
        whose === 'all' ? 'admin' : 'owner',
      );
      return toDeviceView(suspended, current);
    },
  );

  app.post(
    '/devices/:id/restore',
    {
      config: rateLimits.seldom,
      schema: {
        operationId: `${operations}.restore`,
        summary: 'Clear a suspended device again',
        description:
          'Its owner does so from the device itself, within five minutes of signing in with the second factor; it gets a new cookie, so that copies of the old one are worth nothing. Admins on a cleared device restore those of others.',
        tags,
        params: DeviceParams,
        errors: [
          'auth.step_up_required',
          'blackops.aal2_required',
          'blackops.not_this_device',
          'blackops.own_request',
          'blackops.device_not_found',
          'blackops.transition_not_allowed',
          'request.forbidden',
          'blackops.device_not_cleared',
          'blackops.device_revoked',
        ],
        response: { 200: DeviceView },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const session = guards.sessionOf(request);
      // A proof that is not valid refuses the whole request, whatever comes of it else.
      await deviceGuards.recognise(request, reply);
      if ((await deviceGuards.scopeFor(request, reply, id)) !== 'all') {
        const { device, cookie } = await devices.management.restoreOwn(
          id,
          session,
          deviceSignals.of(request),
        );
        return giveCookie(reply, cookie).send(toDeviceView(device, id));
      }
      guards.requireFresh(request);
      return toDeviceView(
        await devices.management.restoreOther(
          id,
          session.userId,
          userActor(session.userId, askerOf(request)),
        ),
        undefined,
      );
    },
  );
}

function passkeyRoutes(
  app: Routes,
  { devices, devicePasskeys, deviceSignals, deviceGuards, guards, operations }: DeviceRoutesOptions,
): void {
  app.post(
    '/passkey/options',
    {
      config: rateLimits.seldom,
      schema: {
        operationId: `${operations}.passkey_options`,
        summary: 'Begin to prove this device by its passkey',
        description:
          'For `PublicKeyCredential.parseRequestOptionsFromJSON`. The passkey must verify you.',
        tags,
        errors: ['second_factor.passkey_not_found', 'second_factor.passkeys_unavailable'],
        response: { 200: PasskeyRequestOptions },
      },
    },
    (request) => devicePasskeys.options(guards.sessionOf(request)),
  );

  app.post(
    '/passkey',
    {
      config: rateLimits.seldom,
      schema: {
        operationId: `${operations}.passkey`,
        summary: 'Prove this device by its passkey',
        description:
          "The first one that can not leave the device becomes its strongest binding. The request carries a proof of the device's key as well. Counts in this session for twelve hours.",
        tags,
        body: AssertionCredential,
        errors: [
          'blackops.passkey_refused',
          'blackops.device_revoked',
          'otp.invalid',
          'otp.too_many_attempts',
        ],
        response: { 200: DeviceView },
      },
    },
    async (request, reply) => {
      const session = guards.sessionOf(request);
      const presented = deviceSignals.of(request);
      const shown = await deviceGuards.recognise(request, reply);
      if (shown?.hasProved !== true) throw blackopsErrors.passkey_refused();
      const device = await devicePasskeys.use(session, shown.device, request.body, {
        address: request.ip,
        requestId: request.id,
      });
      await devices.bind(session, device, {
        hasProved: true,
        hasUsedPasskey: true,
        from: presented.from,
      });
      return toDeviceView(device, device.id);
    },
  );
}

/** What people who have signed in do with devices. */
export const deviceRoutes: FastifyPluginAsyncZod<DeviceRoutesOptions> = async (app, options) => {
  const { devices, deviceGuards, guards, operations } = options;
  noStore(app);

  app.get(
    '/devices',
    {
      config: rateLimits.often,
      schema: {
        operationId: `${operations}.devices`,
        summary: 'List my devices',
        description:
          'Removed ones are left out. Of where they were used only the network and the country are kept.',
        tags,
        querystring: DeviceListQuery,
        errors: ['request.forbidden', 'blackops.device_not_cleared', 'blackops.device_revoked'],
        response: { 200: DeviceList },
      },
    },
    async (request, reply) => {
      const session = guards.sessionOf(request);
      const { user_id: userId = session.userId } = request.query;
      if (userId !== session.userId) await deviceGuards.requireAdmin(request, reply);
      const current = await deviceGuards.recognise(request, reply);
      const all = await devices.management.listByUser(userId);
      return {
        devices: all.map((device) => toDeviceView(device, current?.device.id)),
        total: all.length,
      };
    },
  );

  askRoutes(app, options);
  removalRoutes(app, options);
  changeRoutes(app, options);
  passkeyRoutes(app, options);
};
