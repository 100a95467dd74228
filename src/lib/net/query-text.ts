/** The name of a parameter, as servers read it. */
function nameOf(parameter: string): string {
  const [name = ''] = parameter.split('=', 1);
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

// Some servers also divide parameters by semicolons.
const namesIn = (query: string): Set<string> => new Set(query.split(/[&;]/).map(nameOf));

const isAnyIn = (names: ReadonlySet<string>, parameter: string): boolean =>
  [...namesIn(parameter)].some((name) => names.has(name));

/**
 * Adds parameters, such as `utm_source=poster`, to the query of a URL. What the URL has stays as it
 * is, byte for byte, because it may be signed. A parameter whose name the URL has is left out.
 */
export function withParameters(url: string, parameters: readonly string[]): string {
  if (parameters.length === 0) return url;
  const [, start = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  const own = namesIn(query ?? '');
  const added = parameters.filter((each) => !isAnyIn(own, each)).join('&');
  if (added === '') return url;
  const joint = query === undefined || query === '' || query.endsWith('&') ? '' : '&';
  return `${start}?${query ?? ''}${joint}${added}${fragment}`;
}

const notVisible = /[^\x21-\x7e]/g;
// Node reads each byte of a request line as a character.
const percentByte = (byte: string): string =>
  `%${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;

/** The query of a request as it was sent, without `?`; bytes that are not ASCII percent-encoded. */
export function queryOfRequest(url = ''): string {
  const [path = ''] = url.split('#', 1);
  const at = path.indexOf('?');
  return at === -1 ? '' : path.slice(at + 1).replace(notVisible, percentByte);
}

/** Maximum characters that `forwardableParameters` returns: with its target, at most 8 KB. */
const maxForwarded = 2048;

/**
 * Returns the parameters of a query that may be added to another URL, as they were sent. Reserved
 * names are left out, and what is beyond 2,048 characters.
 */
export function forwardableParameters(query: string, reserved: ReadonlySet<string>): string[] {
  if (query === '') return [];
  let left = maxForwarded;
  return query
    .split('&')
    .filter((each) => each !== '' && !isAnyIn(reserved, each))
    .filter((each) => each.length < left && (left -= each.length + 1) >= 0);
}

/** A parameter for `withParameters`, encoded as forms are. */
export const parameterOf = (name: string, value: string): string =>
  new URLSearchParams([[name, value]]).toString();
