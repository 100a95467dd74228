import { z } from 'zod';
import { roles } from '../../../lib/access.ts';
import { lineText } from '../../../platform/validation/text-schemas.ts';

const time = z.iso.datetime();
const name = lineText(200);
const roleList = z
  .array(z.enum(roles))
  .max(roles.length)
  .describe('Roles in the console. `admin` includes `viewer`.');
const externalId = lineText(200).describe('Your own id for the person, unique among users.');

export const UserView = z
  .object({
    id: z.uuid(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    email_verified: z
      .boolean()
      .describe('False until the person has signed in with the address that an admin entered.'),
    phone: z.string().nullable().describe('E.164.'),
    phone_verified: z.boolean(),
    roles: z.array(z.string()),
    disabled: z.boolean().describe('True when the account is suspended.'),
    external_id: z.string().nullable(),
    created_at: time,
    last_seen_at: time.nullable().describe('Accurate to the minute.'),
  })
  .meta({
    id: 'User',
    description: 'A person with an account.',
    examples: [
      {
        id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        email_verified: true,
        phone: null,
        phone_verified: false,
        roles: ['viewer'],
        disabled: false,
        external_id: null,
        created_at: '2026-05-04T09:30:00.000Z',
        last_seen_at: '2026-05-04T10:15:00.000Z',
      },
    ],
  });
export type UserView = z.output<typeof UserView>;

export const CreateUserBody = z
  .strictObject({
    email: z
      .string()
      .trim()
      .max(254)
      .optional()
      .describe('The person verifies it by signing in with a code or the identity provider.'),
    phone: z
      .string()
      .trim()
      .max(40)
      .optional()
      .describe('International number starting with a plus sign. Email or phone is required.'),
    name: name.optional(),
    roles: roleList.default([]),
    external_id: externalId.optional(),
  })
  .meta({
    id: 'CreateUser',
    examples: [{ email: 'ada@example.com', name: 'Ada Lovelace', roles: ['viewer'] }],
  });
export type CreateUserBody = z.output<typeof CreateUserBody>;

export const UpdateUserBody = z
  .strictObject({
    name: name.nullable().describe('Null removes the name.'),
    roles: roleList,
    disabled: z.boolean().describe('True suspends the account and ends all sessions.'),
    external_id: externalId.nullable(),
  })
  .partial()
  .meta({ id: 'UpdateUser', examples: [{ roles: ['viewer'], disabled: false }] });
export type UpdateUserBody = z.output<typeof UpdateUserBody>;

export const userFilters = {
  role: z.enum(roles).describe('Only users with this role.'),
  disabled: z.boolean().describe('Only suspended users, or only the others.'),
  email_verified: z.boolean().describe('Only users with or without a verified address.'),
  external_id: z
    .string()
    .max(200)
    .describe('Only the user with this external id.')
    .meta({ examples: ['00u1a2b3c4'] }),
};
