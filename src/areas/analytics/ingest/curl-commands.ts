/**
 * The User-Agent that curl sends in examples without an API key, so that their events count: those
 * of unknown programs are stored as bots and excluded from the figures.
 */
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** The header of examples for servers, whose events count as they are. */
export const keyHeader = 'authorization: Bearer $API_KEY';

export interface CurlEvent {
  event: string;
  url: string;
  site_id: string;
}

/** Returns a ready-to-run command that posts `body`, with an API key if `authorization` has one. */
export function curlEvents(url: string, body: string, authorization?: string): string {
  const sender = authorization === undefined ? `-A '${browser}'` : `-H "${authorization}"`;
  const json = "-H 'content-type: application/json'";
  return `curl -s ${url} \\\n  ${json} \\\n  ${sender} \\\n  -d '${body}'`;
}

/** Returns a ready-to-run command that sends one event. */
export const curlEvent = (baseUrl: string, event: CurlEvent, authorization?: string): string =>
  curlEvents(`${baseUrl}/analytics/track/`, JSON.stringify(event), authorization);
