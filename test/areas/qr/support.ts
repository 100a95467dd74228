import type { InjectOptions } from 'fastify';
import { asAdmin, browser, type TestApp } from '../../support/app.ts';

/** A code as the API shows it. */
export interface Code {
  id: string;
  code: string;
  name: string;
  short_url: string | null;
  text: string;
  type: string;
  url: string | null;
  status: string;
  scans: number | null;
  scans_used: number;
  last_scanned_at: string | null;
  has_password: boolean;
}

export const codesPath = '/api/v1/qr-codes';
export const target = 'https://example.com/spring';

/** The members of answers, each of which some answers have. */
export interface Body extends Code {
  data: (Code & { style: { shape: string }; rules: unknown[]; replaced_at: string })[];
  detail: { loc: unknown[] }[];
  total: number;
  done: number;
  failed: number;
  errors: { line: number; code: string }[];
  width: number;
  people: number;
  bots: number;
  filter: string;
  series: { scans: number }[];
  countries: { value: string | null }[];
  operating_systems: { value: string | null }[];
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What tests of QR codes do with an app. */
export function createQrTests(app: () => TestApp) {
  const request = async (options: InjectOptions) => {
    const answer = await app().http.inject(options);
    const { statusCode, headers, body, rawPayload } = answer;
    return { statusCode, headers, body, rawPayload, json: () => answer.json<Body>() };
  };
  const call = (
    method: Method,
    url: string,
    payload?: object,
    headers: object = asAdmin,
    path = codesPath,
  ) =>
    request({
      method,
      url: `${path}${url}`,
      headers: { ...headers },
      ...(payload === undefined ? {} : { payload }),
    });

  return {
    request,
    call,

    create: async (body: object = {}): Promise<Code> => {
      const answer = await call('POST', '', { name: 'Spring', url: target, ...body });
      if (answer.statusCode !== 200) throw new Error(answer.body);
      return answer.json();
    },

    get: async (id: string): Promise<Code> => (await call('GET', `/${id}`)).json(),

    /** Opens the link in the picture, as a person with a browser. */
    scan: (code: string, headers: Record<string, string> = {}, remoteAddress = '198.51.100.7') =>
      request({
        url: `/q/${code}?qr=1`,
        headers: { 'user-agent': browser, accept: 'text/html', ...headers },
        remoteAddress,
      }),

    /** The events of a code, oldest first, bots included. */
    eventsOf: async (code: string): Promise<Record<string, unknown>[]> => {
      await app().applied();
      const { body } = await app().http.inject({
        method: 'POST',
        url: '/analytics/export/events',
        headers: asAdmin,
        payload: { filter: `tag:is:${code}` },
      });
      return body
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
  };
}
