import { z } from 'zod';

const method = z.string();

export const CmykView = z
  .object({
    service: z.literal('cmyk'),
    version: z.string(),
    method,
    endpoints: z.array(z.object({ method: z.string(), path: z.string() })),
    docs: z.string(),
  })
  .meta({
    examples: [
      {
        service: 'cmyk',
        version: '0.1.0',
        method: 'GET',
        endpoints: [{ method: 'GET', path: '/cmyk/api/' }],
        docs: '/api/docs',
      },
    ],
  });

export const DevView = z
  .object({
    enabled: z.boolean().describe('True in development mode, for requests from this machine.'),
    environment: z.enum(['production', 'development', 'test']),
    method,
    changed: z.literal(false).describe('Always false: these paths change nothing.'),
    detail: z.string(),
  })
  .meta({
    examples: [
      {
        enabled: false,
        environment: 'production',
        method: 'GET',
        changed: false,
        detail: 'Development mode is off for this request.',
      },
    ],
  });
