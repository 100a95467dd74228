import { listType, userSchema } from './schemas.ts';

const schemaType = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

interface AttributeOptions {
  type?: 'string' | 'boolean' | 'complex';
  multiValued?: boolean;
  required?: boolean;
  caseExact?: boolean;
  uniqueness?: 'none' | 'server';
  subAttributes?: readonly object[];
}

/** An attribute of a schema (RFC 7643 §7). */
function attribute(
  name: string,
  description: string,
  {
    type = 'string',
    multiValued = false,
    required = false,
    caseExact = false,
    uniqueness = 'none',
    subAttributes,
  }: AttributeOptions = {},
): object {
  return {
    name,
    type,
    multiValued,
    description,
    required,
    ...(type === 'string' ? { caseExact, uniqueness } : {}),
    mutability: 'readWrite',
    returned: 'default',
    ...(subAttributes === undefined ? {} : { subAttributes }),
  };
}

const valueParts = (kind: string) => [
  attribute('value', `The ${kind}.`),
  attribute('type', 'What it is used for.'),
  attribute('primary', 'Whether it is the one that is used.', { type: 'boolean' }),
];

const userAttributes = [
  attribute('userName', 'The name of the account at the provider.', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('displayName', 'The name that is shown.'),
  attribute('name', 'The parts of the name.', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The same as displayName.'),
      attribute('givenName', 'The given name.'),
      attribute('familyName', 'The family name.'),
    ],
  }),
  attribute('emails', 'Email addresses. Only the primary one can be set.', {
    type: 'complex',
    multiValued: true,
    subAttributes: valueParts('address'),
  }),
  attribute('phoneNumbers', 'The mobile number, in E.164.', {
    type: 'complex',
    multiValued: true,
    subAttributes: valueParts('number'),
  }),
  attribute('active', 'False for a person who is locked out.', { type: 'boolean' }),
];

const list = (resources: readonly object[]) => ({
  schemas: [listType],
  totalResults: resources.length,
  startIndex: 1,
  itemsPerPage: resources.length,
  Resources: resources.map((each) => ({ schemas: [schemaType], ...each })),
});

const unsupported = { supported: false };

/** The documents that describe what this service supports (RFC 7643 §5 to §7). */
export function createDiscovery(baseUrl: string) {
  const location = (path: string): string => `${baseUrl}/scim/v2/${path}`;
  const resourceType = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'A person with an account.',
    schema: userSchema,
    meta: { resourceType: 'ResourceType', location: location('ResourceTypes/User') },
  };
  const schema = {
    schemas: [schemaType],
    id: userSchema,
    name: 'User',
    description: 'A person with an account.',
    attributes: userAttributes,
    meta: { resourceType: 'Schema', location: location(`Schemas/${userSchema}`) },
  };

  return {
    serviceProviderConfig: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      documentationUri: `${baseUrl}/developer/guides/scim`,
      patch: { supported: true },
      bulk: { ...unsupported, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: 200 },
      changePassword: unsupported,
      sort: unsupported,
      etag: unsupported,
      authenticationSchemes: [
        {
          type: 'oauthbearertoken',
          name: 'API key',
          description: 'An API key with the scope admin, as a bearer token.',
          specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
          primary: true,
        },
      ],
      meta: { resourceType: 'ServiceProviderConfig', location: location('ServiceProviderConfig') },
    },
    resourceType,
    resourceTypes: list([resourceType]),
    schema,
    schemas: list([schema]),
  };
}

export type Discovery = ReturnType<typeof createDiscovery>;
