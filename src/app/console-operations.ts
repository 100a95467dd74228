import type { ChannelFacts } from '../surfaces/console/operations/realtime-page.ts';
import type { JobsSource } from '../surfaces/console/operations/routes.jobs.ts';
import type { RealtimeSource } from '../surfaces/console/operations/routes.realtime.ts';
import type { SettingsSource } from '../surfaces/console/operations/routes.settings.ts';
import type { StatusSource } from '../surfaces/console/status/routes.status.ts';
import { JobIdsBody, JobListQuery } from '../areas/jobs/schemas.ts';
import {
  UpdateComponentBody,
  UpdateIncidentBody,
  UpdateMaintenanceBody,
  CreateComponentBody,
  CreateIncidentBody,
  CreateMaintenanceBody,
  CreateIncidentUpdateBody,
  CreateMaintenanceUpdateBody,
} from '../areas/status/schemas.admin.ts';
import { toComponentView } from '../areas/status/views.ts';
import {
  type ChannelRule,
  channelRules,
  type Endpoint,
  type Subject,
} from '../areas/realtime/channels.ts';
import { events } from '../areas/realtime/events.ts';
import { baseUrlOf, type Config } from '../config.ts';
import { shownSettings } from './console-settings.ts';
import type { Clock } from '../lib/clock.ts';
import { requestErrors } from '../platform/errors/errors.ts';
import type { Services } from './services.ts';
import { version } from './version.ts';

interface OperationParts {
  config: Config;
  clock: Clock;
  services: Services;
}

const socket: Endpoint = '/ws/svc/';

function statusSource({ clock, services: { status, subscribers } }: OperationParts): StatusSource {
  const { state, components, incidents, maintenances } = status;
  return {
    state,
    components,
    incidents,
    maintenances,
    subscribers,
    now: clock.now,
    component(id) {
      const record = status.records().find((each) => each.id === id);
      return record === undefined
        ? undefined
        : toComponentView(
            record,
            state().components.find((each) => each.id === id),
          );
    },
    schemas: {
      createIncident: CreateIncidentBody,
      updateIncident: UpdateIncidentBody,
      createIncidentUpdate: CreateIncidentUpdateBody,
      createMaintenance: CreateMaintenanceBody,
      updateMaintenance: UpdateMaintenanceBody,
      createMaintenanceUpdate: CreateMaintenanceUpdateBody,
      createComponent: CreateComponentBody,
      updateComponent: UpdateComponentBody,
    },
  };
}

const jobsSource = ({ services: { jobs } }: OperationParts): JobsSource => ({
  jobs,
  schemas: { list: JobListQuery, ids: JobIdsBody },
});

/** What the channels of each family may be about, as far as that is known. */
function subjectsOf(
  { sites, status }: Services,
  { principal }: Subject,
): Readonly<Record<string, readonly string[]>> {
  return {
    'status:': status.records().map(({ id }) => id),
    'analytics:': sites.list().map(({ key }) => key),
    'svc:': principal?.kind === 'user' ? [principal.id] : [],
  };
}

/** The channels that somebody on a cleared device may hear on the socket of the console. */
function channelsOf(services: Services, subject: Subject): ChannelFacts[] {
  const about = subjectsOf(services, subject);
  const rules: [string, ChannelRule][] = Object.entries(channelRules);
  return rules.flatMap(
    ([
      family,
      { name, description, keeping, endpoints, maySubscribe, mayPublish, hasPresence },
    ]) => {
      const names = family.endsWith(':') ? (about[family] ?? []) : [''];
      const isHeard = endpoints.includes(socket) && maySubscribe(subject, names[0] ?? '');
      const types = Object.entries(events)
        .filter(([, { channels }]) => channels.some((each) => each === family))
        .map(([type, { summary }]) => ({ type, summary }));
      return isHeard
        ? [
            {
              name,
              description,
              keeping,
              hasPresence,
              mayPublish: mayPublish(subject),
              types,
              names: names.slice(0, 200).map((each) => family + each),
            },
          ]
        : [];
    },
  );
}

function realtimeSource({ config, services }: OperationParts): RealtimeSource {
  return {
    figures: services.realtime.figures,
    socket: `${baseUrlOf(config).replace(/^http/, 'ws')}${socket}`,
    channels: (principal) => channelsOf(services, { principal, isCleared: true }),
    publish: (received) =>
      services.bus
        .publish('test', { type: 'test.message', data: { method: 'POST', received } })
        .then(
          () => undefined,
          (cause: unknown) => {
            throw requestErrors.unavailable({ cause });
          },
        ),
  };
}

function settingsSource({
  config,
  clock,
  services: { health, library },
}: OperationParts): SettingsSource {
  // The configuration never changes while the process runs.
  const settings = shownSettings(config);
  const placeOf = (name: string, own: string) =>
    settings.find((setting) => setting.name === name && setting.isSet)?.value ?? own;
  const outside = (url: string | undefined, theirs: string, own: string) =>
    url === undefined ? own : theirs;
  const stores = [
    {
      name: 'Records',
      kind: outside(config.DATABASE_URL, 'PostgreSQL', 'PGlite, in this process'),
      place: placeOf('DATABASE_URL', `${config.DATA_DIR}/postgres`),
    },
    {
      name: 'Queues, limits, realtime',
      kind: outside(config.REDIS_URL, 'Redis or Valkey', 'redis-server of its own'),
      place: placeOf('REDIS_URL', `${config.DATA_DIR}/redis`),
    },
    {
      name: 'Events',
      kind: 'DuckDB, in a thread of this process',
      place: placeOf('EVENTS_URL', `${config.DATA_DIR}/events.duckdb`),
    },
    { name: 'Journal of events', kind: 'Files', place: `${config.DATA_DIR}/journal` },
  ];
  return () => ({
    settings,
    stores,
    startedAt: health.startedAt,
    now: clock.now(),
    memory: process.memoryUsage.rss(),
    checks: health.checks(),
    guides: library.guides().map(({ slug, title }) => ({ slug, title })),
    release: {
      version,
      releaseId: config.RELEASE_ID,
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      environment: config.NODE_ENV,
    },
  });
}

/** What the pages of operations show and do: the same services as the API, with its schemas for what comes in. */
export function createOperations(parts: OperationParts) {
  return {
    statusSource: statusSource(parts),
    jobsSource: jobsSource(parts),
    realtimeSource: realtimeSource(parts),
    settingsSource: settingsSource(parts),
  };
}
