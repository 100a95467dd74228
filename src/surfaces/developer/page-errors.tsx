import { STATUS_CODES } from 'node:http';
import { escapeHtml, type Html } from '../../lib/text/html.ts';
import type { SitePage } from '../../platform/ui/pages.tsx';
import { withNavigation, type Surroundings } from './pages.tsx';

export interface CatalogueEntry {
  code: string;
  status: number;
  detail: string;
}

/** The code of unexpected errors, which is in no table. */
const internalError: CatalogueEntry = {
  code: 'internal',
  status: 500,
  detail: 'Something went wrong on our side. It has been logged under the request id.',
};

const titles: Readonly<Partial<Record<string, string>>> = {
  request: 'Any request',
  auth: 'Sign-in and sessions',
  otp: 'One-time codes',
  idp: 'Identity provider',
  second_factor: 'Second factor',
  mfa: 'Second factor',
  blackops: 'Device security',
  api_keys: 'API keys',
  analytics: 'Analytics',
  payments: 'Payments',
  ws: 'Realtime',
  mcp: 'MCP',
  graphql: 'GraphQL',
  internal: 'Everything else',
};

const titleOf = (area: string): string =>
  titles[area] ?? `${area.slice(0, 1).toUpperCase()}${area.slice(1).replaceAll('_', ' ')}`;
const areaOf = ({ code }: CatalogueEntry): string => code.split('.')[0] ?? '';

function row({ code, status, detail }: CatalogueEntry): Html {
  const name = (
    <a href={`#${code}`}>
      <code safe>{code}</code>
    </a>
  );
  const meaning = (
    <>
      <td>
        {status} {escapeHtml(STATUS_CODES[status] ?? '')}
      </td>
      <td safe>{detail}</td>
    </>
  );
  return (
    <tr id={code}>
      <td>{name}</td>
      {meaning}
    </tr>
  );
}

const table = (area: string, entries: readonly CatalogueEntry[]): Html => (
  <>
    <h2 id={`area-${area}`}>
      <a href={`#area-${area}`} safe>
        {titleOf(area)}
      </a>
    </h2>
    <div class="table" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Status</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>{entries.map(row)}</tbody>
      </table>
    </div>
  </>
);

/** The page of all error codes, each with an anchor: `/developer/errors#otp.invalid`. */
export function errorsPage(
  catalogue: readonly CatalogueEntry[],
  surroundings: Surroundings,
): SitePage {
  const sorted = [...catalogue, internalError].toSorted((a, b) => a.code.localeCompare(b.code));
  const areas = [...new Set(['request', ...sorted.map(areaOf)])];
  const hasErrorGuide = surroundings.library.find('errors-and-limits') !== undefined;
  return withNavigation(
    {
      title: 'Error catalogue',
      path: '/developer/errors',
      description:
        `Every error code of ${surroundings.appName}, ` + 'with its HTTP status and what it means.',
      body: (
        <>
          <p class="intro">
            A request that fails is answered with a problem document (RFC 9457,{' '}
            <code>application/problem+json</code>). Its member <code>code</code> says which failure
            it was: it does not change, while the words of <code>detail</code> may. Input that does
            not match a schema is answered 422 with a list of what is wrong.
            {hasErrorGuide ? (
              <>
                <a href="/developer/guides/errors-and-limits">Errors and limits</a> has examples of
                both.
              </>
            ) : undefined}
          </p>
          <div class="text">
            {areas.map((area) =>
              table(
                area,
                sorted.filter((entry) => areaOf(entry) === area),
              ),
            )}
          </div>
        </>
      ),
    },
    surroundings,
    areas.map((area) => ({ href: `#area-${area}`, text: titleOf(area) })),
  );
}
