import type { Role } from '../../../lib/access.ts';
import type { Tables } from '../../../platform/database/tables.ts';

type IdentityKind = Tables['identities']['kind'];

/** A verified address, number or account elsewhere. */
export interface VerifiedIdentity {
  kind: IdentityKind;
  /** Normalised, so that each address or number has one form. */
  key: string;
  /** As entered. */
  value: string;
}

export interface User {
  id: string;
  name: string | null;
  picture: string | null;
  roles: Role[];
  createdAt: Date;
  disabledAt: Date | null;
  /** Verified ones, oldest first. */
  identities: VerifiedIdentity[];
}

/** A user as lists show it. */
export interface ListedUser extends User {
  lastSeenAt: Date | null;
  hasTotp: boolean;
  hasPasskey: boolean;
}

export interface NewUser {
  id: string;
  identityId: string;
  name: string | null;
  picture: string | null;
  identity: VerifiedIdentity;
  at: Date;
}
