import type { Generated } from 'kysely';

/** Authenticator apps (RFC 6238): one for a person. */
export interface TotpFactorsTable {
  id: string;
  user_id: string;
  /** Sealed: the store alone can't make codes. */
  sealed_secret: string;
  /** The newest time step a code was taken of: each counts once. */
  last_step: Generated<number>;
  created_at: Date;
  /** Null until the first right code. */
  verified_at: Date | null;
  last_used_at: Date | null;
}

/** Single-use codes for who has lost the phone. Only their hashes. */
export interface BackupCodesTable {
  id: string;
  user_id: string;
  salt: string;
  hash: string;
  created_at: Date;
  used_at: Date | null;
}

/** WebAuthn credentials: up to twenty for a person. */
export interface PasskeysTable {
  id: string;
  user_id: string;
  /** Base64url, as the authenticator gave it. */
  credential_id: string;
  /** COSE (RFC 9052). */
  public_key: Buffer;
  /** How often the authenticator says it has signed; some always say 0. */
  counter: number;
  /** How browsers reach it: `internal`, `usb`, `hybrid`, … */
  transports: string[];
  /** Whether it can leave the device that made it. */
  device_type: 'singleDevice' | 'multiDevice';
  /** Whether it has, when it was last used. */
  backed_up: boolean;
  /** The model of the authenticator; zeros when it does not tell. */
  aaguid: string;
  /** What the person calls it. */
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    totp_factors: TotpFactorsTable;
    backup_codes: BackupCodesTable;
    passkeys: PasskeysTable;
  }
}
