import { z } from 'zod';
import { errorType } from './errors.ts';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const listType = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const patchType = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const text = (max: number) => z.string().max(max);
const schemasWith = (urn: string) =>
  z
    .array(text(200))
    .max(20)
    .refine(
      (list) => list.some((each) => each.toLowerCase() === urn.toLowerCase()),
      `must include ${urn}`,
    )
    .optional();
/**
 * A value that may be of any form, so that one that can't be read stops no lockout in the same
 * request. The API reference shows the form that is read.
 */
const readLater = (form: object, description: string) =>
  z
    .unknown()
    .optional()
    .meta({ ...form, description });
const textForm = { type: ['string', 'null'], maxLength: 200 };
const entriesForm = {
  type: ['array', 'null'],
  items: {
    type: 'object',
    properties: {
      value: { type: ['string', 'null'] },
      type: { type: ['string', 'null'] },
      primary: { type: ['boolean', 'string', 'null'] },
    },
  },
};
const nameForm = {
  type: ['object', 'null'],
  properties: { formatted: textForm, givenName: textForm, familyName: textForm },
};

export const ScimParams = z.object({
  id: text(200)
    .describe('The `id` of the user.')
    .meta({ examples: ['01986a2b-77c4-7e19-8f03-6d4b9a1e2c58'] }),
});

export const ScimListQuery = z.object({
  filter: text(1000)
    .optional()
    .describe('A filter (RFC 7644 §3.4.2.2) with at most 20 comparisons.')
    .meta({ examples: ['userName eq "ada@example.com"'] }),
  startIndex: z.coerce
    .number()
    .int()
    .min(-2_147_483_648)
    .max(2_147_483_647)
    .default(1)
    .describe('The position of the first user. Values below 1 mean 1.'),
  count: z.coerce
    .number()
    .int()
    .min(-2_147_483_648)
    .max(2_147_483_647)
    .default(100)
    .describe('Maximum users per page; more than 200 mean 200. With 0, only the total is counted.'),
});
export type ScimListQuery = z.output<typeof ScimListQuery>;

const exampleBody = {
  schemas: [userSchema],
  userName: 'ada@example.com',
  externalId: '00u1a2b3c4',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  active: true,
};

export const ScimUserBody = z
  .looseObject({
    schemas: schemasWith(userSchema),
    userName: readLater(
      { type: 'string', minLength: 1, maxLength: 200 },
      'Required. The name of the account at the provider. Used as the address if it is one.',
    ),
    externalId: readLater(textForm, "The provider's id of the person."),
    displayName: readLater(textForm, 'The name that is shown.'),
    name: readLater(nameForm, 'The parts of the name.'),
    emails: readLater(entriesForm, 'The primary address is used; the others are ignored.'),
    phoneNumbers: readLater(
      entriesForm,
      'The mobile number is used, in E.164 or as a `tel:` URI. Others and invalid numbers are ' +
        'ignored.',
    ),
    active: readLater(
      { type: ['boolean', 'string', 'null'] },
      'False locks the person out and ends all sessions.',
    ),
  })
  .meta({
    id: 'ProvisionScimUser',
    description:
      'A user as an identity provider sends it. Attribute names are case-insensitive. Other ' +
      'attributes are ignored.',
    examples: [exampleBody],
  });
export type ScimUserBody = z.output<typeof ScimUserBody>;

/** One operation, which is read alone: one that can't be read stops no lockout in another. */
export const PatchOperation = z.looseObject({
  op: z
    .string()
    .regex(
      /^(?:[Aa][Dd][Dd]|[Rr][Ee][Pp][Ll][Aa][Cc][Ee]|[Rr][Ee][Mm][Oo][Vv][Ee])$/,
      'must be add, replace or remove',
    ),
  path: text(300).optional(),
  value: z.unknown().optional(),
});
export type PatchOperation = z.output<typeof PatchOperation>;

const operationForm = {
  type: 'object',
  properties: {
    op: { type: 'string', maxLength: 7, description: 'add, replace or remove, case-insensitive.' },
    path: { type: 'string', maxLength: 300 },
    value: {},
  },
  required: ['op'],
};

export const PatchBody = z
  .looseObject({
    schemas: schemasWith(patchType),
    Operations: z.array(z.unknown().meta(operationForm)).min(1).max(50),
  })
  .meta({
    id: 'PatchScimUser',
    examples: [
      { schemas: [patchType], Operations: [{ op: 'replace', path: 'active', value: false }] },
    ],
  });
export type PatchBody = z.output<typeof PatchBody>;

const time = z.iso.datetime();

export const ScimUser = z
  .object({
    schemas: z.array(z.string()),
    id: z.uuid(),
    externalId: z.string().optional(),
    userName: z.string(),
    displayName: z.string().optional(),
    name: z
      .object({
        formatted: z.string().optional(),
        givenName: z.string().optional(),
        familyName: z.string().optional(),
      })
      .optional(),
    emails: z.array(z.object({ value: z.string(), type: z.string(), primary: z.boolean() })),
    phoneNumbers: z.array(z.object({ value: z.string(), type: z.string(), primary: z.boolean() })),
    active: z.boolean(),
    meta: z.object({
      resourceType: z.string(),
      created: time,
      lastModified: time.describe('Time of the last change to what SCIM shows.'),
      location: z.string(),
    }),
  })
  .meta({
    id: 'ScimUser',
    description: 'A user (RFC 7643 §4.1).',
    examples: [
      {
        ...exampleBody,
        id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
        displayName: 'Ada Lovelace',
        name: { formatted: 'Ada Lovelace', ...exampleBody.name },
        phoneNumbers: [],
        meta: {
          resourceType: 'User',
          created: '2026-05-04T09:30:00.000Z',
          lastModified: '2026-05-04T09:30:00.000Z',
          location: 'https://platform.example/scim/v2/Users/01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
        },
      },
    ],
  });
export type ScimUser = z.output<typeof ScimUser>;

export const ScimUserList = z
  .object({
    schemas: z.array(z.string()).meta({ examples: [[listType]] }),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(ScimUser),
  })
  .meta({ id: 'ScimUserList', description: 'A page of users, sorted by id.' });
export type ScimUserList = z.output<typeof ScimUserList>;

/** Documents of the protocol itself, which are constant. */
export const ScimDocument = z
  .looseObject({
    schemas: z
      .array(z.string())
      .meta({ examples: [['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig']] }),
  })
  .meta({ id: 'ScimDocument', description: 'A document that describes the service.' });

export const ScimDocumentList = z
  .object({
    schemas: z.array(z.string()).meta({ examples: [[listType]] }),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(ScimDocument),
  })
  .meta({ id: 'ScimDocumentList', description: 'The list of documents.' });

export const ScimErrorBody = z
  .object({
    schemas: z.array(z.string()),
    status: z.string().describe('The HTTP status.'),
    scimType: z.string().optional(),
    detail: z.string(),
  })
  .meta({
    id: 'ScimError',
    description: 'An error (RFC 7644 §3.12).',
    examples: [{ schemas: [errorType], status: '404', detail: 'No user has this id.' }],
  });
