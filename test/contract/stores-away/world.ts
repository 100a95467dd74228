import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { asAdmin, type TestApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { contactClient } from '../../areas/contact/support.ts';
import { linkIn, People, tokenIn } from '../../areas/waitlist/people.ts';
import { nfcClient } from '../../areas/nfc/support.ts';
import { qrClient } from '../../areas/qr/support.ts';

export const newEmail = (): string => `${randomUUID()}@example.com`;
export const newName = (): string => randomBytes(8).toString('hex');

/** An address of a network of its own, so that no rate limit is shared. */
export const newAddress = (): string => {
  const [a, b] = randomBytes(2);
  return `198.${18 + randomInt(2)}.${a ?? 0}.${b ?? 0}`;
};

/** Signs somebody in, without a code. Returns the headers of their requests. */
async function signIn(app: TestApp) {
  const email = newEmail();
  const identity = { kind: 'email', key: email, value: email } as const;
  const { user } = await app.services.users.signInAs(identity);
  const proof = { amr: ['otp'], acr: 'aal1' as const, begun: Date.now(), client: 'A test' };
  const { accessToken, sessionId } = await app.services.sessions.openBearer(user, proof);
  return {
    email,
    sessionId,
    userId: user.id,
    headers: { authorization: `Bearer ${accessToken}` },
  };
}

/** Makes records by the API, for one request each: a request may delete its record. */
export function createWorld(app: TestApp) {
  const admin = new TestClient(app).as(asAdmin);
  const people = new People(app);

  async function make(url: string, body: object | string, headers: Record<string, string> = {}) {
    const made = await admin.post(url, body, { headers });
    if (made.status >= 300) throw new Error(`${url}: ${made.text}`);
    return String(made.body.id);
  }

  async function pendingEntry() {
    const email = newEmail();
    const message = await people.asked(email);
    return {
      verifyToken: tokenIn(message),
      leaveToken: linkIn(message, 'leave\\?token='),
    };
  }

  return {
    app,
    admin,
    pendingEntry,
    qr: qrClient(app),
    nfc: nfcClient(app),
    solution: () => contactClient(app).solution(),
    signIn: () => signIn(app),
    ownEntry: () => people.waiting({ email: newEmail() }),
    entry: () =>
      make('/api/v2/waitlist/entries', { email: newEmail(), verified_because: 'A customer' }),
    message: () =>
      make('/api/v1/contact', { name: 'Ada', email: newEmail(), message: 'Hello' }, asAdmin),
    savedReply: () => make('/api/v1/contact/saved-replies', { name: newName(), text: 'Hello' }),
    user: () => make('/api/v1/users', { email: newEmail(), name: 'Ada' }),
    scimUser: () => make('/scim/v2/Users', scimBody()),
    tag: () => make('/api/v1/nfc/tags', { name: 'Door', chip: 'ntag424', mode: 'sun' }),

    async invitation() {
      const email = newEmail();
      const id = await make('/api/v1/invitations', { email });
      const { text } = await admin.mailTo(email);
      return { id, token: /\/invitation\?token=([\w-]+)/.exec(text)?.[1] ?? '(missing)' };
    },

    /** The signed time in the form of the contact page. */
    async formTime(): Promise<string> {
      const { text } = await admin.page('/contact', { from: newAddress() });
      return /name="form" value="([^"]+)"/.exec(text)?.[1] ?? '(missing)';
    },

    /** A tag whose code was refused, and the id of its alarm. */
    async alarm(): Promise<string> {
      const tag = await this.nfc.createSun();
      await this.nfc.tap(tag.code, `picc_data=${'0'.repeat(32)}&cmac=${'0'.repeat(16)}`);
      const { body } = await admin.get<{ data: { id: string }[] }>(
        `/api/v1/nfc/alarms?tag_id=${tag.id}`,
      );
      return body.data[0]?.id ?? '(missing)';
    },

    async png(): Promise<Buffer> {
      const { bytes } = await admin.get('/api/v1/qr?text=logo&format=png&size=200', {
        from: newAddress(),
      });
      return bytes;
    },

    async logo(): Promise<string> {
      const made = await admin.post('/api/v1/qr-logos', await this.png(), {
        headers: { 'content-type': 'image/png' },
        from: newAddress(),
      });
      return String(made.body.id);
    },

    /** A file of codes, all of which exist. */
    async batch(): Promise<string> {
      const id = await make('/api/v1/qr-batches', 'name,url\nTable,https://example.com/1\n', {
        'content-type': 'text/csv',
      });
      await app.settled();
      return id;
    },
  };
}

export type World = ReturnType<typeof createWorld>;

/** A new user for SCIM. */
export const scimBody = (userName = newEmail()) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName,
  emails: [{ value: userName, primary: true }],
});
