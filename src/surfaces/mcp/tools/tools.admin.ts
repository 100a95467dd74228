import { z } from 'zod';
import { AuditEventView, AuditListQuery } from '../../../areas/audit/schemas.ts';
import { RequestListQuery, RequestView } from '../../../areas/identity/devices/schemas.ts';
import { toRequestView } from '../../../areas/identity/devices/views.ts';
import type { HealthView } from '../../../areas/health/schemas.ts';
import { detailView, healthView } from '../../../areas/health/views.ts';
import { hasScope } from '../../../lib/access.ts';
import type { McpServices } from '../context.ts';
import { type CreateTool, defineTool, readOnly } from './tool.ts';

const text = z.string().nullable();
const CheckOut = z.object({
  name: z.string(),
  status: z.string(),
  observed: z.union([z.number(), z.string()]).nullable(),
  unit: text,
  output: text,
  time: z.string(),
});

const flattenChecks = (checks: HealthView['checks'] = {}): z.input<typeof CheckOut>[] =>
  Object.entries(checks).flatMap(([name, results]) =>
    results.map(({ status, observedValue, observedUnit, output, time }) => ({
      name,
      status,
      observed: observedValue ?? null,
      unit: observedUnit ?? null,
      output: output ?? null,
      time,
    })),
  );

const getHealth = ({ health, release, realtime, clock }: McpServices): CreateTool =>
  defineTool({
    name: 'get_health',
    title: 'Health of the service',
    annotations: readOnly,
    description:
      'Returns pass, warn or fail across all checks of this replica. Admins also get ' +
      'each check. For the public status, use get_status.',
    input: z.strictObject({}),
    output: z.object({
      status: z.string(),
      version: z.string(),
      output: text,
      checks: z.array(CheckOut).nullable().describe('For admins only.'),
    }),
    run(_args, { principal }) {
      const { status, version, output = null } = healthView(health, release);
      if (!hasScope(principal, 'admin')) return { status, version, output, checks: null };
      const { checks } = detailView(health, release, realtime.metrics(), clock.now());
      return { status, version, output, checks: flattenChecks(checks) };
    },
  });

const listDeviceRequests = ({ devices: { decisions } }: McpServices): CreateTool =>
  defineTool({
    name: 'list_device_requests',
    title: 'Pending approval requests',
    annotations: readOnly,
    scope: 'admin',
    description:
      'Lists open approval requests, oldest first, or the most recently decided ones. ' +
      'Requests can only be approved in the console: the number shown on the device is ' +
      'not included.',
    input: z.strictObject(RequestListQuery.shape),
    output: z.object({ requests: z.array(z.object(RequestView.shape)) }),
    async run({ state }, { principal, requester: { signal } }) {
      const viewerId = principal.kind === 'user' ? principal.id : undefined;
      const requests = await decisions.list(state, signal);
      return { requests: requests.map((request) => toRequestView(request, viewerId)) };
    },
  });

const getAuditLog = ({ audit }: McpServices): CreateTool =>
  defineTool({
    name: 'get_audit_log',
    title: 'Audit log',
    annotations: readOnly,
    scope: 'admin',
    description:
      'Lists audit events, newest first: sign-ins, codes, devices, keys, incidents. ' +
      'All filters must match; `action` takes one action or a group such as ' +
      '"session.*".',
    input: z.strictObject(AuditListQuery.shape),
    output: z.object({ events: z.array(z.object(AuditEventView.shape)), next_cursor: text }),
    async run(query, { requester: { signal } }) {
      const { data, next_cursor } = await audit.list(query, signal);
      return { events: data, next_cursor };
    },
  });

/** Health for all callers; device requests and the audit log for admins. */
export const adminTools = (services: McpServices): CreateTool[] => [
  getHealth(services),
  listDeviceRequests(services),
  getAuditLog(services),
];
