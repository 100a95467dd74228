import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { freshApp, type TestApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';

export const secret = 'whsec_Yk3pV9tQmZ7rL2xN8cHd4sWb6fJg1aTe';
export const olderSecret = 'whsec_A1sD2fG3hJ4kL5qW6eR7tY8uI9oP0zXc';
export const path = '/api/auth/webhooks/payments';
export const start = Date.UTC(2026, 2, 4, 12);

/** A fake payment provider, and the service with a clock that only the test advances. */
export async function openProvider(
  env: Record<string, string> = {},
  { isEmbedded = false }: { isEmbedded?: boolean } = {},
) {
  let now = start;
  const app = await freshApp({
    clock: { now: () => now },
    isEmbedded,
    env: { PAYMENTS_WEBHOOK_SECRET: secret, ...env },
  });
  return {
    app,
    now: () => now,
    seconds: () => Math.floor(now / 1000),
    advance: (ms: number) => {
      now += ms;
    },
  };
}

export type Provider = Awaited<ReturnType<typeof openProvider>>;

export const digestOf = (body: string | Buffer, t: number | string, key = secret): string =>
  createHmac('sha256', key).update(`${t}.`).update(body).digest('hex');
export const signatureOf = (body: string | Buffer, t: number | string, key = secret): string =>
  `t=${t},v1=${digestOf(body, t, key)}`;

/** Sends a body, by default as JSON. */
export const send = (
  app: TestApp,
  body: string | Buffer,
  headers: Record<string, string> = {},
  url = path,
) =>
  new TestClient(app).post(url, body, {
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });

/** Sends a body with a valid signature. */
export const sendSigned = (
  { app, seconds }: Provider,
  body: string | Buffer,
  headers: Record<string, string> = {},
  url = path,
) => send(app, body, { 'stripe-signature': signatureOf(body, seconds()), ...headers }, url);

export interface EventFields {
  id: string;
  type?: string;
  /** Unix seconds. */
  created?: number;
  object?: Record<string, unknown>;
}

export const eventBody = ({
  id,
  type = 'customer.subscription.created',
  created = start / 1000,
  object = {},
}: EventFields): string =>
  JSON.stringify(
    {
      id,
      object: 'event',
      api_version: '2025-03-31.basil',
      created,
      livemode: false,
      type,
      data: { object },
    },
    null,
    2,
  );

export const subscription = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: 'sub_1',
  object: 'subscription',
  status: 'active',
  customer: 'cus_1',
  metadata: {},
  items: {
    data: [
      {
        price: { id: 'price_1', lookup_key: 'pro_monthly', nickname: 'Pro' },
        current_period_end: start / 1000 + 2_592_000,
      },
    ],
  },
  ...fields,
});

export const findEvent = (app: TestApp, id: string) =>
  app.stores.db.selectFrom('payment_events').selectAll().where('id', '=', id).executeTakeFirst();

/** Stores an event that was received, but not handled. */
export const storePending = (
  { stores }: TestApp,
  { id, payload, receivedAt }: { id: string; payload: string; receivedAt: number },
) =>
  stores.db
    .insertInto('payment_events')
    .values({
      id,
      type: 'customer.subscription.created',
      created: new Date(start),
      received_at: new Date(receivedAt),
      payload,
      status: 'pending',
      error_code: null,
      processed_at: null,
    })
    .execute();

export async function rowCount(app: TestApp): Promise<number> {
  return (await app.stores.db.selectFrom('payment_events').select('id').execute()).length;
}

export async function waitForStatus(app: TestApp, id: string, status: string): Promise<void> {
  await expect
    .poll(async () => (await findEvent(app, id))?.status, { timeout: 15_000, interval: 20 })
    .toBe(status);
}

/** Sends an event and waits until it is settled. */
export async function sendAndSettle(
  provider: Provider,
  fields: EventFields,
  status = 'done',
): Promise<void> {
  expect((await sendSigned(provider, eventBody(fields))).status).toBe(200);
  await waitForStatus(provider.app, fields.id, status);
}

/** Adds a user with a verified address. Returns the id. */
export async function addUser(app: TestApp, email: string): Promise<string> {
  const { user } = await app.services.users.signInAs({ kind: 'email', key: email, value: email });
  return user.id;
}

/** How many times the log reports that an event was handled. */
export const handlings = (app: TestApp, id: string): number =>
  app
    .log()
    .split('\n')
    .filter((line) => line.includes('payment event handled') && line.includes(`"${id}"`)).length;
