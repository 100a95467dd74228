import { blackopsErrors } from '../errors.ts';
import type { ProofCheck, ProofFault } from './proofs.ts';

/** Why a proof is not accepted. */
export type Fault = ProofFault | 'other_key' | 'missing';

/** Returns why a check does not prove the expected key. */
export function faultOf(check: ProofCheck | undefined): Fault {
  if (check === undefined) return 'missing';
  return check.isValid ? 'other_key' : check.fault;
}

const dpopHeaders = (error: string, nonce: string) => ({
  'www-authenticate': `DPoP error="${error}", algs="ES256"`,
  'dpop-nonce': nonce,
});

/** Creates the error for a fault (RFC 9449 §7.1, §9). `nonce` is for the next proof. */
export const proofError = (fault: Fault, nonce: string) =>
  fault === 'nonce'
    ? blackopsErrors.use_dpop_nonce({ headers: dpopHeaders('use_dpop_nonce', nonce) })
    : blackopsErrors.invalid_dpop_proof({
        headers: dpopHeaders('invalid_dpop_proof', nonce),
        extra: { fault },
      });
