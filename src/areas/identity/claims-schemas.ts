import { z } from 'zod';
import { roles } from '../../lib/access.ts';
import { toUserRecord, type UserRecord } from './sessions/records.ts';
import type { User } from './users/model.ts';

/** The public fields of a user, as OpenID Connect claims. */
export const claims = {
  id: z.uuid(),
  sub: z.uuid().describe('The same as `id` (OpenID Connect).'),
  email: z.string().nullable().describe('Verified email address.'),
  email_verified: z.boolean(),
  phone_number: z.string().nullable().describe('Verified phone number (E.164).'),
  phone_number_verified: z.boolean(),
  name: z.string().nullable(),
  picture: z.string().nullable().describe('URL of a picture.'),
  roles: z.array(z.enum(roles)),
};

export const claimsExample = {
  id: '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04',
  sub: '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04',
  email: 'ada@example.com',
  email_verified: true,
  phone_number: null,
  phone_number_verified: false,
  name: 'Ada Lovelace',
  picture: null,
  roles: [],
};

/** The claims alone. */
export const UserClaims = z.object(claims).meta({ id: 'UserClaims', examples: [claimsExample] });
export type UserClaims = z.output<typeof UserClaims>;

/** OIDC claims of the user of a session. */
export const toClaims = (
  id: string,
  { email, phone, name, picture, roles: own }: UserRecord,
): UserClaims => ({
  id,
  sub: id,
  name,
  picture,
  roles: [...own],
  email,
  email_verified: email !== null,
  phone_number: phone,
  phone_number_verified: phone !== null,
});

/** OIDC claims of a user. */
export const toUserClaims = (user: User): UserClaims => toClaims(user.id, toUserRecord(user, 0));

/** Example for the API reference: a user who has signed in by email. */
export const tokenExample = {
  access_token: 'svca_2Jq8xW5nRt0ZkYb7',
  token_type: 'Bearer',
  expires_in: 900,
  refresh_token: 'svcr_9Lm3vD6pHs1QwEx4',
  refresh_expires_in: 2_592_000,
  scope: 'user',
  session_id: '8sK2mQpXw4Tn',
  device_token: 'svcd_AdGkcB7Yq0Lw',
  is_new_user: false,
  user: claimsExample,
  status: 'authenticated',
  mfa_required: false,
  mfa_token: null,
  mfa_methods: [],
  verification_id: null,
  resend_after: null,
} as const;

const tokenType = z
  .enum(['Bearer', 'DPoP'])
  .describe(
    '`DPoP`: each use of the token requires proof of possession of the device key (RFC 9449).',
  );
const mfaMethods = z.array(z.enum(['totp', 'passkey', 'backup_code']));

/** What a token response has before the sign-in is complete. */
const incomplete = {
  access_token: z.null(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().describe('Seconds.'),
  refresh_token: z.null(),
  refresh_expires_in: z.literal(0),
  scope: z.literal(''),
  session_id: z.null(),
  device_token: z.null(),
  is_new_user: z.literal(false),
  user: z.null(),
};

const Authenticated = z.object({
  access_token: z.string(),
  token_type: tokenType,
  expires_in: z.int().describe('Seconds.'),
  refresh_token: z.string(),
  refresh_expires_in: z.int(),
  scope: z.string(),
  session_id: z.string(),
  device_token: z
    .string()
    .describe(
      'Keep it, even after sign-out. Send it in the `device-token` header of one-time code ' +
        'requests, so that attempts by others cannot lock you out.',
    ),
  is_new_user: z.boolean(),
  user: UserClaims.nullable().describe('Null when tokens were refreshed.'),
  status: z.literal('authenticated'),
  mfa_required: z.literal(false),
  mfa_token: z.null(),
  mfa_methods: mfaMethods,
  verification_id: z.null(),
  resend_after: z.null(),
});

const OtpRequired = z.object({
  ...incomplete,
  status: z.literal('otp_required').describe('A code was sent.'),
  mfa_required: z.literal(false),
  mfa_token: z.null(),
  mfa_methods: mfaMethods,
  verification_id: z.string().describe('Send it with the code.'),
  resend_after: z.int().describe('Seconds until another code can be sent.'),
});

const MfaRequired = z.object({
  ...incomplete,
  status: z
    .literal('mfa_required')
    .describe(
      'A second factor is required: send `mfa_token` with a code to `otp/verify`, or use a ' +
        'passkey with `2fa/passkeys`.',
    ),
  mfa_required: z.literal(true),
  mfa_token: z.string().describe('Valid once, for ten minutes. Not an access token.'),
  mfa_methods: mfaMethods,
  verification_id: z.null(),
  resend_after: z.null(),
});

/** The token response of RFC 6749 §5.1, with our extensions. `status` says which it is. */
export const TokenResponse = z
  .discriminatedUnion('status', [Authenticated, OtpRequired, MfaRequired])
  .meta({
    id: 'TokenResponse',
    description:
      'An access token and a refresh token, or what the sign-in still needs: see `status`.',
    examples: [tokenExample],
  });
export type TokenResponse = z.output<typeof TokenResponse>;
/** A sign-in that waits for the code that was sent. */
export type OtpRequired = z.output<typeof OtpRequired>;
