import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../../../../platform/errors/errors.ts';
import type { ZodApp } from '../../../../platform/http/zod-app.ts';
import { userActor } from '../../../../platform/http/requests/request-actor.ts';
import type { Session } from '../../sessions/service.ts';
import type { ApprovalResult } from '../approval/service.ts';
import type { DeviceSignals } from '../recognition/signals.ts';
import type { DevicesContext } from '../compose.ts';
import { deviceLimits } from '../limits.ts';
import { texts } from '../texts/en.ts';
import { devicesPath, formOptions, redirectDone, tags } from './routes.options.ts';
import { type FormError, nextPath } from './device-view.ts';
import { AskForm, DeviceForm, RenameForm, RestoreForm } from './schemas.ts';

/** Renders the device page again, with the error of a form. */
export type ShowError = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: FormError,
) => Promise<FastifyReply>;

/**
 * Requests approval, with or without the key that the script has proved. A revoked device is
 * enrolled as a new one. Throws the errors of the service's `requestApproval`.
 */
async function requestApproval(
  { devices }: DevicesContext,
  session: Session,
  { name, reason, fingerprint }: z.output<typeof AskForm>,
  presented: DeviceSignals,
): Promise<ApprovalResult> {
  const application = {
    fingerprintHash: devices.fingerprintHash(
      fingerprint === '' ? `page ${presented.client}` : fingerprint,
    ),
    deviceId: undefined,
    name: name === '' ? undefined : name,
    reason: reason === '' ? undefined : reason,
  };
  return devices.requestApproval(session, application, presented).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'blackops.device_revoked')) throw error;
    return devices.requestApproval(session, application, { ...presented, cookie: undefined });
  });
}

const withCookie = (
  reply: FastifyReply,
  { deviceCookie }: DevicesContext,
  value: string | undefined,
): FastifyReply =>
  value === undefined ? reply : reply.header('set-cookie', deviceCookie.header(value));

export function askForm(app: ZodApp, options: DevicesContext): void {
  const { deviceSignals, guards, baseOrigin } = options;
  app.post(
    '/account/devices/ask',
    formOptions('devicePages.ask', 'Form: request approval of this device', AskForm),
    async (request, reply) => {
      const session = guards.sessionOf(request);
      const presented = deviceSignals.of(request);
      const { cookie } = await requestApproval(options, session, request.body, presented);
      const next = nextPath(request.body.next, baseOrigin);
      return redirectDone(withCookie(reply, options, cookie), 'asked', next);
    },
  );
}

export function restoreForm(app: ZodApp, options: DevicesContext): void {
  const { devices, deviceSignals, guards, baseOrigin } = options;
  app.post(
    '/account/devices/restore',
    formOptions('devicePages.restore', 'Form: restore this device', RestoreForm),
    async (request, reply) => {
      const { cookie } = await devices.management.restoreOwn(
        request.body.id,
        guards.sessionOf(request),
        deviceSignals.of(request),
      );
      const next = nextPath(request.body.next, baseOrigin);
      return redirectDone(withCookie(reply, options, cookie), 'restored', next);
    },
  );
}

export function suspendForm(app: ZodApp, { devices, deviceSignals, guards }: DevicesContext): void {
  app.post(
    '/account/devices/suspend',
    formOptions('devicePages.suspend', 'Form: suspend a device', DeviceForm),
    async (request, reply) => {
      guards.requireFresh(request);
      const { userId } = guards.sessionOf(request);
      const actor = userActor(userId, deviceSignals.of(request));
      await devices.management.suspend(request.body.id, { userId }, actor, 'owner');
      return redirectDone(reply, 'suspended');
    },
  );
}

export function renameForm(
  app: ZodApp,
  { devices, deviceSignals, guards }: DevicesContext,
  showError: ShowError,
): void {
  app.post(
    '/account/devices/rename',
    formOptions('devicePages.rename', 'Form: rename a device', RenameForm),
    async (request, reply) => {
      const { userId } = guards.sessionOf(request);
      const { id, name } = request.body;
      if (name === '') {
        await devices.management.get(id, { userId });
        return showError(request, reply.code(400), {
          deviceId: id,
          text: texts.actions.nameMissing,
        });
      }
      await devices.management.rename(id, userId, name, deviceSignals.of(request));
      return redirectDone(reply, 'renamed');
    },
  );
}

export function removeForm(app: ZodApp, options: DevicesContext): void {
  const { devices, deviceSignals, deviceCookie, deviceGuards, guards, sessions } = options;
  app.post(
    '/account/devices/remove',
    formOptions('devicePages.remove', 'Form: remove a device', DeviceForm),
    async (request, reply) => {
      const { id } = request.body;
      const session = guards.sessionOf(request);
      const { userId } = session;
      const isCurrent = (await deviceGuards.recognise(request, reply))?.device.id === id;
      if (!isCurrent) guards.requireFresh(request);
      const actor = userActor(userId, deviceSignals.of(request));
      await devices.management.revoke(id, { userId }, actor, 'owner', isCurrent);
      if (!isCurrent) return redirectDone(reply, 'removed');
      await sessions.end(userId, session.id);
      return reply
        .removeHeader('set-cookie')
        .header('set-cookie', [deviceCookie.cleared, ...guards.clearedSessionCookies])
        .redirect(`/login?next=${devicesPath}&done=signed_out`, 303);
    },
  );
}

export function removeOthersForm(
  app: ZodApp,
  { devices, deviceSignals, deviceGuards, guards }: DevicesContext,
): void {
  app.post(
    '/account/devices/remove-others',
    {
      config: deviceLimits.change,
      schema: {
        operationId: 'devicePages.remove_others',
        summary: 'Form: remove all other devices',
        tags,
        hide: true,
      },
    },
    async (request, reply) => {
      guards.requireFresh(request);
      const current = await deviceGuards.recognise(request, reply);
      const { userId } = guards.sessionOf(request);
      const actor = userActor(userId, deviceSignals.of(request));
      await devices.management.revokeAll(userId, actor, 'owner', current?.device.id);
      return redirectDone(reply, 'others_removed');
    },
  );
}
