import type { InjectOptions } from 'fastify';
import { randomBytes } from 'node:crypto';
import { asAdmin, type TestApp } from '../../support/app.ts';
import { tapQuery, type VirtualTag } from './virtual-tag.ts';

export const asBrowser = { accept: 'text/html,application/xhtml+xml' };

/** The members of answers, each of which some answers have. */
interface Body {
  id: string;
  code: string;
  url: string;
  uid: string | null;
  taps: number;
  last_counter: number | null;
  key_version: number | null;
  active: boolean;
  detail: string | { loc: string[]; msg: string; input: unknown }[];
  data: Body[];
  kind: string;
  count: number;
  tag_id: string | null;
  resolved: boolean;
  version: number;
  tags: number;
  succeeded: number;
  keys: { application: string; file: string; meta: string; version: number } | null;
  genuine: boolean;
  tamper: string | null;
  counter: number | null;
  memory: string;
  records: unknown;
  file_settings: { change_file_settings: string } | null;
  mirror_settings: object | null;
  name: string;
}

export const randomUid = (): string => `04${randomBytes(6).toString('hex').toUpperCase()}`;

export const hexKey = (): string => randomBytes(16).toString('hex').toUpperCase();

/** Requests to the tags of an app. */
export function nfcClient(app: TestApp) {
  async function request(options: InjectOptions) {
    const answer = await app.http.inject(options);
    const { statusCode, headers, body, rawPayload } = answer;
    return { statusCode, headers, body, rawPayload, json: () => answer.json<Body>() };
  }

  const admin = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
    request({
      method,
      url: `/api/v1/nfc${path}`,
      headers: asAdmin,
      ...(payload === undefined ? {} : { payload }),
    });

  async function create(body: object): Promise<Body> {
    const answer = await admin('POST', '/tags', { name: 'Door', ...body });
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return answer.json();
  }

  return {
    request,
    admin,
    create,

    /** A tag with given keys, and a chip that has them. */
    async createSun(body: object = {}, chip: Partial<VirtualTag> = {}) {
      const [meta, file] = [hexKey(), hexKey()];
      const tag = await create({
        chip: 'ntag424',
        mode: 'sun',
        action: 'json',
        key_source: 'given',
        meta_key: meta,
        file_key: file,
        ...body,
      });
      const virtual: VirtualTag = {
        uid: randomUid(),
        metaKey: Buffer.from(meta, 'hex'),
        fileKey: Buffer.from(file, 'hex'),
        ...chip,
      };
      return { ...tag, chip: virtual, at: (counter: number) => tapQuery(virtual, counter) };
    },

    tap: (
      code: string,
      query: string,
      { address = '203.0.113.7', method = 'GET', ...headers }: Record<string, string> = {},
    ) =>
      request({
        method: method === 'HEAD' ? 'HEAD' : 'GET',
        url: `/n/${code}${query === '' ? '' : `?${query}`}`,
        headers,
        remoteAddress: address,
      }),

    show: async (id: string): Promise<Body> => (await admin('GET', `/tags/${id}`)).json(),

    /** The alarms of a tag, by kind. */
    async alarmsOf(tagId: string): Promise<Record<string, number>> {
      const { data } = (await admin('GET', `/alarms?tag_id=${tagId}`)).json();
      return Object.fromEntries(data.map(({ kind, count }) => [kind, count]));
    },
  };
}

export type NfcClient = ReturnType<typeof nfcClient>;
