import { z } from 'zod';
import { AssertionCredential, AttestationCredential } from '../../platform/webauthn-schemas.ts';

const time = z.iso.datetime();

/** What a person calls a passkey. */
export const PasskeyName = z.string().trim().min(1).max(64).regex(/^[^\p{Cc}]*$/u);

export const PasskeyBody = z.object({
  credential: AttestationCredential,
  name: PasskeyName.optional().describe('To recognise it by. Default: browser and system.'),
});

export const PasskeyParams = z.object({ id: z.uuid() });

export const PasskeyView = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: time,
  last_used_at: time.nullable(),
  backed_up: z.boolean().describe('Whether it was kept by a cloud or password manager when it was last used.'),
}).meta({ id: 'Passkey' });
export type PasskeyView = z.output<typeof PasskeyView>;

export const PasskeyList = z.object({ data: z.array(PasskeyView).describe('Oldest first.'), total: z.int() }).meta({ id: 'PasskeyList' });

const mfaToken = z.string().min(1).max(1024).describe('Of a sign-in that needs its second factor.');
export const PasskeyChallengeBody = z.object({ mfa_token: mfaToken });
export const PasskeyVerifyBody = z.object({ mfa_token: mfaToken, credential: AssertionCredential });
