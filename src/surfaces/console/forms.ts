import { z } from 'zod';
import { capitalized } from '../../lib/text/case.ts';
import type { ConsolePage } from './layout.tsx';
import { AppError, defineErrors } from '../../platform/errors/errors.ts';
import { problemText } from './forms/problem-text.ts';
import { texts } from './texts/en.ts';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';

const formErrors = defineErrors('console', {
  form_invalid: [422, 'The form has errors. Nothing was changed.'],
});

/**
 * The fields of a form; several values of one name are a list. `parseForm` validates them by the
 * schema of the API's call.
 */
export const FormValues = z.record(
  z.string().max(120),
  z.union([z.string().max(20_000), z.array(z.string().max(400)).max(200)]),
);
export type FormValues = z.output<typeof FormValues>;

/** Returns the trimmed text of a field; undefined if it is empty or missing. */
export function textOf(values: FormValues, name: string): string | undefined {
  const value = values[name];
  const text = (typeof value === 'string' ? value : value?.[0])?.trim();
  return text === '' ? undefined : text;
}

/** Converts a `datetime-local` field to an instant in UTC (RFC 3339). */
export function instantOf(values: FormValues, name: string): string | undefined {
  const text = textOf(values, name);
  return text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)
    ? `${text.slice(0, 16)}:00Z`
    : text;
}

/** Returns all values of a name, as checkboxes send them. */
export const listOf = (values: FormValues, name: string): string[] => [values[name] ?? []].flat();

/** Returns the non-empty fields that begin with `prefix`, by the rest of their names. */
export const textsWithPrefix = (
  values: FormValues,
  prefix: string,
): [name: string, value: string][] =>
  Object.keys(values)
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => {
      const text = textOf(values, name);
      return text === undefined ? [] : [[name.slice(prefix.length), text]];
    });

/** `console.form_invalid`, with what is wrong with each field, by the paths of members. */
export class FormError extends AppError {
  readonly problems: ReadonlyMap<string, string>;
  /** The page with the form, where that has no address of its own. */
  readonly page: ConsolePage | undefined;

  constructor(
    detail: string,
    problems: ReadonlyMap<string, string> = new Map(),
    page?: ConsolePage,
  ) {
    super(422, formErrors.form_invalid().code, detail);
    this.problems = problems;
    this.page = page;
  }
}

/** `console.form_invalid` with this detail. */
export const invalidForm = (detail: string): Error => new FormError(detail);

const labelOf = (names: string): string => capitalized(names.replaceAll('_', ' '));

/** The sentences of what is wrong, by the labels of the fields. */
export function problemsText(
  problems: ReadonlyMap<string, string>,
  labels: ReadonlyMap<string, string> = new Map(),
): string {
  const sentences = [...problems].slice(0, 5).map(([name, problem]) => {
    const label = labels.get(name) ?? labelOf(name.replaceAll('.', ', '));
    return texts.forms.problem({ label, problem });
  });
  return texts.forms.invalid({ problems: sentences.join(' ') });
}

type Issue = z.core.$ZodIssue | { path: readonly PropertyKey[]; message: string };

function invalidFields(issues: readonly Issue[]): Error {
  const problems = new Map<string, string>();
  for (const issue of issues) {
    const name = issue.path.filter((step) => typeof step !== 'number').join('.');
    // The first rule that a field breaks is the plainest.
    if (!problems.has(name)) problems.set(name, problemText(issue));
  }
  return new FormError(problemsText(problems), problems);
}

/** Parses a form as the body of an API call. Throws `console.form_invalid`, naming the fields. */
export function parseForm<Output>(schema: z.ZodType<Output>, body: unknown): Output {
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  throw invalidFields(error.issues);
}

/** Calls a service. A RequestValidationError becomes `console.form_invalid`. */
export async function asForm<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof RequestValidationError)) throw error;
    throw invalidFields(
      error.details.map(({ loc, msg }) => ({ path: loc.slice(1), message: msg })),
    );
  }
}

/** Throws `console.form_invalid` unless the word was typed: for actions that can't be undone. */
export function requireTypedWord(values: FormValues, word: string): void {
  if (textOf(values, 'confirm') !== word) throw invalidForm(texts.forms.wordMissing({ word }));
}
