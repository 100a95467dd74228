import { disconnectSignal } from '../../../platform/http/requests/requester.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { type DeviceAdminRoutesOptions, rateLimits, tags } from '../routes.options.ts';
import {
  ApproveBody,
  DecidedView,
  DenyBody,
  DeviceParams,
  RequestList,
  RequestListQuery,
} from '../schemas.ts';
import { toRequestView } from '../views.ts';

const config = rateLimits.admin;

export function listRequests(
  app: ZodApp,
  { devices, operationId }: DeviceAdminRoutesOptions,
): void {
  app.get(
    '/requests',
    {
      config,
      schema: {
        operationId: operationId('blackops.list_requests'),
        summary: 'Requests for clearance',
        description:
          'Open ones, oldest first, or those that were decided last. ' +
          'The number of a request is not among them: its owner tells it.',
        tags,
        querystring: RequestListQuery,
        response: { 200: RequestList },
      },
    },
    async (request, reply) => {
      const requests = await devices.decisions.list(request.query.state, disconnectSignal(reply));
      const viewer = request.principal?.kind === 'user' ? request.principal.id : undefined;
      return {
        requests: requests.map((each) => toRequestView(each, viewer)),
        total: requests.length,
      };
    },
  );
}

export function approveRequest(
  app: ZodApp,
  { devices, deviceGuards, guards, operationId }: DeviceAdminRoutesOptions,
): void {
  app.post(
    '/requests/:id/approve',
    {
      config,
      schema: {
        operationId: operationId('blackops.approve_request'),
        summary: 'Clear a device',
        description:
          'Of somebody else, within five minutes of signing in. ' +
          '`number` is what the asking device shows: let its owner tell you. ' +
          'The third wrong one denies the request.',
        tags,
        params: DeviceParams,
        body: ApproveBody,
        errors: [
          'auth.step_up_required',
          'blackops.wrong_number',
          'blackops.own_request',
          'blackops.request_not_found',
          'blackops.already_decided',
        ],
        response: { 200: DecidedView },
      },
    },
    async (request) => {
      guards.requireFresh(request);
      const { number, note } = request.body;
      const { id, state } = await devices.decisions.decide(
        request.params.id,
        { isApproved: true, number, note },
        deviceGuards.approverOf(request),
      );
      return { device_id: id, state };
    },
  );
}

export function denyRequest(
  app: ZodApp,
  { devices, deviceGuards, guards, operationId }: DeviceAdminRoutesOptions,
): void {
  app.post(
    '/requests/:id/deny',
    {
      config,
      schema: {
        operationId: operationId('blackops.deny_request'),
        summary: 'Refuse clearance to a device',
        description:
          'Of somebody else, within five minutes of signing in. ' +
          'The device can only be removed then.',
        tags,
        params: DeviceParams,
        body: DenyBody,
        errors: [
          'auth.step_up_required',
          'blackops.own_request',
          'blackops.request_not_found',
          'blackops.already_decided',
        ],
        response: { 200: DecidedView },
      },
    },
    async (request) => {
      guards.requireFresh(request);
      const { id, state } = await devices.decisions.decide(
        request.params.id,
        { isApproved: false, number: undefined, note: request.body?.note },
        deviceGuards.approverOf(request),
      );
      return { device_id: id, state };
    },
  );
}
