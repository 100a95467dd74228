import { expect, vi } from 'vitest';
import type { QrBatchView } from '../../../src/areas/qr/batches/schemas.ts';
import type { QrCodeView } from '../../../src/areas/qr/schemas.ts';
import { asAdmin, browser, type TestApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';

export const target = 'https://example.com/spring';

/** A list of codes, as the API shows it. */
export interface Codes {
  data: QrCodeView[];
}

/** What tests of QR codes do with an app. `admin` and `codes` send requests of an admin. */
export function qrClient(app: TestApp) {
  const client = new TestClient(app);
  const admin = client.as(asAdmin).at('/api/v1');
  const codes = client.as(asAdmin).at('/api/v1/qr-codes');

  /** Opens the link in the picture, as a person with a browser. */
  const scan = (code: string, headers: Record<string, string> = {}, from = '198.51.100.7') =>
    client.page(`/q/${code}?qr=1`, { headers: { 'user-agent': browser, ...headers }, from });

  return {
    client,
    admin,
    codes,
    scan,

    async create(body: object = {}): Promise<QrCodeView> {
      const created = await codes.post<QrCodeView>('', { name: 'Spring', url: target, ...body });
      if (created.status !== 200) throw new Error(created.text);
      return created.body;
    },

    show: async (id: string): Promise<QrCodeView> => (await codes.get<QrCodeView>(`/${id}`)).body,

    /** Where a scan leads, or its status if it leads nowhere. */
    async leadsTo(...given: Parameters<typeof scan>) {
      const { status, headers } = await scan(...given);
      return status === 302 ? headers.location : status;
    },

    enterPassword: (code: string, password: string, from = '198.51.100.8') =>
      client.form(`/q/${code}?qr=1`, { password }, { headers: { 'user-agent': browser }, from }),

    uploadLogo: (bytes: Buffer) =>
      admin.post<{ id: string }>('/qr-logos', bytes, { headers: { 'content-type': 'image/png' } }),

    uploadCsv: (csv: string, query = '') =>
      admin.post<QrBatchView>(`/qr-batches${query}`, csv, {
        headers: { 'content-type': 'text/csv' },
      }),

    /** Waits until a file of codes is done. */
    finished: (id: string) =>
      vi.waitFor(
        async () => {
          const { body } = await admin.get<QrBatchView>(`/qr-batches/${id}`);
          expect(body.status).toBe('done');
          return body;
        },
        { timeout: 60_000, interval: 50 },
      ),

    /** The events of a code, oldest first, bots included. */
    async eventsOf(code: string): Promise<Record<string, unknown>[]> {
      await app.applied();
      const filter = `tag:is:${code}`;
      const { text } = await client.as(asAdmin).post('/analytics/export/events', { filter });
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
  };
}

export type QrClient = ReturnType<typeof qrClient>;
