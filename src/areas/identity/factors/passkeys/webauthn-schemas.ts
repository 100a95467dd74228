import { z } from 'zod';

const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/);

/** A binary member of a credential: at most 12 KiB, base64url-encoded. */
const bytes = base64url(16_384);
/** At most 1023 bytes (WebAuthn §5.1). */
const credentialId = base64url(1364).meta({ examples: ['8m2Qk7Xv1TzR'] });
const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };

/** `PublicKeyCredential.toJSON()` of a new passkey (WebAuthn §5.1). */
export const AttestationCredential = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes.meta({ examples: ['eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0'] }),
      attestationObject: bytes.meta({ examples: ['o2NmbXRkbm9uZQ'] }),
      // Hints, which may be unknown (WebAuthn §5.2.1). Some platforms send null or an empty one.
      transports: z.array(z.string().max(64)).max(16).nullish(),
    }),
  })
  .meta({ id: 'RegistrationResponseJSON' });
export type AttestationCredential = z.output<typeof AttestationCredential>;

/** `PublicKeyCredential.toJSON()` of a passkey assertion (WebAuthn §5.1). */
export const AssertionCredential = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes.meta({ examples: ['eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'] }),
      authenticatorData: bytes.meta({ examples: ['SZYN5YgOjGh0NBcP'] }),
      signature: bytes.meta({ examples: ['MEUCIQDx7Vb2'] }),
      // At most 64 bytes (WebAuthn §5.4.3). Safari sends an empty one for a key that stores none.
      userHandle: z
        .string()
        .max(86)
        .regex(/^[\w-]*$/)
        .nullish(),
    }),
  })
  .meta({ id: 'AuthenticationResponseJSON' });
export type AssertionCredential = z.output<typeof AssertionCredential>;

const descriptor = z.object({
  type: z.literal('public-key'),
  id: z.string().meta({ examples: ['8m2Qk7Xv1TzR'] }),
  transports: z
    .array(z.string())
    .optional()
    .meta({ examples: [['internal']] }),
});
const userVerification = z.literal('preferred');

/** For `PublicKeyCredential.parseCreationOptionsFromJSON` (WebAuthn §5.1.8). */
export const PasskeyCreationOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({
      id: z.string().describe('Base64url. Contains no personal data.'),
      name: z.string(),
      displayName: z.string(),
    }),
    challenge: z.string().describe('Base64url. Valid once, for five minutes, in this session.'),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int().describe('Milliseconds.'),
    excludeCredentials: z.array(descriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal('preferred'),
      requireResidentKey: z.literal(false),
      userVerification,
    }),
    attestation: z.literal('none'),
    extensions: z.object({ credProps: z.literal(true) }),
  })
  .meta({
    id: 'PublicKeyCredentialCreationOptionsJSON',
    description: 'Options for `navigator.credentials.create()` (WebAuthn).',
    examples: [
      {
        rp: { id: 'platform.example', name: 'Platform Service' },
        user: { id: 'dXNlcg', name: 'ada@example.com', displayName: 'Ada Lovelace' },
        challenge: 'pO2wX6cT9sK1vB4n',
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        timeout: 300_000,
        excludeCredentials: [],
        authenticatorSelection: {
          residentKey: 'preferred',
          requireResidentKey: false,
          userVerification: 'preferred',
        },
        attestation: 'none',
        extensions: { credProps: true },
      },
    ],
  });
export type PasskeyCreationOptions = z.output<typeof PasskeyCreationOptions>;

/** For `PublicKeyCredential.parseRequestOptionsFromJSON` (WebAuthn §5.1.9). */
export const PasskeyRequestOptions = z
  .object({
    challenge: z.string().describe('Base64url. Valid once, for five minutes, for this sign-in.'),
    timeout: z.int().describe('Milliseconds.'),
    rpId: z.string(),
    allowCredentials: z.array(descriptor),
    userVerification: z.enum(['preferred', 'required']),
  })
  .meta({
    id: 'PublicKeyCredentialRequestOptionsJSON',
    description: 'Options for `navigator.credentials.get()` (WebAuthn).',
    examples: [
      {
        challenge: 'pO2wX6cT9sK1vB4n',
        timeout: 300_000,
        rpId: 'platform.example',
        allowCredentials: [{ type: 'public-key', id: '8m2Qk7Xv1TzR', transports: ['internal'] }],
        userVerification: 'preferred',
      },
    ],
  });
export type PasskeyRequestOptions = z.output<typeof PasskeyRequestOptions>;
