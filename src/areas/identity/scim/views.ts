import { type ScimUser, userSchema } from './schemas.ts';
import type { ScimPerson } from './store.ts';

/** Returns a function that shows a person as SCIM does: attributes without a value are left out. */
export const createView =
  (baseUrl: string) =>
  (person: ScimPerson): ScimUser => {
    const { id, name, givenName, familyName, emails, mobile } = person;
    return {
      schemas: [userSchema],
      id,
      externalId: person.externalId ?? undefined,
      userName: person.userName,
      displayName: name ?? undefined,
      ...([name, givenName, familyName].every((part) => part === null)
        ? {}
        : {
            name: {
              formatted: name ?? undefined,
              givenName: givenName ?? undefined,
              familyName: familyName ?? undefined,
            },
          }),
      emails: emails.map(({ value, primary }) => ({
        value,
        type: primary ? 'work' : 'other',
        primary,
      })),
      phoneNumbers: mobile === null ? [] : [{ value: mobile, type: 'mobile', primary: true }],
      active: person.active,
      meta: {
        resourceType: 'User',
        created: person.createdAt.toISOString(),
        lastModified: person.modifiedAt.toISOString(),
        location: `${baseUrl}/scim/v2/Users/${id}`,
      },
    };
  };
