/** A request that is sent repeatedly. */
export interface Load {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  body: string | undefined;
  headers?: Readonly<Record<string, string>>;
  connections: number;
  eventsPerRequest: number;
}

export const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 ' +
  '(KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

const event = '{"event":"pageview","url":"/pricing","site_id":"site-1"}';
const events = `{"events":[${Array.from({ length: 100 }, () => event).join(',')}]}`;

export const track: Load = {
  name: 'track',
  method: 'POST',
  path: '/analytics/track/',
  body: event,
  connections: 64,
  eventsPerRequest: 1,
};
export const pixel: Load = {
  name: 'pixel',
  method: 'GET',
  path: '/analytics/pixel.gif?site=site-1&page=/pricing',
  body: undefined,
  connections: 64,
  eventsPerRequest: 1,
};
export const batch: Load = {
  name: 'batch',
  method: 'POST',
  path: '/analytics/batch/',
  body: events,
  connections: 16,
  eventsPerRequest: 100,
};

/** Returns the bytes of the HTTP/1.1 request, for a keep-alive connection. */
export function requestBytes({ method, path, body }: Load): Buffer {
  const content =
    body === undefined
      ? []
      : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`];
  return Buffer.from(
    [
      `${method} ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      `user-agent: ${chrome}`,
      ...content,
      '',
      body ?? '',
    ].join('\r\n'),
  );
}
