import { z } from 'zod';
import { chips } from '../../../areas/nfc/chips.ts';
import type { NfcTagBody } from '../../../areas/nfc/schemas.ts';
import { publicUrlMessage, publicUrlProblem } from '../../../lib/net/public-url.ts';
import { typedUrl } from '../../../lib/net/typed-url.ts';
import { FormError, type FormValues, textOf } from '../forms.ts';
import { opensTarget } from './tag-words.tsx';
import { texts } from './texts/en.ts';

/** The query of the second step. */
export const NewTagQuery = z.object({
  chip: z
    .enum(Object.keys(chips).filter((name): name is keyof typeof chips => name in chips))
    .optional(),
});

function wrongTarget(): FormError {
  const problem = texts.new.problems.target;
  return new FormError(problem, new Map([['target', problem]]));
}

/**
 * What the fields of the form have in another shape than the body of the API's call. Throws
 * `console.form_invalid` for a target that is no public address.
 */
export function readTarget(values: FormValues): { target?: string } {
  const given = textOf(values, 'target');
  if (given === undefined) return {};
  const target = typedUrl(given);
  if (publicUrlProblem(target) !== undefined) throw wrongTarget();
  return { target };
}

/** Throws `console.form_invalid` unless the target can be followed. */
export function requireTarget(
  { action, target }: { action?: NfcTagBody['action']; target?: string | null | undefined },
  ownOrigin: string,
): void {
  const isNeeded = opensTarget({ action: action ?? 'redirect' });
  const isWrong = target == null ? isNeeded : publicUrlMessage(target, ownOrigin) !== undefined;
  if (isWrong) throw wrongTarget();
}
