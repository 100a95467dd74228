import { z } from 'zod';
import { toStatuspageIncident } from '../../../areas/status/feeds/statuspage.ts';
import type { IncidentState } from '../../../areas/status/model.ts';
import {
  CreateIncidentBody,
  CreateIncidentUpdateBody,
} from '../../../areas/status/incidents/schemas.incidents.ts';
import { UuidParams } from '../../../areas/status/schemas.fields.ts';
import type { Component } from '../../../areas/status/schemas.ts';
import {
  adminActor,
  type GraphqlContext,
  type GraphqlServices,
  type NodeFinder,
  type Resolvers,
} from '../context.ts';
import { graphqlErrors } from '../errors.ts';
import type { SocketContext } from '../subscriptions/subscribers.ts';
import { readArguments } from './arguments.ts';
import { type PageArgs, readCursor, toConnection } from './connections.ts';
import { rawIdOf } from './node-ids.ts';

type Kind = IncidentState['kind'];
type Status = GraphqlServices['status'];

interface IncidentInput {
  components?: { componentId: string; status: string }[] | null;
}

const PageQuery = z.object({ limit: z.int().min(1).max(100).default(20) });

const newestFirst = (a: IncidentState, b: IncidentState): number =>
  b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);

/** The incidents of the status page: open ones, and those that ended in the last 90 days. */
function shownIncidents(kind: Kind, status: Status): IncidentState[] {
  const { incidents, maintenances, history } = status.state();
  return [...incidents, ...maintenances, ...history]
    .filter((each) => each.kind === kind)
    .sort(newestFirst);
}

const toView = (incident: IncidentState, status: Status) =>
  toStatuspageIncident(incident, status.state().components);

const withoutHeadings = (components: readonly Component[]): Component[] =>
  components.filter(({ group }) => !group);

function statusOverview(_root: unknown, _args: unknown, { services }: GraphqlContext) {
  const summary = services.status.summary();
  return {
    ...summary.status,
    updated_at: summary.page.updated_at,
    url: summary.page.url,
    components: withoutHeadings(summary.components),
    incidents: summary.incidents,
    maintenances: summary.scheduled_maintenances,
  };
}

const listIncidents =
  (kind: Kind) =>
  (
    _root: unknown,
    { first, after, status: statusFilter }: PageArgs & { status?: string | null },
    { services: { status } }: GraphqlContext,
  ) => {
    const { limit } = readArguments(PageQuery, { limit: first }, 'query');
    const all = shownIncidents(kind, status).filter(
      (each) => statusFilter == null || each.status === statusFilter,
    );
    const cursor = readCursor(after);
    const start = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
    if (cursor !== undefined && start === 0) throw graphqlErrors.cursor();
    const page = all.slice(start, start + limit).map((each) => toView(each, status));
    return toConnection(page, { hasNextPage: all.length > start + limit, after });
  };

/** Undefined in subscriptions, because their events do not contain it. */
const uptime = ({ id }: Component, _args: unknown, context: GraphqlContext | SocketContext) =>
  'services' in context
    ? context.services.status.state().components.find((each) => each.id === id)?.uptime
    : null;

/** Converts an input to a body of the REST API, where `componentId` is `id`. */
const toBody = <Input extends IncidentInput>({ components, ...input }: Input) => ({
  ...input,
  components: components?.map(({ componentId: id, status }) => ({ id, status })),
});

async function createIncident(
  _root: unknown,
  { input }: { input: IncidentInput },
  context: GraphqlContext,
) {
  const actor = await adminActor(context);
  const { status } = context.services;
  const body = readArguments(CreateIncidentBody, toBody(input));
  return { incident: toView(await status.incidents.create(body, actor), status) };
}

async function postUpdate(nodeId: string, update: object, context: GraphqlContext) {
  const actor = await adminActor(context);
  const { status } = context.services;
  const { id } = readArguments(UuidParams, { id: rawIdOf('Incident', nodeId) });
  const body = readArguments(CreateIncidentUpdateBody, update);
  return { incident: toView(await status.incidents.createUpdate(id, body, actor), status) };
}

const updateIncident = (
  _root: unknown,
  { input: { id, ...update } }: { input: IncidentInput & { id: string } },
  context: GraphqlContext,
) => postUpdate(id, toBody(update), context);

const resolveIncident = (
  _root: unknown,
  { id, body }: { id: string; body: string },
  context: GraphqlContext,
) => postUpdate(id, { status: 'resolved', body }, context);

const listComponents = (_root: unknown, _args: unknown, { services }: GraphqlContext) =>
  withoutHeadings(services.status.summary().components);

const findIncident =
  (kind: Kind): NodeFinder =>
  async (rawId, { services: { status } }) => {
    const found = shownIncidents(kind, status).find(({ id }) => id === rawId);
    return found === undefined ? undefined : toView(found, status);
  };

/** The status of the service, as on the status page and from `/api/v1/status`. */
export const statusResolvers = {
  Query: {
    status: statusOverview,
    components: listComponents,
    incidents: listIncidents('incident'),
    maintenances: listIncidents('maintenance'),
  },
  Mutation: { createIncident, updateIncident, resolveIncident },
  Component: { uptime },
} satisfies Resolvers;

export const statusNodes = {
  Component: async (rawId, { services }) =>
    withoutHeadings(services.status.summary().components).find(({ id }) => id === rawId),
  Incident: findIncident('incident'),
  Maintenance: findIncident('maintenance'),
} satisfies Record<string, NodeFinder>;
