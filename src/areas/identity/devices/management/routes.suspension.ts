import type { ZodApp } from '../../../../platform/http/zod-app.ts';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import { type DeviceRoutesOptions, rateLimits, tags } from '../routes.options.ts';
import { DeviceParams, DeviceView } from '../schemas.ts';
import { toDeviceView } from '../views.ts';

const suspendErrors = [
  'auth.step_up_required',
  'blackops.device_not_found',
  'blackops.transition_not_allowed',
  'request.forbidden',
  'blackops.device_not_cleared',
  'blackops.device_revoked',
] as const;

export function suspendDevice(
  app: ZodApp,
  { devices, deviceGuards, guards, operationId }: DeviceRoutesOptions,
): void {
  app.post(
    '/devices/:id/suspend',
    {
      config: rateLimits.change,
      schema: {
        operationId: operationId('blackops.suspend_device'),
        summary: 'Suspend a device',
        description:
          'Suspends your own device. Admins on an approved device can suspend any ' +
          'device. Actions that require an approved device fail until it is restored.',
        tags,
        params: DeviceParams,
        errors: suspendErrors,
        response: { 200: DeviceView },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const current = await deviceGuards.recognise(request, reply);
      const scope = await deviceGuards.scopeFor(request, reply, id);
      guards.requireFresh(request);
      const suspended = await devices.management.suspend(
        id,
        scope,
        requestActor(request),
        scope === 'all' ? 'admin' : 'owner',
      );
      return toDeviceView(suspended, current?.device.id);
    },
  );
}

const restoreErrors = [
  ...suspendErrors,
  'blackops.aal2_required',
  'blackops.not_this_device',
  'blackops.own_request',
] as const;

export function restoreDevice(
  app: ZodApp,
  { devices, deviceSignals, deviceCookie, deviceGuards, guards, operationId }: DeviceRoutesOptions,
): void {
  app.post(
    '/devices/:id/restore',
    {
      config: rateLimits.change,
      schema: {
        operationId: operationId('blackops.restore_device'),
        summary: 'Restore a suspended device',
        description:
          'Owners restore a device from the device itself, within five minutes of ' +
          'signing in with a second factor. The device gets a new cookie, and copies of ' +
          'the old one stop working. Admins on an approved device can restore other ' +
          "users' devices.",
        tags,
        params: DeviceParams,
        errors: restoreErrors,
        response: { 200: DeviceView },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { management } = devices;
      const session = guards.sessionOf(request);
      // A wrong proof must fail the request before anything else is checked.
      await deviceGuards.recognise(request, reply);
      if ((await deviceGuards.scopeFor(request, reply, id)) !== 'all') {
        const signals = deviceSignals.of(request);
        const { device, cookie } = await management.restoreOwn(id, session, signals);
        if (cookie !== undefined) void reply.header('set-cookie', deviceCookie.header(cookie));
        return reply.send(toDeviceView(device, id));
      }
      guards.requireFresh(request);
      const actor = requestActor(request);
      return toDeviceView(await management.restoreOther(id, session.userId, actor), undefined);
    },
  );
}
