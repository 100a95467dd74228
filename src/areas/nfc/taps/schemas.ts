import { z } from 'zod';

export const TapParams = z.object({
  code: z
    .string()
    .min(1)
    .max(64)
    .describe('The code of the tag.')
    .meta({ examples: ['k7tm4q2x'] }),
});

export const TapView = z
  .object({
    genuine: z.boolean().describe('False if the tag sends no secure message.'),
    code: z.string().meta({ examples: ['k7tm4q2x'] }),
    name: z.string().meta({ examples: ['Front door'] }),
    uid: z
      .string()
      .nullable()
      .meta({ examples: ['04DE5F1EACC040'] }),
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
        // The public key of RFC 8037, appendix A, and its thumbprint.
        x: z.string().meta({ examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'] }),
        kid: z.string().meta({ examples: ['kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'] }),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({ id: 'NfcJwks', description: 'A JWK Set (RFC 7517).' });
