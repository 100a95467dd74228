import type { Database } from '../../../platform/database/database.ts';
import type { Person } from '../../../platform/database/personal-data.ts';
import type { AccountResources } from './context.ts';
import { recipientOf, type Recipient } from './notices.ts';

interface FoundPerson {
  person: Person;
  recipient: Recipient | undefined;
}

/** Creates the function that finds everything that names a user, also within a transaction. */
export function createFindPerson({ otp, messages }: AccountResources) {
  return async (db: Database, userId: string): Promise<FoundPerson> => {
    const identities = await db
      .selectFrom('identities')
      .select(['kind', 'key', 'value'])
      .where('user_id', '=', userId)
      .where('verified_at', 'is not', null)
      .orderBy('id')
      .execute();
    const contacts = identities.flatMap(({ kind, key, value }) =>
      kind === 'idp' ? [] : [{ kind, key, value }],
    );
    const keysOf = (wanted: 'email' | 'phone') =>
      contacts.filter(({ kind }) => kind === wanted).map(({ key }) => key);
    const recipients = new Set(contacts.flatMap(({ key, value }) => [key, value]));
    return {
      recipient: recipientOf(contacts),
      person: {
        userId,
        emails: keysOf('email'),
        phones: keysOf('phone'),
        identifierHashes: contacts.map(otp.hashOf),
        recipientHashes: [...recipients].map(messages.recipientHash),
      },
    };
  };
}

export type FindPerson = ReturnType<typeof createFindPerson>;
