import { actorOf, type RequestActor } from '../../../platform/identity/actors.ts';
import type { AuditActor } from '../../../areas/audit/service.ts';
import { z } from 'zod';
import type { StatusState } from '../../../areas/status/model.ts';
import type {
  CreateIncidentBody,
  IncidentListQuery,
  CreateIncidentUpdateBody,
  IncidentView,
} from '../../../areas/status/schemas.admin.ts';
import type { Caller } from '../caller.ts';
import type { Tool } from '../offer.ts';
import { defineTool, reads, type ToolDeps } from './tool.ts';

type Incident = z.output<typeof IncidentView>;

/** What the status area does for these tools, with its own schemas of what it takes. */
export interface StatusSource {
  state: () => StatusState;
  list: (
    query: z.output<typeof IncidentListQuery>,
    signal: AbortSignal,
  ) => Promise<{ data: Incident[]; next_cursor: string | null }>;
  create: (body: CreateIncidentBody, by: AuditActor) => Promise<Incident>;
  update: (id: string, body: CreateIncidentUpdateBody, by: AuditActor) => Promise<Incident>;
  schemas: {
    list: typeof IncidentListQuery;
    create: typeof CreateIncidentBody;
    update: typeof CreateIncidentUpdateBody;
  };
  /** Where people look. */
  pageUrl: string;
}

const iso = (ms: number): string => new Date(ms).toISOString();

const requestActor = ({ principal, address, requestId }: Caller): RequestActor => ({
  actor: actorOf(principal),
  address,
  requestId,
});

const Update = z.object({ status: z.string(), body: z.string(), created_at: z.string() });
const IncidentOut = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  impact: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  resolved_at: z.string().nullable(),
  components: z.array(z.object({ id: z.string(), status: z.string() })),
  incident_updates: z.array(Update).describe('Newest first.'),
});
const ComponentOut = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  group: z.string().nullable(),
  uptime_percent: z.number().nullable().describe('Over 90 days.'),
});
const Open = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  impact: z.string(),
  components: z.array(z.string()),
  latest_update: z.string().nullable(),
  created_at: z.string(),
});

function openOf({
  id,
  name,
  status,
  impact,
  components,
  updates,
  createdAt,
}: StatusState['incidents'][number]): z.input<typeof Open> {
  return {
    id,
    name,
    status,
    impact,
    components: [...components],
    latest_update: updates[0]?.body ?? null,
    created_at: iso(createdAt),
  };
}

const componentsOf = ({ components }: StatusState): z.input<typeof ComponentOut>[] =>
  components.map(({ id, name, status, group, uptime }) => ({
    id,
    name,
    status,
    group,
    uptime_percent: uptime,
  }));

function publicTools({ state, pageUrl }: StatusSource, deps: ToolDeps): Tool[] {
  return [
    defineTool(
      {
        name: 'get_status',
        title: 'Status of the service',
        annotations: reads,
        description:
          'How the service is right now: an overall verdict, components that are not operational, open incidents and planned maintenance. Start here when somebody asks whether something is down.',
        input: z.strictObject({}),
        output: z.object({
          indicator: z.enum(['none', 'minor', 'major', 'critical', 'maintenance']),
          description: z.string(),
          updated_at: z.string(),
          page: z.string(),
          components_total: z.int(),
          not_operational: z.array(ComponentOut),
          incidents: z.array(Open),
          maintenances: z.array(Open),
        }),
        run() {
          const now = state();
          const components = componentsOf(now);
          return {
            indicator: now.indicator,
            description: now.description,
            updated_at: iso(now.updatedAt),
            page: pageUrl,
            components_total: components.length,
            not_operational: components.filter(({ status }) => status !== 'operational'),
            incidents: now.incidents.map(openOf),
            maintenances: now.maintenances.map(openOf),
          };
        },
      },
      deps,
    ),
    defineTool(
      {
        name: 'list_components',
        title: 'Components of the status page',
        annotations: reads,
        description:
          'All components with their status and their uptime over 90 days. Incidents name components by the `id` that is given here.',
        input: z.strictObject({}),
        output: z.object({ components: z.array(ComponentOut) }),
        run: () => ({ components: componentsOf(state()) }),
      },
      deps,
    ),
  ];
}

/** Tools around the status page. Incidents are the admins'. */
export function statusTools(source: StatusSource, deps: ToolDeps): Tool[] {
  const { list, create, update, schemas } = source;
  const next = {
    'status.incident_not_found': 'Call list_incidents for the ids there are.',
    'status.incident_over':
      'Open a new incident with create_incident, or update with status "postmortem".',
  };
  return [
    ...publicTools(source, deps),
    defineTool(
      {
        name: 'list_incidents',
        title: 'List incidents',
        annotations: reads,
        scope: 'admin',
        description:
          'Incidents with everything that was said about them, newest first. `status: "open"` gives those that are not resolved.',
        input: z.strictObject(schemas.list.shape),
        output: z.object({
          incidents: z.array(IncidentOut),
          next_cursor: z.string().nullable().describe('For the next page; null on the last.'),
        }),
        async run(query, { questioner: { signal } }) {
          const { data, next_cursor: cursor } = await list(query, signal);
          return { incidents: data, next_cursor: cursor };
        },
      },
      deps,
    ),
    defineTool(
      {
        name: 'create_incident',
        title: 'Open an incident',
        scope: 'admin',
        annotations: {
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: false,
          openWorldHint: true,
        },
        description:
          'Puts an incident on the public status page at once and mails subscribers. Name components by their ids from list_components. Ask the person before you call this; calling it twice opens two.',
        input: z.strictObject(schemas.create.shape),
        output: z.object({ incident: IncidentOut, page: z.string() }),
        run: async (body, caller) => ({
          incident: await create(body, requestActor(caller)),
          page: source.pageUrl,
        }),
      },
      deps,
    ),
    defineTool(
      {
        name: 'update_incident',
        title: 'Say how an incident goes on',
        scope: 'admin',
        annotations: {
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: false,
          openWorldHint: true,
        },
        description:
          'Adds an update to an incident, which gets its status; subscribers are mailed. `status: "resolved"` ends it.',
        next,
        input: z.strictObject({
          id: z.uuid().describe('From list_incidents or create_incident.'),
          ...schemas.update.shape,
        }),
        output: z.object({ incident: IncidentOut, page: z.string() }),
        run: async ({ id, ...body }, caller) => ({
          incident: await update(id, body, requestActor(caller)),
          page: source.pageUrl,
        }),
      },
      deps,
    ),
  ];
}
