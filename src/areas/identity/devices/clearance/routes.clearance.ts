import { AppError } from '../../../../platform/errors/errors.ts';
import type { ZodApp } from '../../../../platform/http/zod-app.ts';
import { blackopsErrors } from '../errors.ts';
import { bodyLimit, type DeviceRoutesOptions, rateLimits, tags } from '../routes.options.ts';
import { ClearanceView, DeviceFingerprintBody, DeviceStatusView } from '../schemas.ts';
import { toClearanceView, toStatusView } from '../views.ts';
import type { ClearanceInput } from './enrolment.ts';

/** Returns the RFC 7638 thumbprint of a public key. */
const thumbprint = async (key: NonNullable<DeviceFingerprintBody['public_key']>): Promise<string> =>
  (await import('jose')).calculateJwkThumbprint(key);

export function getDeviceStatus(
  app: ZodApp,
  { devices, deviceSignals, deviceCookie, guards, operationId }: DeviceRoutesOptions,
): void {
  app.post(
    '/status',
    {
      bodyLimit,
      config: rateLimits.read,
      schema: {
        operationId: operationId('blackops.status'),
        summary: 'Get the state of this device',
        description:
          'Identifies the device by its cookie or key proof. Without a session the ' +
          'state is `unknown`. Use `nonce` for the next DPoP proof (RFC 9449).',
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
}

const clearanceErrors = [
  'blackops.binding_required',
  'blackops.too_many_requests',
  'blackops.device_denied',
  'blackops.device_suspended',
  'blackops.device_revoked',
] as const;

function toClearanceInput(
  { devices }: DeviceRoutesOptions,
  { fingerprint, device_id: deviceId, device_name: name, reason }: DeviceFingerprintBody,
): ClearanceInput {
  return {
    fingerprintHash: devices.fingerprintHash(fingerprint),
    deviceId,
    name,
    reason: reason === '' ? undefined : reason,
  };
}

export function requestClearance(app: ZodApp, options: DeviceRoutesOptions): void {
  const { devices, deviceSignals, deviceCookie, guards, operationId } = options;

  /** Clears the cookie of a revoked device: with it, the browser could never request again. */
  function refuse(error: unknown): never {
    if (!(error instanceof AppError) || error.code !== 'blackops.device_revoked') throw error;
    throw blackopsErrors.device_revoked({ headers: { 'set-cookie': deviceCookie.cleared } });
  }

  app.post(
    '/request-clearance',
    {
      bodyLimit,
      config: rateLimits.change,
      schema: {
        operationId: operationId('blackops.request_clearance'),
        summary: 'Request approval of this device',
        description:
          'If a request is already open, returns that request. Give the `number` to the ' +
          'approving admin. Browsers get a device cookie; other clients send a ' +
          '`public_key` with a `proof`.',
        tags,
        body: DeviceFingerprintBody,
        errors: clearanceErrors,
        response: { 200: ClearanceView },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const signals = deviceSignals.of(request, body.proof);
      const nonce = devices.nonces.current();
      if (body.public_key !== undefined)
        await devices.proveKey(await thumbprint(body.public_key), await signals.proof());
      const result = await devices
        .requestClearance(guards.sessionOf(request), toClearanceInput(options, body), signals)
        .catch(refuse);
      if (result.cookie !== undefined)
        void reply.header('set-cookie', deviceCookie.header(result.cookie));
      return reply.header('dpop-nonce', nonce).send(toClearanceView(result, nonce));
    },
  );
}
