import { periodIssues } from '../areas/analytics/figures/periods/periods.ts';
import { DashboardQuery } from '../areas/analytics/figures/schemas.dashboard.ts';
import { ApiKeyListQuery, ApiKeyParams, CreateApiKeyBody } from '../areas/api-keys/schemas.ts';
import { AuditListQuery } from '../areas/audit/schemas.ts';
import { toSessionUser, toSessionView } from '../areas/auth/views.ts';
import { blackopsErrors } from '../areas/blackops/errors.ts';
import { toDeviceView } from '../areas/blackops/views.ts';
import { createGraphql, type GraphqlDeps } from '../surfaces/graphql/service.ts';
import { checksView, healthView } from '../areas/health/views.ts';
import {
  CreateIncidentBody,
  IncidentParams,
  CreateIncidentUpdateBody,
} from '../areas/status/schemas.admin.ts';
import { toStatuspageIncident } from '../areas/status/pages/statuspage.ts';
import { channelOf } from '../areas/realtime/channels.ts';
import { identitySignal } from '../platform/bus/signals.ts';
import type { Realtime } from '../surfaces/ws/service.ts';
import type { Resources } from '../platform/resources.ts';
import { version } from './version.ts';

/** The services that GraphQL shows, as they are for the REST API. */
export interface Shown extends Pick<
  GraphqlDeps,
  'bus' | 'identities' | 'sessions' | 'devices' | 'audit' | 'apiKeys' | 'dashboards'
> {
  status: GraphqlDeps['engine']['status']['status'];
  health: Parameters<typeof healthView>[0];
  realtime: Realtime;
}

/** GraphQL over the services of the REST API, with its schemas for what comes in and its views of what goes out. */
export function createGraphqlService(
  { config, clock, logger }: Resources,
  {
    bus,
    identities,
    sessions,
    devices,
    audit,
    apiKeys,
    dashboards,
    status,
    health,
    realtime,
  }: Shown,
) {
  const release = { version, releaseId: config.RELEASE_ID };
  return createGraphql({
    bus,
    identities,
    sessions,
    devices,
    audit,
    apiKeys,
    dashboards,
    identitySignal,
    logger,
    now: clock.now,
    most: { all: config.WS_CONNECTION_LIMIT, ofAddress: config.RATE_LIMIT ? 100 : Infinity },
    engine: {
      version,
      timeoutMs: 10_000,
      views: { toSessionUser, toSessionView, toDeviceView },
      status: {
        status,
        toStatuspageIncident,
        schemas: {
          CreateIncidentBody,
          IncidentUpdateBody: CreateIncidentUpdateBody,
          IncidentParams,
        },
      },
      analytics: { periodMistakes: periodIssues, schemas: { DashboardQuery } },
      admin: {
        health: {
          view: () => healthView(health, release),
          checks: () => checksView(health, realtime.figures(), clock.now()),
        },
        schemas: { AuditListQuery, ApiKeyListQuery, ApiKeyParams, CreateApiKeyBody },
      },
      subscribers: {
        channelOf,
        deviceNotCleared: () =>
          blackopsErrors.device_not_cleared({ extra: { device_state: 'unknown' } }),
      },
    },
  });
}
