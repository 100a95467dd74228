import type { FastifyInstance } from 'fastify';
import { errorCatalogue } from '../../platform/errors/errors.ts';
import type { StatedLimit } from '../../platform/http/limits/rate-limit.ts';
import { routeTable } from '../../platform/http/scopes.ts';
import { notice } from './notice.ts';

/** Replaces the digest in a file's name, which changes with every change of the file. */
const maskDigest = (url: string): string =>
  url.replace(/^(\/assets\/[a-z-]+)\.[A-Z0-9]{8}\.(\w+)$/, '$1.{digest}.$2');

function limitText(limit: StatedLimit | undefined): string {
  if (limit === undefined) return '';
  const { max, max_with_credential: withToken, seconds } = limit;
  const more = withToken === undefined ? '' : `, ${withToken} with a token`;
  return `${max}${more} in ${seconds} s`;
}

/** Returns `docs/routes.md`: every route with its scope and limit, and every error code. */
export function routesPage(http: FastifyInstance): string {
  const rows = routeTable(http)
    .filter(({ operationId }) => operationId !== undefined)
    .map(({ method, url, operationId, scope, limit }) => {
      const cells = [method, `\`${maskDigest(url)}\``, operationId, scope, limitText(limit)];
      return `| ${cells.join(' | ')} |`;
    });
  const errors = errorCatalogue().map(
    ({ code, status, detail }) => `| \`${code}\` | ${status} | ${detail} |`,
  );
  return [
    `# Routes and errors\n\n${notice}\n\n` +
      'Every path answers with and without a slash at its end. The scope says who may call it:',
    'everybody (`public`), people (`signed-in`, `fresh`), or an API key or person with ' +
      'that scope; `approved device`: people only from one.',
    'The limit is for one client: an IPv4 address or an IPv6 /64.\n',
    '| Method | Path | Operation | Scope | Limit |\n|---|---|---|---|---|\n' +
      `${rows.join('\n')}\n`,
    '## Error codes\n\nThe member `code` of a problem document (RFC 9457). ' +
      'Texts may change, codes do not.\n\n' +
      `| Code | Status | Meaning |\n|---|---|---|\n${errors.join('\n')}\n`,
  ].join('\n');
}
