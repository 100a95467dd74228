import { z } from 'zod';
import { noControls } from '../../../../lib/text/text-patterns.ts';
import { AssertionCredential, AttestationCredential } from './webauthn-schemas.ts';

const time = z.iso.datetime();

/** The name that a user gives a passkey. */
export const PasskeyName = z.string().trim().min(1).max(64).regex(noControls);

export const PasskeyBody = z.object({
  credential: AttestationCredential,
  name: PasskeyName.optional().describe(
    'Label of the passkey. Default: browser and operating system.',
  ),
});

export const PasskeyParams = z.object({ id: z.uuid() });

export const PasskeyView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    created_at: time,
    last_used_at: time.nullable(),
    backed_up: z
      .boolean()
      .describe(
        'Whether the passkey was synced to a cloud or password manager when it was last used.',
      ),
  })
  .meta({
    id: 'Passkey',
    description: 'The passkey.',
    examples: [
      {
        id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
        name: 'Firefox on macOS',
        created_at: '2026-05-04T09:30:00.000Z',
        last_used_at: '2026-05-04T10:15:00.000Z',
        backed_up: true,
      },
    ],
  });
export type PasskeyView = z.output<typeof PasskeyView>;

export const PasskeyList = z
  .object({ data: z.array(PasskeyView).describe('Oldest first.'), total: z.int() })
  .meta({ id: 'PasskeyList', description: 'Your passkeys.' });

const mfaToken = z
  .string()
  .min(1)
  .max(1024)
  .describe('From a sign-in that requires a second factor.')
  .meta({ examples: ['mfa_7Rk1cV9bQe2Lx0Ty'] });
export const PasskeyChallengeBody = z.object({ mfa_token: mfaToken });
export const PasskeyVerifyBody = z.object({ mfa_token: mfaToken, credential: AssertionCredential });
