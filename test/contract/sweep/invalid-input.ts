import { z } from 'zod';
import { type OpenApiDocument, operationsOf } from '../../../src/platform/openapi/document.ts';
import { hasInputSchema } from '../../../src/platform/validation/validation.ts';
import type { Callers } from './callers.ts';
import { nameOf, type Target, targetsOf, urlOf } from './routes.ts';
import { type Answer, checkEach, type Findings, type Request, type Sweep } from './sweep.ts';

/**
 * GraphQL, MCP (JSON-RPC) and SCIM have their own error formats; webhooks are bytes of any type.
 */
export const ownRules =
  /^\/api\/graphql\/?$|^\/api\/v2\/mcp\/?$|\/webhooks\/payments$|^\/scim\/v2\//;

/**
 * FastAPI's HTTPValidationError: its members, in this order, then those of all errors, and no
 * others.
 */
const Exact = z.strictObject({
  detail: z
    .array(
      z.strictObject({
        type: z.string().min(1),
        loc: z.array(z.union([z.string(), z.int()])).min(1),
        msg: z.string().min(1),
        input: z.unknown(),
        ctx: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .min(1),
  code: z.string().min(1),
  request_id: z.string().min(1),
});
const order = ['type', 'loc', 'msg', 'input', 'ctx'];

/** Returns how a 422 differs from FastAPI's. */
export function shapeFaults({ type, body }: Pick<Answer, 'type' | 'body'>): string[] {
  if (type !== 'application/json') return [`is sent as ${type}`];
  const parsed = Exact.safeParse(JSON.parse(body));
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return parsed.data.detail
    .filter((entry) => Object.keys(entry).join() !== order.filter((name) => name in entry).join())
    .map(() => 'members in another order');
}

const everyMember =
  '{"id":5,"email":"x","phone":"x","code":{},"events":[],"name":5,"ids":0,"number":[]}';
const bodies = ['', '{', '[]', '{}', everyMember];
const values = ['x', '%00', '-1', '00000000-0000-4000-8000-000000000000', 'nobody@example'];
const queries = [
  '',
  '?limit=x&cursor=x&site_id=&days=0&from=x&status=x&token=&identifier=x&find=x&period=x' +
    '&ip=x&email=x',
  '?limit=1&limit=x',
];
const asJson = { 'content-type': 'application/json' };

/** Returns requests that are invalid in one or more parts. */
function wrongRequests({ route, method, url }: Target): Request[] {
  const { params, querystring, body } = route.schema ?? {};
  const requests = [
    ...(params === undefined
      ? []
      : values.map((value) => ({ url: urlOf(route, value), payload: everyMember }))),
    ...(querystring === undefined
      ? []
      : queries.map((query) => ({ url: `${url}${query}`, payload: everyMember }))),
    ...(body === undefined ? [] : bodies.map((payload) => ({ url, payload }))),
  ];
  return requests.map(({ url: address, payload }) => ({
    url: address,
    headers: asJson,
    ...(method === 'GET' ? {} : { payload }),
  }));
}

/** Sends wrong requests to every route that takes input. `checked` counts routes with a 422. */
export async function checkShapeOf422(
  { routes }: Sweep,
  { askAuthorized }: Callers,
): Promise<Findings> {
  const met = new Set<string>();
  const takers = routes.filter(({ schema, method }) => hasInputSchema(schema) && method !== 'HEAD');
  const faults = await checkEach(targetsOf(takers, 'x'), async (target) =>
    checkEach(wrongRequests(target), async (request) => {
      const answer = await askAuthorized(target, request);
      if (answer.status >= 500 && answer.status !== 503)
        return [`${nameOf(target)} ${answer.status}`];
      if (answer.status !== 422) return [];
      met.add(nameOf(target));
      return shapeFaults(answer).map((fault) => `${nameOf(target)}: ${fault}`);
    }),
  );
  return { faults: [...new Set(faults)], checked: met.size };
}

/**
 * Sends every route that reads a body none. A 422 for it is a fault where the API reference does
 * not require a body, and its absence where it does.
 */
export async function checkMissingBody(
  { routes }: Sweep,
  { askAuthorized }: Callers,
  document: OpenApiDocument,
): Promise<Findings> {
  const required = new Set(
    operationsOf(document)
      .filter(({ requestBody }) => requestBody?.required === true)
      .map(({ operationId }) => operationId),
  );
  const readers = targetsOf(
    routes.filter(
      ({ schema, url }) =>
        schema?.body !== undefined && schema.hide !== true && !ownRules.test(url),
    ),
  );
  let checked = 0;
  const faults = await checkEach(readers, async (target) => {
    const { status, body } = await askAuthorized(target, { url: target.url, headers: asJson });
    // An unauthorized caller is not told what is missing.
    if ([401, 403].includes(status)) return [];
    checked += 1;
    const missesBody =
      status === 422 && Exact.parse(JSON.parse(body)).detail.some(({ loc }) => loc[0] === 'body');
    return missesBody === required.has(target.route.schema?.operationId)
      ? []
      : [`${nameOf(target)}: ${status}, ${missesBody ? '' : 'not '}refused`];
  });
  return { faults, checked };
}
