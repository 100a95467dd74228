/** Who has signed up, and who is about to. */
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
  /** When they agreed to the terms; null when they were not asked. */
  consent_at: Date | null;
  created_at: Date;
  /** Null until the link in the message was followed. */
  confirmed_at: Date | null;
  /** SHA-256 of the link's secret; null when it is used up. */
  confirm_hash: string | null;
  last_asked_at: Date;
  /** How many messages were sent to confirm it. */
  asked: number;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    signups: SignupsTable;
  }
}
