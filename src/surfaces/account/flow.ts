import { safeRedirect } from '../../lib/net/safe-redirect.ts';
import { AppError } from '../../platform/errors/errors.ts';
import { codeErrors } from '../../areas/identity/code-errors.ts';
import { isMalformedCode, readFactorCode } from '../../areas/identity/entered-codes.ts';
import type { RequestOrigin } from '../../platform/http/requests/request-origin.ts';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';
import type { BrowserOutcome } from '../../areas/identity/sign-in/browser-sign-in.ts';
import type { IdentifierInput } from '../../areas/identity/sign-in/codes/service.ts';
import { parseAssertion } from '../../areas/identity/factors/passkeys/passkey-input.ts';
import type { MfaMethod } from '../../areas/identity/factors/service.ts';
import type { Resources } from '../../platform/resources.ts';
import type { AccountNeeds } from './compose.ts';
import type {
  CodeForm,
  IdentifierForm,
  PasskeyFactorForm,
  Purpose,
  SecondFactorForm,
} from './schemas.ts';

/** Why a form is shown again. */
export interface Refusal {
  status: number;
  /**
   * The error code; `identifier` if it cannot receive a code; `code` if no code was entered;
   * `passkey` if that was refused.
   */
  code: string;
  headers: Record<string, string | string[]>;
  /** Seconds. */
  retryAfter: number | undefined;
}

interface BaseStep {
  /** Path of this service to go to after signing in. */
  next: string;
  refusal?: Refusal;
}

export interface IdentifierStep extends BaseStep {
  at: 'identifier';
  identifier: string;
}

export interface CodeStep extends BaseStep {
  at: 'code';
  identifier: string;
  /** The masked address or number. */
  to: string;
  verificationId: string;
  purpose: Purpose;
}

export interface SecondFactorStep extends BaseStep {
  at: 'second-factor';
  mfaToken: string;
  methods: readonly MfaMethod[];
}

export interface DoneStep {
  at: 'done';
  next: string;
  setCookies: string[];
}

/** The next step of a sign-in. It is not stored: the forms carry it. */
export type Step = IdentifierStep | CodeStep | SecondFactorStep | DoneStep;

/** The default path after signing in. */
const home = '/account';
const restartCodes = new Set(['auth.invalid_mfa_token', 'auth.revoked_meanwhile']);

const toInput = (text: string): IdentifierInput => ({ loc: ['body', 'identifier'], text });

/** Returns the refusal that the form shows. Rethrows errors that the form cannot show. */
function refusalOf(error: unknown, shownCodes: readonly string[]): Refusal {
  const isUnreachable = error instanceof AppError && error.code === 'comms.not_configured';
  if (isUnreachable || error instanceof RequestValidationError)
    return {
      status: 422,
      code: isMalformedCode(error) ? 'code' : 'identifier',
      headers: {},
      retryAfter: undefined,
    };
  if (
    !(error instanceof AppError) ||
    !(shownCodes.includes(error.code) || restartCodes.has(error.code))
  )
    throw error;
  const { status, code, headers, extra } = error;
  // 401 would need a challenge (WWW-Authenticate), which a page does not have.
  return {
    status: status === 401 ? 400 : status,
    code,
    headers,
    retryAfter: typeof extra.retry_after === 'number' ? extra.retry_after : undefined,
  };
}

/** Whether the form for the code is shown again: what was entered is wrong, or no code. */
const isAboutCode = ({ code }: Refusal): boolean => ['otp.invalid', 'code'].includes(code);

function stepAfter(outcome: BrowserOutcome, next: string): Step {
  if (outcome.mfa === undefined) return { at: 'done', setCookies: outcome.setCookies, next };
  const { mfaToken, methods } = outcome.mfa;
  return { at: 'second-factor', mfaToken, methods, next };
}

