import { z } from 'zod';
import type { Identifier } from '../../lib/identifiers.ts';

/** An address or number as jobs and Redis keep it, in JSON. */
export const IdentifierSchema = z
  .object({
    kind: z.enum(['email', 'phone']),
    channel: z.enum(['sms', 'email']),
    key: z.string(),
    value: z.string(),
    country: z.string().optional(),
    isRefused: z.boolean(),
  })
  .transform(({ country, ...identifier }): Identifier => ({ ...identifier, country }));
