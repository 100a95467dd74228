import type { RequestOrigin } from '../../../../platform/http/requests/request-origin.ts';
import type { Suspect } from '../store.ts';
import type { ProofCheck } from './proofs.ts';
import type { Traits } from './risk.ts';

/** The signals of a request about the device that it comes from. */
export interface DeviceSignals extends RequestOrigin {
  /** Value of the device cookie. Undefined when there is none or several. */
  cookie: string | undefined;
  /** Checks the DPoP proof (RFC 9449). Memoised, because a proof is valid once. */
  proof: () => Promise<ProofCheck | undefined>;
  /** The method is safe (RFC 9110 §9.2.1). */
  isSafe: boolean;
  /** ISO 3166-1 alpha-2. */
  country: string | undefined;
  /** Parses the User-Agent header. */
  traits: () => Traits;
  /** Hash of the client's network and User-Agent. */
  from: string;
}

/** Returns the signals that the risk rules check. Restoring the device accepts them. */
export function suspectOf({ country, traits }: DeviceSignals): Suspect {
  const { platform, os, browser, browserMajor } = traits();
  return { country: country ?? null, platform, os, browser, browser_major: browserMajor };
}