/** Signs in by forms, step by step. Throws errors that the forms cannot show. */
export function createSignInPageFlow({
  codeSignIn,
  signIn,
  browserSignIn,
  baseOrigin,
}: Pick<AccountNeeds, 'codeSignIn' | 'signIn' | 'browserSignIn'> & Pick<Resources, 'baseOrigin'>) {
  return { nextOf, send, enterCode, enterSecondFactor, usePasskey };

  /** The path of this service to go to after signing in. */
  function nextOf(text: string | undefined): string {
    return text === undefined || text === '' ? home : safeRedirect(text, baseOrigin);
  }

  /** Sends a code. If another one can't be sent, the previous one stays valid. */
  async function send(
    { identifier, verification_id: verificationId, next: wanted, purpose }: IdentifierForm,
    from: RequestOrigin,
  ): Promise<Step> {
    const next = nextOf(wanted);
    try {
      const sent = await codeSignIn.send(toInput(identifier), from);
      const { to, verification_id: sentId } = sent;
      return { at: 'code', identifier, to, verificationId: sentId, next, purpose };
    } catch (error) {
      const refusal = refusalOf(error, ['otp.rate_limited', 'otp.budget']);
      if (verificationId === '' || refusal.code === 'identifier')
        return { at: 'identifier', identifier, next, refusal };
      const to = await codeSignIn.masked(toInput(identifier));
      return { at: 'code', identifier, to, verificationId, next, purpose, refusal };
    }
  }

  /** Verifies the code. Throws `otp.too_many_attempts`, `auth.user_disabled`. */
  async function enterCode(
    { identifier, verification_id: verificationId, code, next: wanted, purpose }: CodeForm,
    cookieHeader: string | undefined,
    from: RequestOrigin,
  ): Promise<Step> {
    const next = nextOf(wanted);
    const entered = { code, verificationId: verificationId === '' ? undefined : verificationId };
    try {
      const verified = await codeSignIn.verifiedSignIn(toInput(identifier), entered, from);
      return stepAfter(await browserSignIn.begin(verified, cookieHeader), next);
    } catch (error) {
      const refusal = refusalOf(error, ['otp.invalid']);
      if (!isAboutCode(refusal)) return { at: 'identifier', identifier, next, refusal };
      const to = await codeSignIn.masked(toInput(identifier));
      return { at: 'code', identifier, to, verificationId, next, purpose, refusal };
    }
  }

  /**
   * Verifies a code of the authenticator app, or a backup code. Throws `otp.too_many_attempts`,
   * `auth.user_disabled`.
   */
  async function enterSecondFactor(
    { mfa_token: mfaToken, code, next: wanted }: SecondFactorForm,
    cookieHeader: string | undefined,
    from: RequestOrigin,
  ): Promise<Step> {
    const next = nextOf(wanted);
    try {
      const proof = readFactorCode(code);
      return stepAfter(await browserSignIn.complete(mfaToken, proof, cookieHeader, from), next);
    } catch (error) {
      return await factorAgain(error, mfaToken, next, 'otp.invalid');
    }
  }

  /** Verifies a passkey's assertion. Throws as `enterSecondFactor` does. */
  async function usePasskey(
    { mfa_token: mfaToken, credential: text, next: wanted }: PasskeyFactorForm,
    cookieHeader: string | undefined,
    from: RequestOrigin,
  ): Promise<Step> {
    const next = nextOf(wanted);
    try {
      const credential = parseAssertion(text);
      if (credential === undefined) throw codeErrors.invalid();
      const proof = { method: 'passkey', credential } as const;
      return stepAfter(await browserSignIn.complete(mfaToken, proof, cookieHeader, from), next);
    } catch (error) {
      return await factorAgain(error, mfaToken, next, 'passkey');
    }
  }

  /** Returns to the form for the second factor, or to the first form if the sign-in has expired. */
  async function factorAgain(
    error: unknown,
    mfaToken: string,
    next: string,
    code: 'otp.invalid' | 'passkey',
  ): Promise<Step> {
    const refusal = refusalOf(error, ['otp.invalid']);
    if (!isAboutCode(refusal)) return { at: 'identifier', identifier: '', next, refusal };
    const methods = await signIn.methodsOf(mfaToken);
    const shown = refusal.code === 'otp.invalid' ? { ...refusal, code } : refusal;
    return { at: 'second-factor', mfaToken, methods, next, refusal: shown };
  }
}

export type SignInPageFlow = ReturnType<typeof createSignInPageFlow>;
