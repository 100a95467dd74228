import { safeNext } from '../../lib/next.ts';
import { AppError } from '../../platform/errors.ts';
import type { Origin } from '../../platform/request-origin.ts';
import { RequestValidationError } from '../../platform/validation-error.ts';
import type { BrowserCompletion, BrowserOutcome, BrowserSignIn } from '../auth/browser-sign-in.ts';
import type { Given, OtpFlow } from '../otp/flow.ts';
import type { CodeForm, IdentifierForm, SecondFactorForm } from './schemas.ts';

/** Why a form comes back to the person. */
export interface Refusal {
  status: number;
  /** Of the error, or `identifier` when it is neither an address nor a number. */
  code: string;
  headers: Record<string, string>;
  /** Seconds. */
  retryAfter: number | undefined;
}

interface Shown {
  /** Where to go in the end: a path of ours. */
  next: string;
  refusal?: Refusal;
}

export interface IdentifierStep extends Shown {
  at: 'identifier';
  identifier: string;
}

export interface CodeStep extends Shown {
  at: 'code';
  identifier: string;
  /** Masked. */
  to: string;
  verificationId: string;
}

export interface SecondFactorStep extends Shown {
  at: 'second-factor';
  mfaToken: string;
}

export interface DoneStep {
  at: 'done';
  next: string;
  setCookie: string;
}

/** What comes next in a sign-in. Nothing of it is kept here: the forms carry it. */
export type Step = IdentifierStep | CodeStep | SecondFactorStep | DoneStep;

export interface SignInPageFlowDeps {
  otpFlow: Pick<OtpFlow, 'send' | 'prove' | 'masked'>;
  browserSignIn: BrowserSignIn;
  browserCompletion: BrowserCompletion;
  /** The public origin of the service. */
  baseOrigin: string;
}

/** Who asked for nothing in particular gets here. */
const home = '/account';
const beginAgain = new Set(['auth.invalid_mfa_token', 'auth.revoked_meanwhile']);

const given = (text: string): Given => ({ loc: ['body', 'identifier'], text });

/** The refusal that the form shows; throws what is no fault of the form again. */
function refusalOf(error: unknown, shown: readonly string[]): Refusal {
  if (error instanceof RequestValidationError) return { status: 422, code: 'identifier', headers: {}, retryAfter: undefined };
  if (!(error instanceof AppError) || !(shown.includes(error.code) || beginAgain.has(error.code))) throw error;
  const { status, code, headers, extra } = error;
  // A page has no challenge to answer: what failed is said in its text.
  return { status: status === 401 ? 400 : status, code, headers, retryAfter: typeof extra.retry_after === 'number' ? extra.retry_after : undefined };
}

/** Codes are shown in groups, and copied so. */
const withoutSpaces = (code: string) => code.replace(/\s/g, '');

/** Signing in by forms, step by step. What the forms can't help is thrown. */
export function createSignInPageFlow({ otpFlow, browserSignIn, browserCompletion, baseOrigin }: SignInPageFlowDeps) {
  const nextOf = (text: string | undefined): string => (text === undefined || text === '' ? home : safeNext(text, baseOrigin));

  function stepAfter(outcome: BrowserOutcome, next: string): Step {
    if (outcome.mfa !== undefined) return { at: 'second-factor', mfaToken: outcome.mfa.mfaToken, next };
    return { at: 'done', setCookie: outcome.setCookie, next };
  }

  return {
    /** Where the form leads in the end: a path of ours. */
    nextOf,

    /** Sends a code. When another one can't be sent, the one before still counts. */
    async send({ identifier, verification_id: verificationId, next: wanted }: IdentifierForm, from: Origin): Promise<Step> {
      const next = nextOf(wanted);
      try {
        const sent = await otpFlow.send(given(identifier), from);
        return { at: 'code', identifier, to: sent.to, verificationId: sent.verification_id, next };
      } catch (error) {
        const refusal = refusalOf(error, ['otp.rate_limited', 'otp.budget']);
        if (verificationId === '' || refusal.code === 'identifier') return { at: 'identifier', identifier, next, refusal };
        return { at: 'code', identifier, to: await otpFlow.masked(given(identifier)), verificationId, next, refusal };
      }
    },

    /** Looks at the code. Throws `otp.too_many_attempts`, `auth.user_disabled`. */
    async enterCode({ identifier, verification_id: verificationId, code, next: wanted }: CodeForm, cookieHeader: string | undefined, from: Origin): Promise<Step> {
      const next = nextOf(wanted);
      try {
        const entered = { code: withoutSpaces(code), verificationId: verificationId === '' ? undefined : verificationId };
        return stepAfter(await browserSignIn(await otpFlow.prove(given(identifier), entered, from), cookieHeader), next);
      } catch (error) {
        const refusal = refusalOf(error, ['otp.invalid']);
        if (refusal.code !== 'otp.invalid') return { at: 'identifier', identifier, next, refusal };
        return { at: 'code', identifier, to: await otpFlow.masked(given(identifier)), verificationId, next, refusal };
      }
    },

    /** Looks at a code of the authenticator app, or a backup code. Throws `otp.too_many_attempts`, `auth.user_disabled`. */
    async enterSecondFactor({ mfa_token: mfaToken, code, next: wanted }: SecondFactorForm, cookieHeader: string | undefined, from: Origin): Promise<Step> {
      const next = nextOf(wanted);
      const entered = withoutSpaces(code);
      try {
        const method = /^\d{6}$/.test(entered) ? 'totp' : 'backup_code';
        return stepAfter(await browserCompletion(mfaToken, { method, code: entered }, cookieHeader, from), next);
      } catch (error) {
        const refusal = refusalOf(error, ['otp.invalid']);
        return refusal.code === 'otp.invalid' ? { at: 'second-factor', mfaToken, next, refusal } : { at: 'identifier', identifier: '', next, refusal };
      }
    },
  };
}

export type SignInPageFlow = ReturnType<typeof createSignInPageFlow>;
