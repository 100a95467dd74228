import { z } from 'zod';
import { hasScope } from '../../../platform/identity/identity.ts';
import type { AuditListQuery, AuditPage } from '../../../areas/audit/schemas.ts';
import type { RequestListQuery, RequestView } from '../../../areas/blackops/schemas.ts';
import type { HealthView } from '../../../areas/health/schemas.ts';
import type { Tool } from '../offer.ts';
import { defineTool, reads, type ToolDeps } from './tool.ts';

/** What other areas do for these tools. */
export interface AdminSource {
  audit: {
    list: (
      query: z.output<typeof AuditListQuery>,
      signal: AbortSignal,
    ) => Promise<z.output<typeof AuditPage>>;
    schema: typeof AuditListQuery;
  };
  /** Requests for clearance of devices. `viewer` is the id of the person who asks. */
  deviceRequests: {
    list: (
      state: z.output<typeof RequestListQuery>['state'],
      viewer: string | undefined,
      signal: AbortSignal,
    ) => Promise<z.output<typeof RequestView>[]>;
  };
  /** The roll-up, and for admins each check. */
  health: (isAdmin: boolean) => HealthView;
}

const text = z.string().nullable();
const AuditOut = z.object({
  id: z.string(),
  at: z.string(),
  action: z.string(),
  outcome: z.string(),
  reason: text,
  actor: z.object({ kind: z.string(), id: text }),
  target: z.object({ kind: z.string(), id: z.string() }).nullable(),
  address: text,
  request_id: text,
  details: z.record(z.string(), z.unknown()),
});
const RequestOut = z.object({
  request_id: z.string(),
  device_id: z.string(),
  state: z.string(),
  user: z.object({ id: z.string(), name: text, email: text }),
  own: z.boolean(),
  device_name: z.string(),
  binding: z.string(),
  os: text,
  browser: text,
  network: text,
  country: text,
  reason: text,
  created_at: z.string(),
  expires_at: z.string(),
  decided_at: text,
  decided_by: text,
  note: text,
});
const CheckOut = z.object({
  name: z.string(),
  status: z.string(),
  observed: z.union([z.number(), z.string()]).nullable(),
  unit: text,
  output: text,
  time: z.string(),
});

function checksOf({ checks = {} }: HealthView): z.input<typeof CheckOut>[] {
  return Object.entries(checks).flatMap(([name, found]) =>
    found.map(({ status, observedValue, observedUnit, output, time }) => ({
      name,
      status,
      observed: observedValue ?? null,
      unit: observedUnit ?? null,
      output: output ?? null,
      time,
    })),
  );
}

/** Tools for whoever runs the service. */
export function adminTools({ audit, deviceRequests, health }: AdminSource, deps: ToolDeps): Tool[] {
  return [
    defineTool(
      {
        name: 'get_health',
        title: 'Health of the service',
        annotations: reads,
        description:
          'pass, warn or fail over all checks of this replica. Admins also get each check. For what the public sees, take get_status.',
        input: z.strictObject({}),
        output: z.object({
          status: z.string(),
          version: z.string(),
          output: text,
          checks: z.array(CheckOut).nullable().describe('For admins only.'),
        }),
        run(_args, { principal }) {
          const isAdmin = hasScope(principal, 'admin');
          const view = health(isAdmin);
          return {
            status: view.status,
            version: view.version,
            output: view.output ?? null,
            checks: isAdmin ? checksOf(view) : null,
          };
        },
      },
      deps,
    ),
    defineTool(
      {
        name: 'list_device_requests',
        title: 'Devices that wait for clearance',
        annotations: reads,
        scope: 'admin',
        description:
          'Requests of people to have a device cleared: open ones, oldest first, or those decided last. Approving needs a person in the console: the number that the device shows is not among these.',
        input: z.strictObject({ state: z.enum(['open', 'decided']).default('open') }),
        output: z.object({ requests: z.array(RequestOut) }),
        run: async ({ state }, { principal, questioner: { signal } }) => ({
          requests: await deviceRequests.list(
            state,
            principal?.kind === 'user' ? principal.id : undefined,
            signal,
          ),
        }),
      },
      deps,
    ),
    defineTool(
      {
        name: 'get_audit_log',
        title: 'Audit log',
        annotations: reads,
        scope: 'admin',
        description:
          'Who did what, newest first: sign-ins, codes, devices, keys, incidents. Filters narrow it together; `action` takes one action or a group such as "session.*".',
        input: z.strictObject(audit.schema.shape),
        output: z.object({ events: z.array(AuditOut), next_cursor: text }),
        async run(query, { questioner: { signal } }) {
          const { data, next_cursor: cursor } = await audit.list(query, signal);
          return { events: data, next_cursor: cursor };
        },
      },
      deps,
    ),
  ];
}
