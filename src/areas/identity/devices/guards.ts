import { userActor } from '../../../platform/http/requests/request-actor.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { hasScope } from '../../../lib/access.ts';
import { refusing } from '../../../platform/http/scopes.ts';
import type { Session } from '../sessions/service.ts';
import type { Approver } from './approval/decisions.ts';
import type { DeviceGuardNeeds } from './compose.ts';
import { blackopsErrors } from './errors.ts';
import type { DeviceScope } from './management/service.ts';
import type { RecognisedDevice } from './recognition/recognition.ts';
import type { RequestSignals } from './recognition/request-context.ts';
import type { Devices } from './service.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set after the `clearedDevice` guard has admitted a user. */
    device: RecognisedDevice['device'] | undefined;
  }
}

/** Creates the DPoP checks that session guards run for tokens bound to a key. */
export function createProofGuards({
  devices,
  deviceSignals: signals,
}: {
  devices: Devices;
  deviceSignals: RequestSignals;
}) {
  return {
    requireProof: async (request: FastifyRequest, session: Session): Promise<void> =>
      devices.requireProof(session, await signals.proofOf(request), signals.of(request)),
    proveKey: async (request: FastifyRequest, jkt: string): Promise<void> =>
      devices.proveKey(jkt, await signals.proofOf(request)),
  };
}

/**
 * Returns who decides on a request for approval. Of the API keys only ADMIN_API_KEY is accepted:
 * admins can create the others. Throws `blackops.device_not_cleared`.
 */
function approverOf(request: FastifyRequest): Approver {
  const { principal } = request;
  const origin = { address: request.ip, requestId: request.id };
  if (principal?.kind === 'user')
    return {
      ...userActor(principal.id, origin),
      userId: principal.id,
      deviceId: request.device?.id,
    };
  if (principal?.id !== 'env')
    throw blackopsErrors.device_not_cleared({
      extra: { device_state: 'unknown', requirements: ['sign_in'] },
    });
  return {
    ...origin,
    actor: { kind: 'api_key', id: 'env' },
    userId: undefined,
    deviceId: undefined,
  };
}

const clearedDeviceErrors = [
  'blackops.device_not_cleared',
  'blackops.device_revoked',
  'blackops.invalid_dpop_proof',
  'blackops.use_dpop_nonce',
] as const;

/** Guards for routes that need an approved device. */
export function createDeviceGuards({
  guards,
  devices,
  deviceSignals: signals,
  deviceCookie: cookie,
}: DeviceGuardNeeds) {
  const seen = new WeakMap<FastifyRequest, Promise<RecognisedDevice | undefined>>();
  return { recognise, requireAdmin, approverOf, scopeFor, clearedDevice };

  /** Recognises the device of a request once, and sets the next device cookie when it is due. */
  function recognise(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<RecognisedDevice | undefined> {
    const recognised = seen.get(request) ?? find(request, reply);
    seen.set(request, recognised);
    return recognised;
  }

  async function find(request: FastifyRequest, reply: FastifyReply) {
    const found = await devices.recognise(guards.sessionOf(request), signals.of(request));
    if (found?.nextCookie !== undefined)
      void reply.header('set-cookie', cookie.header(found.nextCookie));
    return found;
  }

  /**
   * Admits users on an approved device whose binding and proofs satisfy the policy, and API keys.
   * Use it inside a scope that sets `request.principal`.
   */
  function clearedDevice() {
    return refusing({ errors: clearedDeviceErrors }, async (request, reply) => {
      request.device = undefined;
      if (request.principal?.kind === 'user') await requireCleared(request, reply);
    });
  }

  /** Throws `request.forbidden`, and the errors of `requireCleared`. */
  async function requireAdmin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!hasScope(request.principal, 'admin')) throw requestErrors.forbidden();
    await requireCleared(request, reply);
  }

  /** Users manage their own devices; admins on an approved device manage all devices. */
  async function scopeFor(
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
  }

  /** Throws the errors of `clearedDeviceErrors`. */
  async function requireCleared(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (devices.policy.binding === 'none') return;
    const session = guards.sessionOf(request);
    const presented = signals.of(request);
    const recognised = await recognise(request, reply);
    const requirements = devices.missingRequirements(session, recognised, presented);
    if (recognised === undefined || requirements.length > 0)
      throw blackopsErrors.device_not_cleared({
        headers: requirements.includes('key_proof')
          ? { 'dpop-nonce': devices.nonces.current() }
          : {},
        extra: { device_state: recognised?.device.state ?? 'unknown', requirements },
      });
    await devices.bind(session, recognised.device, { from: presented.from });
    request.device = recognised.device;
  }
}

export type DeviceGuards = ReturnType<typeof createDeviceGuards>;
