import { z } from 'zod';

const AreaView = z.object({
  name: z
    .string()
    .describe('The tag in the API reference.')
    .meta({ examples: ['geoip'] }),
  summary: z.string().meta({ examples: ['Look up IP addresses.'] }),
  entry: z
    .object({
      method: z.string().meta({ examples: ['GET'] }),
      path: z.string().meta({ examples: ['/api/v1/geoip'] }),
    })
    .describe('The first operation to try.'),
  operations: z.int().describe('Number of operations.'),
  docs: z.url().describe('Reference of the area.'),
});

export const ApiIndexView = z
  .object({
    service: z.string().meta({ examples: ['Platform Service'] }),
    version: z.string().meta({ examples: ['0.1.0'] }),
    prefix: z.string().meta({ examples: ['/api/v1/'] }),
    areas: z.array(AreaView),
    docs: z.object({
      reference: z.url(),
      guides: z.url(),
      openapi: z.url(),
      errors: z.url(),
    }),
  })
  .meta({ id: 'ApiIndex', description: 'The areas of the API, and where they are documented.' });
export type ApiIndexView = z.output<typeof ApiIndexView>;

export const CmykView = z
  .object({
    service: z.literal('cmyk'),
    version: z.string().meta({ examples: ['0.1.0'] }),
    method: z.string().meta({ examples: ['GET'] }),
    endpoints: z.array(
      z.object({
        method: z.string().meta({ examples: ['POST'] }),
        path: z.string().meta({ examples: ['/api/auth/cmyk/phone'] }),
        summary: z.string().meta({ examples: ['Send a code by SMS'] }),
      }),
    ),
    docs: z.string().meta({ examples: ['/cmyk/docs/'] }),
  })
  .meta({ id: 'CmykIndex', description: 'The endpoints of cmyk, the sign-in for mobile apps.' });
export type CmykView = z.output<typeof CmykView>;
