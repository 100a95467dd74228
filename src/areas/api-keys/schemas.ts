import { z } from 'zod';
import { hasFourDigitYear } from '../../lib/timestamps.ts';
import { apiKeyScopes } from '../../lib/access.ts';
import { instant } from '../../platform/validation/instants.ts';
import { NextCursor } from '../../platform/validation/paging-schemas.ts';
import { trimmedLine } from '../../platform/validation/text-schemas.ts';

const time = z.iso.datetime();

export const ApiKeyParams = z.object({
  id: z.uuid().describe('The id of the key, not its secret.'),
});

export const ApiKeyListQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum keys per page.'),
  cursor: z.uuid().optional().describe('The `next_cursor` from the previous page.'),
});

export const CreateApiKeyBody = z
  .strictObject({
    name: trimmedLine(100).min(1).describe('Name of the key, for example its purpose.'),
    scopes: z
      .array(z.enum(apiKeyScopes))
      .min(1)
      .max(apiKeyScopes.length)
      .describe('What the key may do. `admin` includes all other scopes.'),
    expires_at: instant()
      .refine((text) => hasFourDigitYear(Date.parse(text)), 'must be in the years 1 to 9999, UTC')
      .nullish()
      .describe('When the key expires. Default: never.'),
  })
  .meta({
    examples: [
      { name: 'Nightly import', scopes: ['analytics:write'], expires_at: '2031-01-01T00:00:00Z' },
    ],
  });
export type CreateApiKeyBody = z.output<typeof CreateApiKeyBody>;

const fields = {
  id: z.uuid(),
  name: z.string(),
  hint: z.string().describe('Beginning of the key, to identify it.'),
  scopes: z.array(z.enum(apiKeyScopes)),
  created_at: time,
  last_used_at: time.nullable().describe('Accurate to the minute.'),
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
};

export const ApiKeyView = z.object(fields).meta({
  id: 'ApiKey',
  description: 'The API key, without its secret.',
  examples: [
    {
      id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
      name: 'Nightly import',
      hint: 'svc_5Yt8',
      scopes: ['analytics:write'],
      created_at: '2026-05-04T09:30:00.000Z',
      last_used_at: '2026-05-04T10:15:00.000Z',
      expires_at: null,
      revoked_at: null,
    },
  ],
});
export type ApiKeyView = z.output<typeof ApiKeyView>;

export const CreatedApiKeyView = z
  .object({
    ...fields,
    key: z.string().describe('The secret key. Shown only once; not stored.'),
  })
  .meta({
    id: 'CreatedApiKey',
    description: 'The API key with its secret, which is shown only once.',
    examples: [
      {
        id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
        name: 'Nightly import',
        hint: 'svc_5Yt8',
        scopes: ['analytics:write'],
        created_at: '2026-05-04T09:30:00.000Z',
        last_used_at: null,
        expires_at: null,
        revoked_at: null,
        key: 'svc_5Yt8Wq2NcR7xKd3Lm9Pz',
      },
    ],
  });
export type CreatedApiKeyView = z.output<typeof CreatedApiKeyView>;

export const ApiKeyPage = z
  .object({
    data: z.array(ApiKeyView).describe('Newest first.'),
    next_cursor: NextCursor,
    total: z.int(),
  })
  .meta({ id: 'ApiKeyList', description: 'A page of API keys, without their secrets.' });
export type ApiKeyPage = z.output<typeof ApiKeyPage>;
