import { expect } from 'vitest';
import { asAdmin, type TestApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';

export const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export interface Person {
  id: string;
  userName: string;
  active: boolean;
  externalId?: string;
  displayName?: string;
  name?: object;
  emails: { value: string; primary: boolean }[];
  phoneNumbers: { value: string }[];
  meta: { location: string; created: string; lastModified: string };
}

interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
  type?: string;
}

/** An identity provider, which manages the users of an app over SCIM. */
export class ScimClient {
  readonly #app: TestApp;

  constructor(app: TestApp) {
    this.#app = app;
  }

  async call<Body = object>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    { body, headers = asAdmin, type = 'application/scim+json' }: Sent = {},
  ) {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const all = body === undefined ? headers : { ...headers, 'content-type': type };
    const scim = new TestClient(this.#app).at('/scim/v2');
    const answer = await scim.send<Body>(method, path, text, { headers: all });
    if (answer.text !== '')
      expect(answer.headers['content-type']).toBe('application/scim+json; charset=utf-8');
    return answer;
  }

  async create(person: object): Promise<Person> {
    const body = { schemas: [core], ...person };
    const answer = await this.call<Person>('POST', '/Users', { body });
    expect(answer).toMatchObject({ status: 201, body: { schemas: [core] } });
    return answer.body;
  }

  patch(id: string, ...Operations: object[]) {
    const body = { schemas: [patchOp], Operations };
    return this.call<Person>('PATCH', `/Users/${id}`, { body });
  }

  /** Changes one member of a person. */
  replace(id: string, path: string, value: unknown) {
    return this.patch(id, { op: 'replace', path, value });
  }

  async get(id: string): Promise<Person> {
    return (await this.call<Person>('GET', `/Users/${id}`)).body;
  }
}

/** A refusal in the form of SCIM. */
export const scimError = (status: number, scimType?: string) => ({
  status,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: expect.any(String) as string,
  },
});
