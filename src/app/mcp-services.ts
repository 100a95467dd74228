import type { Logger } from 'pino';
import { DashboardQuery } from '../areas/analytics/figures/schemas.dashboard.ts';
import { periodIssues } from '../areas/analytics/figures/periods/periods.ts';
import { AuditListQuery } from '../areas/audit/schemas.ts';
import { toSessionView } from '../areas/auth/views.ts';
import { toDeviceView, toRequestView } from '../areas/blackops/views.ts';
import { countryOf } from '../areas/deliverability/postal-codes.ts';
import { detailView, healthView } from '../areas/health/views.ts';
import { createEntrance } from '../surfaces/mcp/guards.ts';
import type { Offer } from '../surfaces/mcp/offer.ts';
import { createPrompts } from '../surfaces/mcp/prompts.ts';
import { createResources, createTemplates } from '../surfaces/mcp/resources.ts';
import { createMcp } from '../surfaces/mcp/service.ts';
import { createSessionRecords } from '../surfaces/mcp/session-records.ts';
import { createStreams } from '../surfaces/mcp/streams.ts';
import type { ToolDeps } from '../surfaces/mcp/tools/tool.ts';
import { adminTools } from '../surfaces/mcp/tools/tools.admin.ts';
import { analyticsTools, type AnalyticsSource } from '../surfaces/mcp/tools/tools.analytics.ts';
import { docsTools } from '../surfaces/mcp/tools/tools.docs.ts';
import { type PeopleSource, peopleTools } from '../surfaces/mcp/tools/tools.people.ts';
import { placeTools } from '../surfaces/mcp/tools/tools.places.ts';
import { statusTools, type StatusSource } from '../surfaces/mcp/tools/tools.status.ts';
import { anyIdentifier } from '../lib/identifiers.ts';
import {
  CreateIncidentBody,
  IncidentListQuery,
  CreateIncidentUpdateBody,
} from '../areas/status/schemas.admin.ts';
import { toIncidentView } from '../areas/status/views.ts';
import { identitySignal } from '../platform/bus/signals.ts';
import { baseUrlOf, type Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { undefinedIfMissing } from '../platform/errors/errors.ts';
import { RequestValidationError } from '../platform/validation/validation-error.ts';
import type { Services } from './services.ts';
import { version } from './version.ts';

export interface McpParts {
  config: Config;
  clock: Clock;
  logger: Logger;
  services: Services;
  /** The OpenAPI document as JSON, once every route is there. */
  openApi: () => string;
}

function statusSource({ status }: Services, baseUrl: string): StatusSource {
  const { incidents } = status;
  return {
    state: status.state,
    pageUrl: `${baseUrl}/status`,
    schemas: {
      list: IncidentListQuery,
      create: CreateIncidentBody,
      update: CreateIncidentUpdateBody,
    },
    async list(query, signal) {
      const { data, next_cursor: next } = await incidents.list(query, signal);
      return { data: data.map(toIncidentView), next_cursor: next };
    },
    create: async (body, by) => toIncidentView(await incidents.create(body, by)),
    update: async (id, body, by) => toIncidentView(await incidents.createUpdate(id, body, by)),
  };
}

function analyticsSource({ dashboards }: Services): AnalyticsSource {
  return {
    sites: (by) => dashboards.sites(by),
    view(asked, by) {
      const query = DashboardQuery.safeParse({ ...asked, bots: String(asked.bots) });
      const mistakes = query.success
        ? periodIssues(dashboards.toPeriodQuestion(query.data)).map(({ field, message }) => ({
            path: [field],
            message,
          }))
        : query.error.issues;
      if (!query.success || mistakes.length > 0)
        throw new RequestValidationError(
          mistakes.map(({ path, message }) => ({
            type: 'value_error',
            loc: ['query', ...path.map(String)],
            msg: message,
            input: null,
          })),
        );
      return dashboards.getDashboard(query.data, by);
    },
  };
}

function peopleSource({ users, sessions, devices }: Services): PeopleSource {
  return {
    async find(asked) {
      if ('user_id' in asked) return undefinedIfMissing(users.get(asked.user_id));
      const identifier = await anyIdentifier(asked.identifier);
      return identifier === undefined ? undefined : users.ownerOf(identifier);
    },
    sessions: async (userId) =>
      (await sessions.list(userId)).map((session) => toSessionView(session, '')),
    devices: async (userId) =>
      (await devices.management.listOf(userId)).map((device) => toDeviceView(device, undefined)),
  };
}

function offerOf({ config, clock, logger, services, openApi }: McpParts): Offer {
  const { addressFacts, audit, deliverability, devices, health, library, realtime, sites, status } =
    services;
  const release = { version, releaseId: config.RELEASE_ID, replica: config.REPLICA_ID };
  const deps: ToolDeps = {
    failed: (error, tool, requestId) =>
      logger.error({ err: error, tool, request_id: requestId }, 'a tool failed'),
  };
  return {
    tools: [
      ...statusTools(statusSource(services, baseUrlOf(config)), deps),
      ...analyticsTools(analyticsSource(services), { ...deps, now: clock.now }),
      ...docsTools(library, deps),
      ...placeTools(
        {
          addressFacts,
          deliverability: {
            check: (question) =>
              deliverability.check({ ...question, country: countryOf(question.country) }),
          },
        },
        deps,
      ),
      ...adminTools(
        {
          audit: { list: (query, signal) => audit.list(query, signal), schema: AuditListQuery },
          deviceRequests: {
            list: async (state, viewer, signal) =>
              (await devices.decisions.list(state, signal)).map((each) =>
                toRequestView(each, viewer),
              ),
          },
          health: (isAdmin) => ({
            ...healthView(health, release),
            ...(isAdmin ? detailView(health, release, realtime.figures(), clock.now()) : {}),
          }),
        },
        deps,
      ),
      ...peopleTools(peopleSource(services), deps),
    ],
    resources: createResources({ library, openApi, statusSummary: status.summary }),
    templates: createTemplates(library),
    prompts: createPrompts(() => sites.list().map(({ key }) => key)),
  };
}

/** The Model Context Protocol over the services that the HTTP routes use, and who may come in. */
export function createMcpParts(parts: McpParts) {
  const {
    config,
    logger,
    services: { development, bus, keys, guards, deviceGuards, status, redis },
  } = parts;
  const isOpen = config.MCP_CONFORMANCE && development.isOn;
  const baseUrl = baseUrlOf(config);
  const mcpStreams = createStreams();
  bus.onSignal(identitySignal, (id) => mcpStreams.endOf(id));
  return {
    mcpStreams,
    mcp: createMcp({
      offer: () => offerOf(parts),
      conformance: isOpen ? () => import('../surfaces/mcp/conformance/fixtures.ts') : undefined,
      statusChangedAt: () => status.state().updatedAt,
      sessionKey: keys('mcp-sessions'),
      sessionRecords: createSessionRecords(redis),
      bus,
      appName: config.APP_NAME,
      version,
      logger,
    }),
    mcpEntrance: createEntrance({
      guards,
      clearedDevice: deviceGuards.clearedDevice(),
      baseUrl,
      isOpen: (request) => isOpen && development.allows(request),
    }),
    baseUrl,
    appName: config.APP_NAME,
  };
}
