import type { TokenResponse } from '../../platform/identity/claims-schemas.ts';
import type { RequestOrigin } from '../../platform/http/requests/request-origin.ts';
import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';
import type { ProvedIdentity, SignIn } from '../auth/sign-in.ts';
import {
  anyIdentifier,
  emailIdentifier,
  hasPhoneRules,
  type Identifier,
  mask,
  phoneIdentifier,
} from '../../lib/identifiers.ts';
import type { OTPResponse } from './schemas.ts';
import type { Otp, SentCode } from './service.ts';

/** Where the identifier stands in the request, and how it may look. */
export interface Given {
  loc: readonly [part: 'body' | 'query', name: 'phone' | 'email' | 'identifier'];
  text: string;
  /** ISO 3166-1 alpha-2: whose rules a number without a plus sign is read by. */
  country?: string | undefined;
}

const readers = { phone: phoneIdentifier, email: emailIdentifier, identifier: anyIdentifier };

const international =
  'a phone number has to start with a plus sign and its country code, such as +14155550132';
const orNamed = 'otherwise the request has to name its `country`';

const wrong = {
  phone: `${international}; ${orNamed}`,
  email: 'this is no e-mail address; one looks like name@example.com',
  identifier: `this is no e-mail address, and ${international}; ${orNamed}`,
};

async function read({ loc, text, country }: Given): Promise<Identifier> {
  const [part, name] = loc;
  if (country !== undefined && !(await hasPhoneRules(country))) {
    throw new RequestValidationError([
      valueError(
        [part, 'country'],
        'no country with phone numbers has this ISO 3166-1 alpha-2 code',
      ),
    ]);
  }
  const identifier = await readers[name](text, country);
  if (identifier === undefined) throw new RequestValidationError([valueError(loc, wrong[name])]);
  return identifier;
}

function toView(sent: SentCode): OTPResponse {
  return {
    success: true,
    message: 'If this address can be reached, a code is on its way.',
    verification_id: sent.verificationId,
    channel: sent.channel,
    to: sent.to,
    expires_in: sent.expiresIn,
    expires_at: new Date(sent.expiresAt).toISOString(),
    resend_after: sent.resendAfter,
    code_length: sent.codeLength,
    max_attempts: sent.maxAttempts,
  };
}

/** Reads an address or a number in a body. Throws a RequestValidationError for what is neither. */
export const readIdentifier = (text: string, country?: string): Promise<Identifier> =>
  read({ loc: ['body', 'identifier'], text, country });

export interface OtpFlowDeps {
  otp: Otp;
  signIn: SignIn;
}

/** What all OTP paths have in common, however they name things. */
export function createOtpFlow({ otp, signIn }: OtpFlowDeps) {
  async function prove(
    given: Given,
    { code, verificationId }: { code: string; verificationId: string | undefined },
    from: RequestOrigin,
  ): Promise<ProvedIdentity> {
    const identifier = await read(given);
    await otp.verify(identifier, code, verificationId, from);
    const { kind, key, value, channel } = identifier;
    return {
      identity: { kind, key, value },
      amr: ['otp', ...(channel === 'sms' ? ['sms'] : [])],
      ...from,
    };
  }

  return {
    /** Sends a code. */
    send: async (given: Given, from: RequestOrigin): Promise<OTPResponse> =>
      toView(await otp.send(await read(given), from)),

    /** What a right code proves: with it somebody can sign in. */
    prove,

    /** Where codes go, masked. */
    masked: async (given: Given): Promise<string> => mask(await read(given)),

    /** A right code opens a session: the person is made when there was none. */
    verify: async (
      given: Given,
      entered: { code: string; verificationId: string | undefined },
      from: RequestOrigin,
    ): Promise<TokenResponse> => signIn.asBearer(await prove(given, entered, from)),

    /**
     * Completes a sign-in with its second factor: a code of an authenticator app, or a backup code.
     */
    async complete(mfaToken: string, code: string, from: RequestOrigin): Promise<TokenResponse> {
      const method = /^\s*\d{6}\s*$/.test(code) ? 'totp' : 'backup_code';
      return signIn.completeAsBearer(mfaToken, { method, code: code.trim() }, from);
    },

    /** Sends a code, in the shape of the path that also takes it. */
    sendInOneFlow: async (given: Given, from: RequestOrigin): Promise<TokenResponse> =>
      signIn.codeSentResponse(toView(await otp.send(await read(given), from))),
  };
}

export type OtpFlow = ReturnType<typeof createOtpFlow>;
