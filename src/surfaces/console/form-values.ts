import { z } from 'zod';
import { defineErrors } from '../../platform/errors/errors.ts';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';

const formErrors = defineErrors('console', {
  form_invalid: [422, 'Something in the form is not right. Nothing was changed.'],
});

/** What a form sends: several values of one name come as a list. Its content is checked by the schema of the call that it is for. */
export const FormValues = z.record(
  z.string().max(120),
  z.union([z.string().max(20_000), z.array(z.string().max(400)).max(200)]),
);
export type FormValues = z.output<typeof FormValues>;

/** Bytes of a form: the longest text, with every character escaped. */
export const formLimit = { bodyLimit: 128 * 1024 };

/** What was typed; undefined where nothing was. */
export function textOf(values: FormValues, name: string): string | undefined {
  const value = values[name];
  const text = (typeof value === 'string' ? value : value?.[0])?.trim();
  return text === '' ? undefined : text;
}

/** The id of what a form is about. Throws `console.form_invalid`. */
export const idOf = (values: FormValues): string =>
  checked(z.object({ id: z.uuid() }), { id: textOf(values, 'id') }).id;

/** A time as `datetime-local` sends it, in UTC (RFC 3339). */
export function instantOf(values: FormValues, name: string): string | undefined {
  const text = textOf(values, name);
  return text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)
    ? `${text.slice(0, 16)}:00Z`
    : text;
}

/** The site that a form is about. */
export const siteOf = (values: FormValues): string => textOf(values, 'site_id') ?? '';

/** All values of a name, as checkboxes send them. */
export const listOf = (values: FormValues, name: string): string[] => [values[name] ?? []].flat();

/** The values whose names begin with `prefix`, by the rest of their names; empty ones are left out. */
export const valuesBelow = (values: FormValues, prefix: string): [name: string, value: string][] =>
  Object.keys(values)
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => {
      const text = textOf(values, name);
      return text === undefined ? [] : [[name.slice(prefix.length), text]];
    });

/** Nothing was changed, for this reason: `console.form_invalid`. */
export const formRefused = (detail: string): Error => formErrors.form_invalid({ detail });

const readable = (text: string): string =>
  text.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());

function refusal(
  problems: readonly { path: readonly (string | number)[]; message: string }[],
): Error {
  const sentences = problems
    .slice(0, 5)
    .map(
      ({ path, message }) =>
        `${readable(path.filter((step) => typeof step === 'string').join(', '))}: ${message.replace(/^Value error, /, '')}.`,
    );
  return formErrors.form_invalid({ detail: `Nothing was changed. ${sentences.join(' ')}` });
}

/** What a form says, as the call that it is for wants it. Throws `console.form_invalid`, which names what is wrong. */
export function checked<Output>(schema: z.ZodType<Output>, said: unknown): Output {
  const result = schema.safeParse(said);
  if (result.success) return result.data;
  throw refusal(
    result.error.issues.map(({ path, message }) => ({
      path: path.map((step) => (typeof step === 'number' ? step : String(step))),
      message,
    })),
  );
}

/** Does it; what the service refuses of the input is said as `checked` says it. A function, where the refusal may come before the promise. */
export async function asForm<Result>(
  work: Promise<Result> | (() => Promise<Result>),
): Promise<Result> {
  try {
    return await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (!(error instanceof RequestValidationError)) throw error;
    throw refusal(error.details.map(({ loc, msg }) => ({ path: loc.slice(1), message: msg })));
  }
}

/** The word that stands for what can't be undone was typed. Throws `console.form_invalid`. */
export function requireWord(values: FormValues, word: string): void {
  if (textOf(values, 'confirm') !== word)
    throw formErrors.form_invalid({ detail: `Nothing was changed. Type ${word} to confirm it.` });
}
