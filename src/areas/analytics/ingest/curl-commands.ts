/**
 * What curl says it is, so that its events are counted: programs are stored as bots and left out of
 * the figures.
 */
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export interface CurlEvent {
  event: string;
  url: string;
  site_id: string;
}

/** A call that sends events as it stands, with more headers where there are some. */
export function curlEvents(url: string, body: string, headers: readonly string[] = []): string {
  const lines = ['content-type: application/json', ...headers].map(
    (header) => `  -H ${shellQuoted(header)} \\\n`,
  );
  return `curl -s ${url} \\\n${lines.join('')}  -A '${browser}' \\\n  -d '${body}'`;
}

/** A call that sends one event as it stands. */
export const curlEvent = (baseUrl: string, event: CurlEvent, headers?: readonly string[]): string =>
  curlEvents(`${baseUrl}/analytics/track/`, JSON.stringify(event), headers);

/** A header with a variable stands in double quotes, for the shell to fill in. */
function shellQuoted(header: string): string {
  return header.includes('$') ? `"${header}"` : `'${header}'`;
}
