import type { Generated } from 'kysely';

export const codeTypes = ['url', 'text', 'wifi', 'vcard', 'email', 'sms', 'geo', 'event'] as const;
type CodeType = (typeof codeTypes)[number];

export const devices = ['ios', 'android', 'other'] as const;
export type Device = (typeof devices)[number];

/** A target for some people. Every condition that it has must hold. */
export interface TargetRule {
  device?: Device | undefined;
  /** ISO 3166-1 alpha-2. */
  country?: string | undefined;
  /** The language that the browser prefers, such as `de` or `pt-br`. */
  language?: string | undefined;
  url: string;
}

/** QR codes. */
export interface QrCodesTable {
  /** UUID version 7. */
  id: string;
  /** What follows `/q/` in the short link, in lower case. */
  code: string;
  name: string;
  type: CodeType;
  /** The target of a code of the type `url`; null for the others. */
  url: string | null;
  /** The content of the other types, as JSON; null for `url`. */
  content: unknown;
  /** Whether the picture has the short link, whose target can change. */
  dynamic: boolean;
  /** The site whose figures count the scans. */
  site_id: string;
  /** How the picture looks, as JSON. */
  style: unknown;
  active: boolean;
  starts_at: Date | null;
  expires_at: Date | null;
  /** Where scans lead after the end. */
  expired_url: string | null;
  scan_limit: number | null;
  /** How many scans the limit has let through. */
  scans_used: Generated<number>;
  /** scrypt (RFC 7914) with salt; null: no password. */
  password: string | null;
  utm_source: string | null;
  utm_medium: string | null;
  utm_campaign: string | null;
  utm_term: string | null;
  utm_content: string | null;
  /** Whether the query of the short link is added to the target. */
  forward_query: Generated<boolean>;
  /** Targets for some people, as JSON; the first one that fits counts. */
  rules: unknown;
  /** The file that the code was created from. */
  batch_id: string | null;
  created_at: Date;
  updated_at: Date;
}

/** Files of codes to create. */
export interface QrBatchesTable {
  /** UUID version 7. */
  id: string;
  /** Null: none was given. */
  name: string | null;
  total: number;
  /** How many rows are done, in their order, failed ones included. */
  done: number;
  failed: number;
  /** The rows, as JSON; empty once all are done. */
  rows: unknown;
  /** Why rows failed, as JSON. */
  errors: unknown;
  created_at: Date;
  finished_at: Date | null;
}

/** Former targets of codes. A trigger of `qr_codes` writes them. */
interface QrTargetsTable {
  /** Grows with every change. */
  id: Generated<string>;
  code_id: string;
  url: string;
  rules: unknown;
  replaced_at: Date;
}

/** Logos for the center of codes. */
export interface QrLogosTable {
  /** UUID version 7. */
  id: string;
  png: Buffer;
  /** Pixels. */
  width: number;
  height: number;
  created_at: Date;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    qr_batches: QrBatchesTable;
    qr_codes: QrCodesTable;
    qr_logos: QrLogosTable;
    qr_targets: QrTargetsTable;
  }
}
