import { expect, vi } from 'vitest';
import type { OutboxMessage } from '../../../src/areas/comms/outbox.ts';
import type { TestApp } from '../../support/app.ts';

export interface Own {
  id: string;
  status: string;
  position: number | null;
  ahead: number | null;
  total: number;
  referral_code: string;
  referral_link: string;
  amount_referred: number;
  token: string;
}

/** People of a test, each from a network of their own. */
export function createPeople(app: TestApp) {
  let people = 0;
  let networks = 0;
  const nextNetwork = (): string => {
    networks += 1;
    return `10.${Math.floor(networks / 250)}.${networks % 250}.9`;
  };
  const newAddress = (): string => `person-${(people += 1)}@example.com`;
  const messagesTo = (to: string) => app.services.outbox.list(to);

  const join = (body: object, from = nextNetwork(), headers: Record<string, string> = {}) =>
    app.http.inject({
      method: 'POST',
      url: '/api/v2/waitlist',
      payload: { consent: true, ...body },
      remoteAddress: from,
      headers,
    });
  const verify = (token: string, from = nextNetwork()) =>
    app.http.inject({
      method: 'POST',
      url: '/api/v2/waitlist/verify',
      payload: { token },
      remoteAddress: from,
    });

  /** Waits until all queued jobs are done. */
  const settled = () =>
    vi.waitFor(
      async () => {
        const { handlers } = await app.services.queues.observe();
        expect(
          handlers
            .filter(({ name }) => /^(waitlist.*|signups|comms-delivery)$/.test(name))
            .filter(({ active, waiting }) => active !== 0 || waiting !== 0),
        ).toEqual([]);
      },
      { timeout: 60_000, interval: 20 },
    );

  /** Waits for the next message to an address. */
  async function nextMessage(email: string, after = 0): Promise<OutboxMessage> {
    await vi.waitFor(() => expect(messagesTo(email).length).toBeGreaterThan(after), {
      timeout: 60_000,
      interval: 20,
    });
    const [newest] = messagesTo(email);
    if (newest === undefined) throw new Error('no message');
    return newest;
  }

  const linkIn = ({ text }: OutboxMessage, path: string): string =>
    new RegExp(`https://svc\\.example/waitlist/${path}(\\S+)`).exec(text)?.[1] ?? '(missing)';
  const tokenIn = (message: OutboxMessage) => linkIn(message, 'verify\\?token=');

  /** Joins and verifies. */
  async function waiting(
    body: { email?: string; [member: string]: unknown } = {},
    from?: string,
  ): Promise<Own> {
    const email = body.email ?? newAddress();
    const network = from ?? nextNetwork();
    const answer = await join({ ...body, email }, network);
    if (answer.statusCode !== 200) throw new Error(answer.body);
    const token = tokenIn(await nextMessage(email, messagesTo(email).length));
    return (await verify(token, network)).json<Own>();
  }

  const me = async (token: string) =>
    (
      await app.http.inject({ url: '/api/v2/waitlist/me', headers: { 'waitlist-token': token } })
    ).json<Own>();
  const row = (id: string) =>
    app.stores.db
      .selectFrom('waitlist_entries')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();

  return {
    newAddress,
    messagesTo,
    join,
    verify,
    settled,
    nextMessage,
    linkIn,
    tokenIn,
    waiting,
    me,
    row,
  };
}
