import type { z } from 'zod';
import { AssertionCredential, AttestationCredential } from './webauthn-schemas.ts';
import { PasskeyName } from './schemas.ts';

function parseJson<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The JSON of a new credential, from a browser's form; undefined when it is malformed. */
export const parseAttestation = (text: string): AttestationCredential | undefined =>
  parseJson(AttestationCredential, text);

/** The JSON of an assertion, from a browser's form; undefined when it is malformed. */
export const parseAssertion = (text: string): AssertionCredential | undefined =>
  parseJson(AssertionCredential, text);

/** The name of a passkey; undefined when it is not allowed. */
export const parsePasskeyName = (text: string): string | undefined =>
  PasskeyName.safeParse(text).data;
