import { z } from 'zod';
import { minuteMs } from '../../../lib/durations.ts';
import { invalidForm } from '../forms.ts';
import type { ConsoleRoutesOptions } from '../request-context.ts';
import { texts } from './texts/en.ts';

type Context = Pick<ConsoleRoutesOptions, 'searchTerms' | 'clock'>;

/** How long a removal can be undone. */
const undoMs = 15 * minuteMs;
/** Of the URL: longer ones cannot be undone. */
const maxLength = 6000;

const Sealed = z.object({ at: z.number(), removed: z.unknown() });

/** The member of a form that undoes a removal. */
export const removed = { removed: z.string().max(maxLength) };

/** Seals what was removed for the URL of its notice, so that nothing of it is stored. */
export function sealRemoval({ searchTerms, clock }: Context, content: unknown): string | undefined {
  const sealed = searchTerms.seal(JSON.stringify({ removed: content, at: clock.now() }));
  return sealed !== undefined && sealed.length <= maxLength ? sealed : undefined;
}

/** Opens what `sealRemoval` has sealed. Throws `console.form_invalid` if that is too long ago. */
export function openRemoval<S extends z.ZodType>(
  schema: S,
  { searchTerms, clock }: Context,
  sealed: string,
): z.output<S> {
  const { at, removed: content } = Sealed.parse(JSON.parse(searchTerms.open(sealed) ?? ''));
  if (clock.now() - at > undoMs) throw invalidForm(texts.controls.tooLate);
  return schema.parse(content);
}
