import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import { invalidForm } from '../forms.ts';
import { texts } from './texts/en.ts';

const maxProblems = 5;

const problemOf = ({ loc: [, line, ...path], msg }: RequestValidationError['details'][number]) =>
  texts.import.problem({
    line: String(line ?? 1),
    column: path.join('.'),
    message: msg.replace(/^Value error, /, ''),
  });

/** Reads a CSV file. One with errors becomes `console.form_invalid`, which names the lines. */
export async function withLineErrors<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RequestValidationError)) throw error;
    const problems = error.details.slice(0, maxProblems).map(problemOf).join(' ');
    throw invalidForm(texts.import.invalid({ problems }));
  }
}
