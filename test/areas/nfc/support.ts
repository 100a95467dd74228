import { randomBytes } from 'node:crypto';
import type { NfcAlarmView } from '../../../src/areas/nfc/alarms/schemas.ts';
import type { NfcTagView } from '../../../src/areas/nfc/schemas.ts';
import type { TapView } from '../../../src/areas/nfc/taps/schemas.ts';
import { asAdmin, type TestApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { tapQuery, type VirtualTag } from './virtual-tag.ts';

/** A list, as the API shows it. */
export interface List<Item> {
  data: Item[];
}

export const randomUid = (): string => `04${randomBytes(6).toString('hex').toUpperCase()}`;

export const hexKey = (): string => randomBytes(16).toString('hex').toUpperCase();

/** Requests to the tags of an app. `admin` sends requests of an admin. */
export function nfcClient(app: TestApp) {
  const client = new TestClient(app);
  const admin = client.as(asAdmin).at('/api/v1/nfc');
  const address = '203.0.113.7';
  const urlOf = (code: string, query: string) => `/n/${code}${query === '' ? '' : `?${query}`}`;

  async function create(body: object): Promise<NfcTagView> {
    const created = await admin.post<NfcTagView>('/tags', { name: 'Door', ...body });
    if (created.status !== 200) throw new Error(created.text);
    return created.body;
  }

  return {
    client,
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

    /** Opens the URL on the tag, as a program does. */
    tap: (code: string, query: string, headers: Record<string, string> = {}, from = address) =>
      client.get<TapView>(urlOf(code, query), { headers, from }),

    /** Opens the URL on the tag in a browser. */
    open: (code: string, query: string) => client.page(urlOf(code, query), { from: address }),

    show: async (id: string) => (await admin.get<NfcTagView>(`/tags/${id}`)).body,

    /** The alarms of a tag, by kind. */
    async alarmsOf(tagId: string): Promise<Record<string, number>> {
      const { data } = (await admin.get<List<NfcAlarmView>>(`/alarms?tag_id=${tagId}`)).body;
      return Object.fromEntries(data.map(({ kind, count }) => [kind, count]));
    },
  };
}

export type NfcClient = ReturnType<typeof nfcClient>;
