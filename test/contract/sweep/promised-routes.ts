import { routeTable } from '../../../src/platform/http/scopes.ts';
import type { Method, PromisedRoute } from '../route-list.ts';
import { checkEach, type Findings, type Sweep } from './sweep.ts';

const bothForms = (path: string): string[] => [path, path.endsWith('/') ? path : `${path}/`];

/** Returns true when a route takes the request, even if it demands a credential or a valid body. */
async function isAnswered({ ask }: Sweep, method: Method, url: string): Promise<boolean> {
  const { status } = await ask({ method, url });
  return status !== 404 && status !== 405;
}

/** Asks for promised routes, with and without a slash: either all are answered, or none. */
export async function checkAnswered(
  sweep: Sweep,
  promised: readonly PromisedRoute[],
  expected: boolean,
): Promise<Findings> {
  const faults = await checkEach(promised, async ([method, path]) =>
    checkEach(bothForms(path), async (url) =>
      (await isAnswered(sweep, method, url)) === expected
        ? []
        : [`${method} ${url} is ${expected ? 'not ' : ''}answered`],
    ),
  );
  return { faults, checked: promised.length };
}

/** Asks for promised GET routes, with and without a slash. A redirect to the other is a fault. */
export async function checkNoRedirects(
  { ask }: Sweep,
  promised: readonly PromisedRoute[],
): Promise<Findings> {
  const gets = promised.filter(([method]) => method === 'GET');
  const faults = await checkEach(gets, async ([, path]) =>
    checkEach(bothForms(path), async (url) => {
      const { status } = await ask({ url });
      return [301, 302, 307, 308].includes(status) ? [`GET ${url}: ${status}`] : [];
    }),
  );
  return { faults, checked: gets.length };
}

/** Reads the route table. `checked` counts the routes of the API reference. */
export function checkRouteTable({ app }: Sweep): Findings {
  const routes = routeTable(app.http).filter(({ operationId }) => operationId !== undefined);
  const ids = routes.map(({ operationId }) => operationId);
  const faults = routes.flatMap(({ operationId = '', scope, tags, method, url }, at) =>
    [
      ids.indexOf(operationId) === at ? '' : 'its operation id stands twice',
      /^[a-z][A-Za-z]*(\.[a-z_A-Z]+)+$/.test(operationId) ? '' : `its id is ${operationId}`,
      scope === '' ? 'no scope' : '',
      tags.length === 0 ? 'no tag' : '',
    ]
      .filter((fault) => fault !== '')
      .map((fault) => `${method} ${url}: ${fault}`),
  );
  return { faults, checked: routes.length };
}
