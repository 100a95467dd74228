/** Signups, confirmed or not. */
export interface SignupsTable {
  /** UUID version 7. */
  id: string;
  /** In lower case. */
  email: string;
  name: string | null;
  company: string | null;
  /** E.164. */
  phone: string | null;
  plan: string | null;
  referral_code: string | null;
  /** When the terms were accepted; null if they were not. */
  consent_at: Date | null;
  created_at: Date;
  /** Null until the link in the message is used. */
  confirmed_at: Date | null;
  /** SHA-256 of the link's secret; null once it is used. */
  confirm_hash: string | null;
  last_asked_at: Date;
  /** How many links were sent. */
  asked: number;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    signups: SignupsTable;
  }
}
