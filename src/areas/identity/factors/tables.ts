import type { Generated } from 'kysely';

/** Authenticator apps (RFC 6238): at most one for each user. */
interface TotpFactorsTable {
  id: string;
  user_id: string;
  /** Sealed, so that the database alone can't generate codes. */
  sealed_secret: string;
  /** The last time step used: each is valid once. */
  last_step: Generated<number>;
  created_at: Date;
  /** Null until the first right code confirms it. */
  verified_at: Date | null;
  last_used_at: Date | null;
}

/** Single-use codes for users who lost the other factors, stored as hashes. */
interface BackupCodesTable {
  id: string;
  user_id: string;
  salt: string;
  hash: string;
  created_at: Date;
  used_at: Date | null;
}

/** WebAuthn credentials: up to twenty for each user. */
export interface PasskeysTable {
  id: string;
  user_id: string;
  /** Base64url, as the authenticator sent it. */
  credential_id: string;
  /** COSE (RFC 9052). */
  public_key: Buffer;
  /** The authenticator's signature counter; some always send 0. */
  counter: number;
  /** `internal`, `usb`, `hybrid`, … */
  transports: string[];
  /** Whether it can leave the device that created it. */
  device_type: 'singleDevice' | 'multiDevice';
  /** Whether it was backed up when last used. */
  backed_up: boolean;
  /** The authenticator's model; zeros when unknown. */
  aaguid: string;
  /** Chosen by the user. */
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    totp_factors: TotpFactorsTable;
    backup_codes: BackupCodesTable;
    passkeys: PasskeysTable;
  }
}
