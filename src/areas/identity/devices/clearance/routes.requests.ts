import { disconnectSignal } from '../../../../platform/http/requests/requester.ts';
import type { ZodApp } from '../../../../platform/http/zod-app.ts';
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
        summary: 'List approval requests',
        description:
          'Open requests, oldest first, or the most recently decided ones. The request ' +
          'number shown on the device is not included; ask the owner of the device for ' +
          'it.',
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
        summary: 'Approve an approval request',
        description:
          'Only for devices of other users, within five minutes of signing in. `number` ' +
          'is the number shown on the device; ask its owner for it. The third wrong ' +
          'number denies the request.',
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
        summary: 'Deny an approval request',
        description:
          'Only for devices of other users, within five minutes of signing in. A denied ' +
          'device can only be removed.',
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
