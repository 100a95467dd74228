import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../../../../platform/errors/errors.ts';
import { disconnectSignal } from '../../../../platform/http/requests/requester.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../../request-context.ts';
import { form } from '../../route-options.ts';
import { sectionPath } from '../../sections.ts';
import { readDevices } from './device-views.ts';
import { texts } from '../texts/en.ts';
import { devicesPage } from './devices-page.tsx';

const note = z
  .string()
  .max(4096)
  .transform((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
  .pipe(z.string().max(280))
  .transform((text) => (text === '' ? undefined : text))
  .optional();
const Params = z.object({ id: z.uuid() });
const ApproveForm = z.object({ number: z.string().max(64), note });
const DenyForm = z.object({ note });

const { notDigits, wrongNumber } = texts.devices.errors;

/** Sends the page of all devices with an error about a decision. */
async function sendMistake(
  options: ConsoleRoutesOptions,
  reply: FastifyReply,
  mistake: string,
): Promise<FastifyReply> {
  const viewer = options.viewerOf(reply.request);
  const list = { state: undefined, cursor: undefined };
  const view = await readDevices(options, viewer.userId, list, disconnectSignal(reply));
  return options.send(reply.code(400), devicesPage(view, viewer, { mistake }));
}

function approveDeviceRoute(app: ConsoleScope, options: ConsoleRoutesOptions): void {
  const { guards, deviceGuards, devices } = options.services;
  app.post(
    '/api/svc/console/devices/requests/:id/approve',
    form('console.approve_device', 'Form: clear a device', {
      params: Params,
      body: ApproveForm,
    }),
    async (request, reply) => {
      guards.requireFresh(request);
      const number = request.body.number.replace(/\s/g, '');
      if (!/^\d{2}$/.test(number)) return sendMistake(options, reply, notDigits);
      try {
        const { id } = await devices.decisions.decide(
          request.params.id,
          { isApproved: true, number, note: request.body.note },
          deviceGuards.approverOf(request),
        );
        return await redirectTo(reply, sectionPath('devices'), { done: 'approved', about: id });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'blackops.wrong_number') throw error;
        return sendMistake(options, reply, wrongNumber);
      }
    },
  );
}

function denyDeviceRoute(app: ConsoleScope, { services }: ConsoleRoutesOptions): void {
  const { guards, deviceGuards, devices } = services;
  app.post(
    '/api/svc/console/devices/requests/:id/deny',
    form('console.deny_device', 'Form: deny approval of a device', {
      params: Params,
      body: DenyForm,
    }),
    async (request, reply) => {
      guards.requireFresh(request);
      const { id } = await devices.decisions.decide(
        request.params.id,
        { isApproved: false, number: undefined, note: request.body.note },
        deviceGuards.approverOf(request),
      );
      return redirectTo(reply, sectionPath('devices'), { done: 'denied', about: id });
    },
  );
}

/** Decisions on requests for clearance. They need a fresh sign-in. */
export const clearanceRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  options,
) => {
  approveDeviceRoute(app, options);
  denyDeviceRoute(app, options);
};
