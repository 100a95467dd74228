import { userActor } from '../../platform/http/request-actor.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestErrors } from '../../platform/errors/errors.ts';
import { hasScope } from '../../platform/identity/identity.ts';
import { refusing } from '../../platform/http/scopes.ts';
import type { Guards } from '../auth/guards.ts';
import type { Session } from '../auth/sessions.ts';
import type { Approver } from './clearance/decisions.ts';
import type { DeviceCookie } from './recognition/device-cookie.ts';
import { blackopsErrors } from './errors.ts';
import type { DeviceScope } from './management/management.ts';
import type { Requirement } from './clearance/policy.ts';
import type { RecognisedDevice } from './recognition/recognition.ts';
import type { RequestSignals } from './recognition/request-context.ts';
import type { Devices } from './service.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where `clearedDevice` let a person pass. */
    device: RecognisedDevice['device'] | undefined;
  }
}

/** What the guards of sessions ask of tokens that are bound to a key. */
export function createProofGuards({
  devices,
  signals: signals,
}: {
  devices: Pick<Devices, 'requireProof' | 'proveKey'>;
  signals: RequestSignals;
}) {
  return {
    requireProof: async (request: FastifyRequest, session: Session): Promise<void> =>
      devices.requireProof(session, await signals.proofOf(request), signals.of(request)),
    proveKey: async (request: FastifyRequest, jkt: string): Promise<void> =>
      devices.proveKey(jkt, await signals.proofOf(request)),
  };
}

export interface DeviceGuardDeps {
  guards: Pick<Guards, 'sessionOf'>;
  devices: Pick<
    Devices,
    'recognise' | 'bind' | 'missingRequirements' | 'nonces' | 'policy' | 'management'
  >;
  signals: RequestSignals;
  cookie: DeviceCookie;
}

/** The guards of what needs a cleared device. */
export function createDeviceGuards({ guards, devices, signals, cookie }: DeviceGuardDeps) {
  function refuse(
    shown: RecognisedDevice | undefined,
    requirements: readonly Requirement[],
  ): never {
    const headers = requirements.includes('key_proof')
      ? { 'dpop-nonce': devices.nonces.current() }
      : {};
    throw blackopsErrors.device_not_cleared({
      headers,
      extra: { device_state: shown?.device.state ?? 'unknown', requirements },
    });
  }

  const seen = new WeakMap<FastifyRequest, Promise<RecognisedDevice | undefined>>();

  /**
   * The device that the request comes from; looked at once, whoever asks. A cookie that is due is
   * set.
   */
  function recognise(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<RecognisedDevice | undefined> {
    const before = seen.get(request);
    if (before !== undefined) return before;
    const shown = devices
      .recognise(guards.sessionOf(request), signals.of(request))
      .then((found) => {
        if (found?.nextCookie !== undefined)
          void reply.header('set-cookie', cookie.header(found.nextCookie));
        return found;
      });
    seen.set(request, shown);
    return shown;
  }

  /**
   * Throws `blackops.device_not_cleared`, `.invalid_dpop_proof`, `.use_dpop_nonce`,
   * `.device_revoked`.
   */
  async function requireCleared(
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
  ): Promise<void> {
    if (devices.policy.binding === 'none') return;
    const presented = signals.of(request);
    const shown = await recognise(request, reply);
    const requirements = devices.missingRequirements(session, shown, presented);
    if (shown === undefined || requirements.length > 0) refuse(shown, requirements);
    await devices.bind(session, shown.device, { from: presented.from });
    request.device = shown.device;
  }

  async function requireAdmin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!hasScope(request.principal, 'admin')) throw requestErrors.forbidden();
    await requireCleared(request, reply, guards.sessionOf(request));
  }

  return {
    recognise,

    /**
     * Lets an admin on a cleared device do what is not everybody's. Throws `request.forbidden`,
     * `blackops.device_not_cleared`.
     */
    requireAdmin,

    /**
     * On whose devices a person may act where this one is concerned: the own, or everybody's, as an
     * admin on a cleared device.
     */
    async scopeFor(
      request: FastifyRequest,
      reply: FastifyReply,
      deviceId: string,
    ): Promise<DeviceScope> {
      const { userId } = guards.sessionOf(request);
      const own = { userId };
      if (!hasScope(request.principal, 'admin')) return own;
      if (await devices.management.isOwn(deviceId, userId)) return own;
      await requireAdmin(request, reply);
      return 'all';
    },

    /**
     * Lets people pass who come from a cleared device that is bound and proved as the policy asks;
     * and API keys, which are no people. Put it inside a scope that has found out who asks. Throws
     * 403 `blackops.device_not_cleared`.
     */
    clearedDevice: () =>
      refusing(
        {
          errors: [
            'blackops.device_not_cleared',
            'blackops.device_revoked',
            'blackops.invalid_dpop_proof',
            'blackops.use_dpop_nonce',
          ],
        },
        async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
          request.device = undefined;
          if (request.principal?.kind === 'user')
            await requireCleared(request, reply, guards.sessionOf(request));
        },
      ),

    /** Who decides. Of the API keys only ADMIN_API_KEY: an admin could make others. */
    approverOf(request: FastifyRequest): Approver {
      const { principal } = request;
      if (principal?.kind === 'user')
        return {
          ...userActor(principal.id, { address: request.ip, requestId: request.id }),
          userId: principal.id,
          deviceId: request.device?.id,
        };
      if (principal?.id !== 'env')
        throw blackopsErrors.device_not_cleared({
          extra: { device_state: 'unknown', requirements: ['sign_in'] },
        });
      return {
        actor: { kind: 'api_key', id: 'env' },
        address: request.ip,
        requestId: request.id,
        userId: undefined,
        deviceId: undefined,
      };
    },
  };
}

export type DeviceGuards = ReturnType<typeof createDeviceGuards>;
