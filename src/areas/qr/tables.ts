import type { Generated } from 'kysely';
import type { Rows } from '../../platform/database/create-tables.ts';
import type { qrTables } from './migrations/0015-qr.ts';

export const codeTypes = ['url', 'text', 'wifi', 'vcard', 'email', 'sms', 'geo', 'event'] as const;
type CodeType = (typeof codeTypes)[number];

export const devices = ['ios', 'android', 'other'] as const;
export type Device = (typeof devices)[number];

type Created = typeof qrTables & { qr_logos: { name: 'text' } };

interface KnownColumns {
  qr_codes: { type: CodeType };
  /** Read and written as text. */
  qr_targets: { id: Generated<string> };
}

declare module '../../platform/database/tables.ts' {
  interface Tables extends Rows<Created, KnownColumns> {}
}
