import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { disconnectSignal } from '../../platform/http/requester.ts';
import { limit } from '../../platform/http/rate-limit.ts';
import { noStore } from '../../platform/http/security.ts';
import type { Guards } from '../auth/guards.ts';
import type { Dashboard } from './dashboard/dashboard.ts';
import type { DeviceGuards } from './guards.ts';
import { DashboardView, DaysQuery, SeriesView } from './dashboard/schemas.dashboard.ts';
import {
  ApproveBody,
  DecidedView,
  DenyBody,
  DeviceParams,
  RequestList,
  RequestListQuery,
} from './schemas.ts';
import type { Devices } from './service.ts';
import { toRequestView } from './views.ts';

export interface DeviceAdminRoutesOptions {
  devices: Devices;
  dashboard: Dashboard;
  deviceGuards: DeviceGuards;
  guards: Pick<Guards, 'requireFresh'>;
  /** What operation ids begin with: the routes exist under two prefixes. */
  operations: string;
}

const tags = ['blackops'];
const config = { rateLimit: limit({ max: 120, seconds: 60, group: 'device-admin' }) };
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const;

/** What admins on a cleared device see and decide. */
export const deviceAdminRoutes: FastifyPluginAsyncZod<DeviceAdminRoutesOptions> = async (
  app,
  { devices, dashboard, deviceGuards, guards, operations },
) => {
  noStore(app);

  app.get(
    '/requests',
    {
      config,
      schema: {
        operationId: `${operations}.requests`,
        summary: 'Requests for clearance',
        description:
          'Open ones, oldest first, or those that were decided last. The number of a request is not among them: its owner tells it.',
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

  app.post(
    '/requests/:id/approve',
    {
      config,
      schema: {
        operationId: `${operations}.approve`,
        summary: 'Clear a device',
        description:
          'Of somebody else, within five minutes of signing in. `number` is what the asking device shows: let its owner tell you. The third wrong one denies the request.',
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

  app.post(
    '/requests/:id/deny',
    {
      config,
      schema: {
        operationId: `${operations}.deny`,
        summary: 'Refuse clearance to a device',
        description:
          'Of somebody else, within five minutes of signing in. The device can only be removed then.',
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

  app.get(
    '/dashboard',
    {
      config,
      schema: {
        operationId: `${operations}.dashboard`,
        summary: 'Devices and sign-ins at a glance',
        description: 'What waits, what was decided, what looks wrong.',
        tags,
        querystring: DaysQuery,
        response: { 200: DashboardView },
      },
    },
    (request, reply) => dashboard.overview(request.query.days, disconnectSignal(reply)),
  );

  for (const method of methods) {
    app.route({
      method,
      url: '/analytics',
      config,
      schema: {
        operationId: `${operations}.analytics_${method.toLowerCase()}`,
        summary: 'Devices and sign-ins as series',
        description: 'Counts by day. Every method answers the same and changes nothing.',
        tags,
        querystring: DaysQuery,
        response: { 200: SeriesView },
      },
      handler: async (request, reply) => {
        if (method === 'OPTIONS') void reply.header('allow', [...methods, 'HEAD'].join(', '));
        return {
          method: request.method,
          ...(await dashboard.series(DaysQuery.parse(request.query).days, disconnectSignal(reply))),
        };
      },
    });
  }
};
