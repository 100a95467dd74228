import { z } from 'zod';
import { consolePath } from '../../../lib/site-paths.ts';
import { parseAssertion } from '../../../areas/identity/factors/passkeys/passkey-input.ts';
import type { ConfirmationProof } from '../../../areas/identity/sign-in/confirmation.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import { codeLimits } from '../../../platform/http/limits/code-limits.ts';
import { originOf } from '../../../platform/http/requests/request-origin.ts';
import type { HttpCall } from '../../../platform/operations/call.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import { FormError } from '../forms.ts';
import type { ConsoleRoutesOptions } from '../request-context.ts';
import { form } from '../routes.forms.ts';
import { codeAgainPage, confirmPage } from './confirm-page.tsx';
import { texts } from './texts/en.ts';

/** The session of a call, and where it comes from. */
const partsOf = ({ guards, clock }: ConsoleRoutesOptions, { request }: HttpCall) =>
  [guards.sessionOf(request), originOf(request, clock.now())] as const;

/** Confirms, or says at the field what is wrong with the code. */
async function confirm(
  context: ConsoleRoutesOptions,
  proof: ConfirmationProof,
  call: HttpCall,
): Promise<void> {
  const [session, from] = partsOf(context, call);
  try {
    await context.confirmation.confirm(session, proof, from);
  } catch (error) {
    const isWrong = error instanceof AppError && error.code === 'otp.invalid';
    if (!isWrong && !(error instanceof RequestValidationError)) throw error;
    if ('credential' in proof) throw await refusedPasskey(context, call);
    const page = codeAgainPage(proof.verificationId);
    throw new FormError(texts.wrong, new Map([['code', texts.wrong]]), page);
  }
}

/** A refused passkey needs another challenge. */
async function refusedPasskey(context: ConsoleRoutesOptions, call: HttpCall): Promise<FormError> {
  const asked = await context.confirmation.start(...partsOf(context, call));
  return new FormError(texts.passkeyRefused, new Map(), confirmPage(asked));
}

/**
 * Confirms in place that it is the user who is at a session: the script asks for it when a form
 * needs a recent sign-in, and then sends that form. Without JavaScript the sign-in page asks.
 */
export const confirmRoutes = [
  form({
    id: 'console.start_confirmation',
    path: '/api/svc/console/confirm',
    summary: 'Form: ask to confirm that it is you',
    limit: codeLimits.send,
    run: (context, _, call) => context.confirmation.start(...partsOf(context, call)),
    to: (_, asked) => confirmPage(asked),
  }),
  form({
    id: 'console.confirm_by_code',
    path: '/api/svc/console/confirm/code',
    summary: 'Form: confirm with a code',
    limit: codeLimits.verify,
    body: z.object({
      code: z.string().max(64),
      verification_id: z.string().max(64).optional(),
    }),
    run: (context, { code, verification_id: verificationId }, call) =>
      confirm(context, { code, verificationId }, call),
    to: consolePath,
  }),
  form({
    id: 'console.confirm_by_passkey',
    path: '/api/svc/console/confirm/passkey',
    summary: 'Form: confirm with a passkey',
    limit: codeLimits.verify,
    body: z.object({ credential: z.string().max(16_384) }),
    async run(context, { credential: text }, call) {
      const credential = parseAssertion(text);
      if (credential === undefined) throw await refusedPasskey(context, call);
      await confirm(context, { credential }, call);
    },
    to: consolePath,
  }),
];
