/** Invitations. Links are not stored, only the SHA-256 of their tokens. */
export interface InvitationsTable {
  /** UUID version 7. */
  id: string;
  /** Lower-case address. */
  email: string;
  /** The role that accepting it gives; null for none. */
  role: 'admin' | 'viewer' | null;
  /** A personal note of the inviter. */
  note: string | null;
  lifetime_days: number;
  /** Null once it is accepted or revoked. */
  token_hash: string | null;
  inviter_kind: 'user' | 'api_key';
  /** Id of the user or API key; `env` for ADMIN_API_KEY. */
  inviter_id: string;
  created_at: Date;
  /** When the last message was sent. */
  sent_at: Date;
  /** Messages so far. */
  sends: number;
  expires_at: Date;
  /** Set while it is being accepted. Lapses after a minute, in case the process was killed. */
  claimed_at: Date | null;
  accepted_at: Date | null;
  accepted_by: string | null;
  revoked_at: Date | null;
}

declare module '../../../../platform/database/tables.ts' {
  interface Tables {
    invitations: InvitationsTable;
  }
}
