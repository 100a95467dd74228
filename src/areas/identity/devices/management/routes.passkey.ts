import type { ZodApp } from '../../../../platform/http/zod-app.ts';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import {
  AssertionCredential,
  PasskeyRequestOptions,
} from '../../../../platform/identity/webauthn-schemas.ts';
import { blackopsErrors } from '../errors.ts';
import { type DeviceRoutesOptions, rateLimits, tags } from '../routes.options.ts';
import { DeviceView } from '../schemas.ts';
import { toDeviceView } from '../views.ts';

const config = rateLimits.change;

export function getPasskeyOptions(
  app: ZodApp,
  { devicePasskeys, guards, operationId }: DeviceRoutesOptions,
): void {
  app.post(
    '/passkey/options',
    {
      config,
      schema: {
        operationId: operationId('blackops.passkey_options'),
        summary: 'Start passkey verification for this device',
        description:
          'Options for `PublicKeyCredential.parseRequestOptionsFromJSON`. The passkey ' +
          'must verify the user.',
        tags,
        errors: ['second_factor.passkey_not_found', 'second_factor.passkeys_unavailable'],
        response: { 200: PasskeyRequestOptions },
      },
    },
    (request) => devicePasskeys.options(guards.sessionOf(request)),
  );
}

export function verifyPasskey(
  app: ZodApp,
  {
    devices,
    devicePasskeys,
    deviceSignals,
    deviceGuards,
    guards,
    operationId,
  }: DeviceRoutesOptions,
): void {
  app.post(
    '/passkey',
    {
      config,
      schema: {
        operationId: operationId('blackops.verify_passkey'),
        summary: 'Verify the passkey of this device',
        description:
          'The first device-bound passkey raises the device’s `binding` to `webauthn`, ' +
          'the strongest. The request must also prove possession of the device key. The ' +
          'verification stays valid for twelve hours in this session.',
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
      const { from } = deviceSignals.of(request);
      const recognised = await deviceGuards.recognise(request, reply);
      if (recognised?.hasProved !== true) throw blackopsErrors.passkey_refused();
      const actor = requestActor(request);
      const device = await devicePasskeys.use(session, recognised.device, request.body, actor);
      await devices.bind(session, device, { hasProved: true, hasUsedPasskey: true, from });
      return toDeviceView(device, device.id);
    },
  );
}
