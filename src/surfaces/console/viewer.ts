import type { Role } from '../../lib/access.ts';

/** What the console's script needs to prove the key of the device (DPoP, RFC 9449). */
interface ProofParameters {
  /** For the first proof. */
  nonce: string;
  /** Unix ms. The browser's clock may be wrong, and a proof is valid for a minute. */
  now: number;
}

/** The signed-in user who views a page. */
export interface Viewer {
  userId: string;
  /** Name, else email address, else phone number. */
  name: string;
  roles: readonly Role[];
  isAdmin: boolean;
  /** Undefined where the device has no key. */
  proof: ProofParameters | undefined;
}
