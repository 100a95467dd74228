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

/**
 * Adds parameters, such as `utm_source=poster`, to the query of a URL. What the URL has stays as it
 * is, byte for byte, because it may be signed. A parameter whose name the URL has is left out.
 */
export function withParameters(url: string, parameters: readonly string[]): string {
  if (parameters.length === 0) return url;
  const [, start = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  const own = namesIn(query ?? '');
  const added = parameters.filter((each) => !own.has(nameOf(each))).join('&');
  if (added === '') return url;
  const joint = query === undefined || query === '' || query.endsWith('&') ? '' : '&';
  return `${start}?${query ?? ''}${joint}${added}${fragment}`;
}

/** A parameter for `withParameters`, encoded as forms are. */
export const parameterOf = (name: string, value: string): string =>
  new URLSearchParams([[name, value]]).toString();
