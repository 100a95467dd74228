import { z } from 'zod';
import { emailAddress } from '../../../platform/validation/text-schemas.ts';
import { UserClaims } from '../claims-schemas.ts';

const code = z
  .string()
  .max(4096)
  .meta({ examples: ['SplxlOBeZQQYbYS6WxSbIA'] });
const state = z
  .string()
  .max(512)
  .meta({ examples: ['wXb3mQ8t'] });
const iss = z
  .string()
  .max(2048)
  .optional()
  .meta({ examples: ['https://id.example.com'] });

const begun = {
  authorization_url: z
    .url()
    .describe('Open this URL in the user’s browser.')
    .meta({ examples: ['https://id.example.com/authorize?client_id=platform&state=wXb3mQ8t'] }),
  state: z.string().meta({ examples: ['wXb3mQ8t'] }),
  expires_in: z
    .int()
    .describe('Seconds until the sign-in expires.')
    .meta({ examples: [600] }),
};

export const StartQuery = z.object({
  next: z
    .string()
    .optional()
    .describe('Path on this service to redirect to. Any other value is treated as `/`.')
    .meta({ examples: ['/account'] }),
});

export const StartView = z.object(begun).meta({
  id: 'IdpStart',
  description: 'The URL of the identity provider to redirect the user to.',
});

/** The parameters that a provider adds to a callback (RFC 6749 §4.1.2, RFC 9207). */
export const CallbackQuery = z.object({
  code: code.optional(),
  state: state.optional(),
  error: z
    .string()
    .max(512)
    .optional()
    .meta({ examples: ['access_denied'] }),
  iss,
});

export const CallbackView = z
  .object({
    ok: z.boolean().describe('False if a second factor is required.'),
    next: z.string().describe('A path on this service.'),
    mfa_required: z.literal(true).optional(),
    mfa_token: z.string().optional(),
    mfa_methods: z.array(z.enum(['totp', 'passkey', 'backup_code'])).optional(),
  })
  .meta({
    id: 'IdpCallback',
    description: 'The outcome of the sign-in, and the path to redirect to.',
    examples: [{ ok: true, next: '/account' }],
  });
export type CallbackView = z.output<typeof CallbackView>;

export const CMYKGoogleInitRequest = z
  .object({
    redirect_uri: z
      .string()
      .max(2048)
      .optional()
      .describe('Redirect URI of a native client. Must exactly match a configured one.'),
    platform: z.enum(['web', 'ios', 'android']).optional(),
    code_challenge: z
      .string()
      .regex(/^[\w-]{43}$/)
      .optional()
      .describe('For native clients: BASE64URL(SHA-256(code_verifier)), RFC 7636.'),
    code_challenge_method: z.literal('S256').optional(),
    login_hint: z.string().max(320).optional(),
  })
  .meta({
    id: 'CMYKGoogleInitRequest',
    examples: [
      { login_hint: 'ada@example.com' },
      {
        redirect_uri: 'com.example.app:/callback',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
        platform: 'ios',
      },
    ],
  });
export type CMYKGoogleInitRequest = z.output<typeof CMYKGoogleInitRequest>;

export const CMYKGoogleInitResponse = z.object({ ...begun, provider: z.literal('idp') }).meta({
  id: 'CMYKGoogleInitResponse',
  description: 'The URL of the identity provider to redirect the user to.',
});

export const CMYKCallbackQuery = z.object({
  code: code.min(1),
  state: state.min(1),
  iss,
  code_verifier: z
    .string()
    .regex(/^[\w.~-]{43,128}$/)
    .optional()
    .describe('For native clients: the PKCE code verifier (RFC 7636).')
    .meta({ examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'] }),
});

const email = emailAddress().transform((value) => ({ key: value.toLowerCase(), value }));

export const DevParams = z.object({ email });
export const DevQuery = z.object({
  next: z
    .string()
    .optional()
    .describe(
      'Path on this service that browsers are redirected to, with their device approved. ' +
        'Any other value is treated as `/`.',
    )
    .meta({ examples: ['/account'] }),
});
export const SetupParams = z.object({ token: z.string().max(100) });
export const EmailBody = z.object({ email });

export const DevView = z
  .object({
    ok: z.boolean().describe('False if a second factor is required.'),
    user: UserClaims.nullable(),
    mfa_required: z.literal(true).optional(),
    mfa_token: z
      .string()
      .optional()
      .meta({ examples: ['mfa_7Rk1cV9bQe2Lx0Ty'] }),
  })
  .meta({
    id: 'DevBypass',
    description: 'The signed-in user, or an MFA token if a second factor is required.',
  });
