import { actorOf, type RequestActor } from '../../../platform/identity/actors.ts';
import type { Principal } from '../../../platform/identity/identity.ts';
import type { Asker } from '../../../platform/http/request-origin.ts';
import {
  CreateIncidentBody,
  CreateIncidentUpdateBody,
} from '../../../areas/status/incidents/schemas.incidents.ts';
import { UuidParams } from '../../../areas/status/schemas.fields.ts';
import type { IncidentState, StatusState } from '../../../areas/status/model.ts';
import type { Incident, Maintenance, StatusSummary } from '../../../areas/status/schemas.ts';
import { toStatuspageIncident } from '../../../areas/status/feeds/statuspage.ts';
import type { GraphqlServices, NodeFinder, Resolver, Resolvers } from '../context.ts';
import { checkedInput } from './arguments.ts';
import { type PageArgs, readCursor, toConnection } from './connections.ts';
import { graphqlErrors } from '../errors.ts';
import { rawIdOf } from './node-ids.ts';
import { PageQuery } from './page-query.ts';
import { toComponentNode, toIncidentNode, toMaintenanceNode } from './status-views.ts';

interface AffectedInput {
  componentId: string;
  status: string;
}
interface OpenInput {
  name: string;
  body: string;
  status?: string | null;
  impact?: string | null;
  components?: AffectedInput[] | null;
}
interface UpdateInput {
  id: string;
  status: string;
  body: string;
  components?: AffectedInput[] | null;
}
type Listed = PageArgs & { status?: string | null };

const requestActor = (principal: Principal, asker: Asker): RequestActor => ({
  actor: actorOf(principal),
  ...asker,
});
const affectedOf = (components: AffectedInput[] | null | undefined) =>
  components?.map(({ componentId: id, status }) => ({ id, status }));
const isMaintenance = (incident: Incident | Maintenance): incident is Maintenance =>
  'scheduled_for' in incident;
const latestFirst = (a: IncidentState, b: IncidentState): number =>
  b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);

/** How the service is: what the status page tells everybody, and what admins do about it by `/api/v1/status`. */
export function createStatusResolvers({ status }: GraphqlServices) {
  const uptimeOf = (id: string) =>
    status.state().components.find((component) => component.id === id)?.uptime ?? null;
  const components = ({ components: all }: StatusSummary = status.summary()) =>
    all
      .filter(({ group }) => !group)
      .map((component) => toComponentNode(component, uptimeOf(component.id)));
  const toIncident = (incident: Incident) => toIncidentNode(incident, uptimeOf);
  const toMaintenance = (maintenance: Maintenance) => toMaintenanceNode(maintenance, uptimeOf);

  /** Everything that the pages show: what is open, and what was over in the last 90 days. */
  function shown(
    kind: IncidentState['kind'],
    { incidents, maintenances, history, components: all }: StatusState = status.state(),
  ) {
    const states = [...incidents, ...maintenances, ...history]
      .filter((each) => each.kind === kind)
      .sort(latestFirst);
    return states.map((state) => ({
      id: state.id,
      status: state.status,
      view: () => toStatuspageIncident(state, all),
    }));
  }

  function pageOf<Node extends { incidentId: string }>(
    kind: IncidentState['kind'],
    { first, after, status: wanted }: Listed,
    toNode: (view: Incident | Maintenance) => Node,
  ) {
    const { limit } = checkedInput(PageQuery, { limit: first }, 'query');
    const all = shown(kind).filter((each) => wanted == null || each.status === wanted);
    const since = readCursor(after);
    const from = since === undefined ? 0 : all.findIndex(({ id }) => id === since) + 1;
    if (since !== undefined && from === 0) throw graphqlErrors.cursor();
    const nodes = all.slice(from, from + limit).map(({ view }) => toNode(view()));
    return toConnection(nodes, ({ incidentId }) => incidentId, {
      hasNextPage: all.length > from + limit,
      after,
    });
  }

  function asIncident(view: Incident | Maintenance) {
    if (isMaintenance(view)) throw new TypeError('maintenance among incidents');
    return toIncident(view);
  }

  function asMaintenance(view: Incident | Maintenance) {
    if (!isMaintenance(view)) throw new TypeError('an incident among maintenance');
    return toMaintenance(view);
  }

  const payloadOf = (incident: IncidentState) => ({
    incident: asIncident(toStatuspageIncident(incident, status.state().components)),
  });

  async function post(nodeId: string, body: object, by: ReturnType<typeof requestActor>) {
    const { id } = checkedInput(UuidParams, { id: rawIdOf('Incident', nodeId) });
    const update = checkedInput(CreateIncidentUpdateBody, body);
    return payloadOf(await status.incidents.createUpdate(id, update, by));
  }

  const openIncident: Resolver<unknown, { input: OpenInput }, object> = async (
    _root,
    { input },
    { access, asker },
  ) => {
    const by = requestActor(await access().admin(), asker());
    const body = checkedInput(CreateIncidentBody, {
      ...input,
      components: affectedOf(input.components),
    });
    return payloadOf(await status.incidents.create(body, by));
  };

  const updateIncident: Resolver<unknown, { input: UpdateInput }, object> = async (
    _root,
    { input: { id, components: affected, ...said } },
    { access, asker },
  ) => {
    const by = requestActor(await access().admin(), asker());
    return post(id, { ...said, components: affectedOf(affected) }, by);
  };

  const resolveIncident: Resolver<unknown, { id: string; body: string }, object> = async (
    _root,
    { id, body },
    { access, asker },
  ) => {
    const by = requestActor(await access().admin(), asker());
    return post(id, { status: 'resolved', body }, by);
  };

  function overview() {
    const summary = status.summary();
    const { indicator, description } = summary.status;
    return {
      indicator,
      description,
      updatedAt: summary.page.updated_at,
      url: summary.page.url,
      components: components(summary),
      incidents: summary.incidents.map(toIncident),
      maintenances: summary.scheduled_maintenances.map(toMaintenance),
    };
  }

  const findShown = (kind: IncidentState['kind'], rawId: string) =>
    shown(kind)
      .find(({ id }) => id === rawId)
      ?.view();
  const findIncident: NodeFinder = async (rawId) => {
    const view = findShown('incident', rawId);
    return view === undefined ? undefined : asIncident(view);
  };
  const findMaintenance: NodeFinder = async (rawId) => {
    const view = findShown('maintenance', rawId);
    return view === undefined ? undefined : asMaintenance(view);
  };

  return {
    resolvers: {
      Query: {
        status: overview,
        components: () => components(),
        incidents: (_root: unknown, args: Listed) => pageOf('incident', args, asIncident),
        maintenances: (_root: unknown, args: Listed) => pageOf('maintenance', args, asMaintenance),
      },
      Mutation: { openIncident, updateIncident, resolveIncident },
    } satisfies Resolvers,
    nodes: {
      Component: async (rawId) => components().find(({ componentId }) => componentId === rawId),
      Incident: findIncident,
      Maintenance: findMaintenance,
    } satisfies Record<string, NodeFinder>,
  };
}
