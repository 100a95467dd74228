import { texts } from './texts/en.ts';

/** An error whose message is for the person at the page. */
export class Refusal extends Error {}

/** What is said of errors of WebAuthn, by their name. */
export const passkeyErrors: Partial<Record<string, string>> = {
  NotAllowedError: texts.passkeys.notAllowed,
  AbortError: texts.passkeys.aborted,
};

/** Throws a Refusal at another origin than the one where passkeys work. */
export function requireOrigin(origin: string | undefined): void {
  if (location.origin !== origin)
    throw new Refusal(texts.passkeys.otherOrigin({ origin: origin ?? '' }));
}

const isFunction = (value: unknown): boolean => typeof value === 'function';

/** Whether the browser has these functions, and can write a passkey as JSON (WebAuthn Level 3). */
export function knowsPasskeys(...names: (keyof typeof PublicKeyCredential)[]): boolean {
  if (!('PublicKeyCredential' in globalThis)) return false;
  return (
    names.every((name) => isFunction(PublicKeyCredential[name])) &&
    'toJSON' in PublicKeyCredential.prototype
  );
}
