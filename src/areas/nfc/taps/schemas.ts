import { z } from 'zod';

export const TapParams = z.object({
  code: z.string().min(1).max(64).describe('The code of the tag.'),
});

export const TapView = z
  .object({
    genuine: z.boolean().describe('False if the tag sends no secure message.'),
    code: z.string(),
    name: z.string(),
    uid: z.string().nullable(),
    counter: z.int().nullable(),
    tamper: z
      .enum(['closed', 'open', 'opened_before', 'unset', 'none', 'unknown'])
      .nullable()
      .describe('The state of the tamper loop.'),
    tapped_at: z.iso.datetime(),
  })
  .meta({ id: 'NfcTap', description: 'A tap that counted.' });
export type TapView = z.output<typeof TapView>;

export const JwksView = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string(),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({ id: 'NfcJwks', description: 'A JWK Set (RFC 7517).' });
