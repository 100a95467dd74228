import { withoutSeparators } from '../../lib/text/pasted.ts';
import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';

const digits = 6;
const onlyDigits = /^[0-9]+$/;
/** Sixteen characters of Crockford's base 32, which has no I, L, O and U. */
const backupForm = /^[0-9A-HJKMNP-TV-Z]{16}$/;

const malformed = (message: string): Error =>
  new RequestValidationError([valueError(['body', 'code'], message)]);

/**
 * A one-time code as it was sent, however it was typed or pasted: grouped, or with digits of
 * another script. `otherLength` is a second length that a code may have. Throws a
 * RequestValidationError for anything else, so that a slip costs no attempt and says nothing about
 * codes that are out.
 */
export function readOneTimeCode(text: string, otherLength: number = digits): string {
  const code = withoutSeparators(text);
  if (onlyDigits.test(code) && [digits, otherLength].includes(code.length)) return code;
  throw malformed('must be the six digits of the code');
}

/** Normalises a typed backup code for hashing; undefined when it can't be one. */
export function parseBackupCode(text: string): string | undefined {
  const letters = withoutSeparators(text)
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return backupForm.test(letters) ? letters : undefined;
}

/**
 * What was entered where a second factor is asked for: a code of the authenticator app, or a backup
 * code. Throws a RequestValidationError for what is neither.
 */
export function readFactorCode(text: string): { method: 'totp' | 'backup_code'; code: string } {
  const backupCode = parseBackupCode(text);
  if (backupCode !== undefined) return { method: 'backup_code', code: backupCode };
  const code = withoutSeparators(text);
  if (!onlyDigits.test(code) || code.length !== digits)
    throw malformed('must be the six digits from the app, or a backup code');
  return { method: 'totp', code };
}

/** True for the refusal of a code that can't be one. */
export const isMalformedCode = (error: unknown): boolean =>
  error instanceof RequestValidationError && error.details[0]?.loc.at(-1) === 'code';
