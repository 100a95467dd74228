import type { z } from 'zod';
import type { OutboxMessage } from '../../../src/areas/comms/outbox.ts';
import type { VerifiedView } from '../../../src/areas/waitlist/schemas.ts';
import type { TestApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';

export const origin = 'https://svc.example';

/** An entry, as its person sees it once. */
export type Own = z.output<typeof VerifiedView>;

/** Returns what follows a page of the waitlist in the link of a message. */
export const linkIn = ({ text }: OutboxMessage, path: string): string =>
  new RegExp(`${origin}/waitlist/${path}(\\S+)`).exec(text)?.[1] ?? '(missing)';

/** Returns the token to verify an address. */
export const tokenIn = (message: OutboxMessage): string => linkIn(message, 'verify\\?token=');

/** People of a test, each from a network of their own. */
export class People extends TestClient {
  readonly #db: TestApp['stores']['db'];
  readonly #waitlist: TestClient;
  #people = 0;
  #networks = 0;

  constructor(app: TestApp) {
    super(app);
    this.#db = app.stores.db;
    this.#waitlist = this.at('/api/v2/waitlist');
  }

  newAddress(): string {
    this.#people += 1;
    return `person-${this.#people}@example.com`;
  }

  #nextNetwork(): string {
    this.#networks += 1;
    return `10.${Math.floor(this.#networks / 250)}.${this.#networks % 250}.9`;
  }

  join(body: object, from = this.#nextNetwork(), headers: Record<string, string> = {}) {
    return this.#waitlist.post('', { consent: true, ...body }, { from, headers });
  }

  verify(token: string, from = this.#nextNetwork()) {
    return this.#waitlist.post<Own>('/verify', { token }, { from });
  }

  /** Joins. Returns the message with the link. */
  async asked(email: string, body: object = {}): Promise<OutboxMessage> {
    const after = this.outbox(email).length;
    await this.join({ ...body, email });
    return this.mailTo(email, { after });
  }

  /** Joins and verifies. */
  async waiting(
    { email = this.newAddress(), ...body }: { email?: string; [member: string]: unknown } = {},
    network = this.#nextNetwork(),
  ): Promise<Own> {
    const after = this.outbox(email).length;
    const joined = await this.join({ ...body, email }, network);
    if (joined.status !== 200) throw new Error(joined.text);
    const message = await this.mailTo(email, { after });
    return (await this.verify(tokenIn(message), network)).body;
  }

  /** Three people, one after another. */
  async threeWaiting(): Promise<[Own, Own, Own]> {
    return [await this.waiting(), await this.waiting(), await this.waiting()];
  }

  async me(token: string): Promise<Own> {
    return (await this.#waitlist.get<Own>('/me', { headers: { 'waitlist-token': token } })).body;
  }

  row(id: string) {
    return this.#db
      .selectFrom('waitlist_entries')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
  }
}
