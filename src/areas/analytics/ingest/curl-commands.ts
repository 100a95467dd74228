/**
 * The User-Agent that curl sends in the examples, so that their events count: events of programs
 * are stored as bots and excluded from the figures.
 */
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export interface CurlEvent {
  event: string;
  url: string;
  site_id: string;
}

/** Returns a ready-to-run command that posts `body`, with additional headers if given. */
export function curlEvents(url: string, body: string, headers: readonly string[] = []): string {
  const lines = ['content-type: application/json', ...headers].map(
    (header) => `  -H ${quoteForShell(header)} \\\n`,
  );
  return `curl -s ${url} \\\n${lines.join('')}  -A '${browser}' \\\n  -d '${body}'`;
}

/** Returns a ready-to-run command that sends one event. */
export const curlEvent = (baseUrl: string, event: CurlEvent, headers?: readonly string[]): string =>
  curlEvents(`${baseUrl}/analytics/track/`, JSON.stringify(event), headers);

/** Quotes a header: with double quotes if it has a variable, for the shell to expand. */
function quoteForShell(header: string): string {
  return header.includes('$') ? `"${header}"` : `'${header}'`;
}
