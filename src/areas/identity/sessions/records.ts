import { z } from 'zod';
import { roles } from '../../../lib/access.ts';
import type { User } from '../users/model.ts';

const sessionDevice = z.object({
  id: z.string(),
  /** Copied when the device last changed. The database decides what it may do. */
  state: z.string(),
  /** RFC 9449 `cnf.jkt`: the key that each request has to prove. Bearer sessions only. */
  jkt: z.string().nullable(),
  /** When the device last proved its key in this session, and an HMAC of the client. */
  proved_at: z.number(),
  proved_from: z.string(),
  /** When the device's passkey was last used. */
  passkey_at: z.number(),
});
export type SessionDevice = z.output<typeof sessionDevice>;

/** A session as stored in Redis. All times are Unix ms. */
export const sessionRecord = z.object({
  id: z.string(),
  via: z.enum(['cookie', 'bearer']),
  /** Cookie: SHA-256 of its secret. Bearer: the salt from which token secrets are derived. */
  secret: z.string(),
  created_at: z.number(),
  /** Absolute expiry, regardless of use. */
  expires_at: z.number(),
  idle_ms: z.number(),
  used_at: z.number(),
  auth_time: z.number(),
  amr: z.array(z.string()),
  acr: z.enum(['aal1', 'aal2']),
  /**
   * Bearer: how many times the tokens were rotated, and when the current and previous ones were
   * issued.
   */
  generation: z.number(),
  issued_at: z.number(),
  previous_issued_at: z.number(),
  /** Browser and system, shown in the list of sessions. */
  client: z.string(),
  /** The device that holds the session, once known. */
  device: sessionDevice.optional(),
});
export type SessionRecord = z.output<typeof sessionRecord>;

/** A session without the secret that its tokens are checked against. */
export const publicSessionRecord = sessionRecord.omit({ secret: true });

/** The part of a user that session checks need. */
export const userRecord = z.object({
  /** When this was read from the database, Unix ms. */
  at: z.number(),
  disabled: z.boolean(),
  roles: z.array(z.enum(roles)),
  name: z.string().nullable(),
  picture: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
});
export type UserRecord = z.output<typeof userRecord>;

/** The part of a user that sessions cache; `at` is when it was read (Unix ms). */
export function toUserRecord(user: User, at: number): UserRecord {
  const { identities } = user;
  return {
    at,
    disabled: user.disabledAt !== null,
    roles: [...user.roles],
    name: user.name,
    picture: user.picture,
    email: identities.find(({ kind }) => kind === 'email')?.value ?? null,
    phone: identities.find(({ kind }) => kind === 'phone')?.key ?? null,
  };
}
