/** Resets of a user's second factors. At most one of a user is open. */
export interface FactorResetsTable {
  /** UUID version 7. */
  id: string;
  user_id: string;
  /**
   * `requested` until a second admin approves, `approved` for a day, `completing` while the factors
   * are gone and sessions and devices are ended. The others are final.
   */
  state: 'requested' | 'approved' | 'completing' | 'completed' | 'canceled' | 'expired';
  /** When the state was reached. */
  changed_at: Date;
  /** Why the factors are to be reset, by the admin who asked. */
  reason: string;
  /** Null once that admin's account is deleted; the same for the other columns of people. */
  requested_by: string | null;
  requested_at: Date;
  /** When a request that nobody approved ends. */
  expires_at: Date;
  approved_by: string | null;
  approved_at: Date | null;
  /** When it takes effect. Null until it is approved. */
  due_at: Date | null;
  /** Null unless a signed-in person canceled it. */
  canceled_by: string | null;
  cancel_reason: string | null;
  /** SHA-256 of the token in the link that cancels it. */
  token_hash: string;
  /** The last state of which everybody was told. */
  told: string | null;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    factor_resets: FactorResetsTable;
  }
}
