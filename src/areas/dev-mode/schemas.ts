import { z } from 'zod';

/** Members of every report. Outside development there are no others. */
const base = {
  enabled: z.boolean().describe('False outside development, and for requests from elsewhere.'),
  environment: z.enum(['production', 'development', 'test']),
  method: z.string().meta({ examples: ['GET'] }),
  changed: z.literal(false).describe('Always false: no method changes anything.'),
  detail: z.string(),
};

const closed = {
  enabled: false,
  environment: 'production',
  method: 'GET',
  changed: false,
  detail: 'Development conveniences are off for this request.',
};

export const DevAccessView = z
  .object({
    ...base,
    enabled: base.enabled.describe('Whether this request may use development conveniences.'),
    allowed: z
      .object({
        bypass: z.boolean().describe('Sign in without a code.'),
        outbox: z.boolean().describe('Read messages that were not sent.'),
        components: z.boolean().describe('See the components of pages.'),
      })
      .optional()
      .describe('What this request may use. Only if `enabled`.'),
  })
  .meta({
    id: 'DevAccess',
    description: 'Whether this request may use development conveniences, and why or why not.',
    examples: [closed],
  });

export const DevModeView = z
  .object({
    ...base,
    enabled: base.enabled.describe('Whether the service runs in development mode.'),
    conveniences: z
      .array(
        z.object({
          name: z.enum(['bypass', 'outbox', 'components']),
          on: z.boolean(),
          path: z.string(),
          detail: z.string().describe('What it does, or why it is off.'),
        }),
      )
      .optional()
      .describe('What the mode turns on. Only if `enabled`.'),
  })
  .meta({
    id: 'DevMode',
    description: 'Whether the service runs in development mode, and what that turns on.',
    examples: [closed],
  });

const place = z.enum(['embedded', 'external']);

export const DevStatusView = z
  .object({
    ...base,
    version: z.string().optional(),
    node: z.string().optional().describe('Version of Node.js.'),
    started_at: z.iso.datetime().optional(),
    uptime_seconds: z.int().optional(),
    stores: z
      .object({ redis: place, database: place, events: place })
      .optional()
      .describe('Whether each store is embedded or named by a setting. Only if `enabled`.'),
  })
  .meta({
    id: 'DevStatus',
    description: 'The state of the development environment.',
    examples: [closed],
  });

export type DevAccessView = z.output<typeof DevAccessView>;
export type DevModeView = z.output<typeof DevModeView>;
export type DevStatusView = z.output<typeof DevStatusView>;
