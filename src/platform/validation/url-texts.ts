import type { FastifyRequest } from 'fastify';
import { storableText } from '../../lib/text/storable-text.ts';
import type { RequestPart } from './pydantic-errors.ts';
import { unstorableTexts } from './unstorable-text.ts';
import { type ValidationDetail, valueError } from './validation-error.ts';

/** Percent-encoded NUL, and bytes that may not be UTF-8. */
const suspicious = /%(?:00|[89a-fA-F])/;

/** A percent sign that encodes nothing is left as it is. */
function isUtf8(encoded: string): boolean {
  try {
    decodeURIComponent(encoded.replaceAll(/%(?![\da-fA-F]{2})/g, '%25'));
    return true;
  } catch {
    return false;
  }
}

/** Declared parameters whose value is not UTF-8. Fastify leaves such a value as it was sent. */
function undecodable(url: string, query: object): ValidationDetail[] {
  const pairs = url.slice(url.indexOf('?') + 1).split('&');
  return pairs.flatMap((pair) => {
    const [name = '', ...value] = pair.split('=');
    return Object.hasOwn(query, name) && !isUtf8(value.join('='))
      ? [valueError(['query', name], 'is not UTF-8')]
      : [];
  });
}

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  return Array.isArray(value) ? value.map(repaired) : value;
}

const withRepairedTexts = (values: object): object =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, repaired(value)]));

/**
 * Describes the texts in the validated path or query of a request that no store can keep, or that
 * are not UTF-8. On pages they are replaced instead: a link that leads nowhere is better answered
 * with the page that says so.
 */
export function checkUrlTexts(
  request: FastifyRequest,
  part: RequestPart,
  values: unknown,
): ValidationDetail[] | undefined {
  const { url = '' } = request.raw;
  if (!suspicious.test(url) || typeof values !== 'object' || values === null) return undefined;
  if (part !== 'path' && part !== 'query') return undefined;
  const { errorPages, repairsTexts } = request.routeOptions.config;
  if (repairsTexts === true) return undefined;
  if (errorPages !== undefined) {
    Reflect.set(request, part === 'path' ? 'params' : 'query', withRepairedTexts(values));
    return undefined;
  }
  const details = [
    ...unstorableTexts(values, part),
    ...(part === 'query' ? undecodable(url, values) : []),
  ];
  return details.length > 0 ? details : undefined;
}
