import { beforeAll, describe, expect } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { core, type Person, ScimClient } from './scim-client.ts';

let app: TestApp;
let scim: ScimClient;
beforeAll(async () => {
  app = await sharedApp('console');
  scim = new ScimClient(app);
});

const put = (id: string, person: object) =>
  scim.call<Person>('PUT', `/Users/${id}`, { body: { schemas: [core], ...person } });

let made = 0;
/** Somebody who has everything that a PUT could remove. */
async function makePerson(): Promise<{ before: Person; whole: object }> {
  made += 1;
  const whole = {
    userName: `full${made}@unread.example`,
    externalId: `X${made}`,
    displayName: 'Ana M. Diaz',
    name: { givenName: 'Ana', familyName: 'Diaz' },
    phoneNumbers: [{ type: 'mobile', value: `+1415555${1700 + made}` }],
  };
  return { before: await scim.create(whole), whole };
}
const withoutTime = ({ meta: _, ...person }: Person) => person;

describe('a PUT which names what nobody can read', () => {
  it.each<[string, object]>([
    ['external id', { externalId: 'x'.repeat(201) }],
    ['external id of a wrong type', { externalId: { value: 7 } }],
    ['shown name', { displayName: ['x', 'y'] }],
    ['name', { name: 7 }],
    ['part of a name', { name: { givenName: 7, familyName: 'Diaz' } }],
    ['number', { phoneNumbers: [{ type: 'mobile', value: 'ask reception' }] }],
    ['list of numbers', { phoneNumbers: 12 }],
    ['address', { emails: [{ value: 'nobody' }], userName: 'someone@else.example' }],
  ])('keeps the %s as it was when it locks the person out', async (_, broken) => {
    const { before, whole } = await makePerson();
    const answer = await put(before.id, { ...whole, ...broken, active: false });
    expect(answer.status, answer.text).toBe(200);
    const userName = 'userName' in broken ? broken.userName : before.userName;
    expect(withoutTime(answer.body)).toEqual({ ...withoutTime(before), userName, active: false });
  });

  it('keeps the number as it was when nobody is locked out', async () => {
    const { before, whole } = await makePerson();
    const phoneNumbers = [{ type: 'mobile', value: '0171 2345678' }];
    const answer = await put(before.id, { ...whole, phoneNumbers, active: true });
    expect(answer.status, answer.text).toBe(200);
    expect(withoutTime(answer.body)).toEqual(withoutTime(before));
  });

  it('removes what it leaves out, and a number when it names only one of an office', async () => {
    const { before } = await makePerson();
    const phoneNumbers = [{ type: 'work', value: '+14155551799' }];
    const { userName } = before;
    const { status, body } = await put(before.id, { userName, phoneNumbers, active: false });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('externalId');
    expect(body).not.toHaveProperty('name');
    expect(body.phoneNumbers).toEqual([]);
  });
});
