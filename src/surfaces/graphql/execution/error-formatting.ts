import type { GraphQLError, GraphQLFormattedError } from 'graphql/index.js';
import { cutText, fitting } from '../../../lib/text/cut.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import { type ProblemAnswer, toProblem } from '../../../platform/http/error-handler.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import type { Refused } from './documents.ts';
import { graphqlErrors } from '../errors.ts';

/** Hears of what failed on our side, and of headers that go with an error. */
export interface Witness {
  requestId: string;
  failed: (cause: unknown) => void;
  headers?: (headers: Readonly<Record<string, string | string[]>>) => void;
}

/** Messages of the package repeat what the client has sent, once for each error: they are cut, and so is their number. */
export const messageLength = 200;
const mostErrors = 10;
const mostCharacters = 16_384;

/** The first errors, no more than an answer should have. */
export const firstErrors = <Each>(errors: readonly Each[]): Each[] =>
  fitting(errors.slice(0, mostErrors), mostCharacters);

/** Every field that is null for an error has an entry, as long as they are not too long together: paths repeat aliases. */
export const firstFieldErrors = <Each>(errors: readonly Each[]): Each[] =>
  fitting(errors, mostCharacters);

/** A problem of the REST API as an error of GraphQL: the members that it adds are extensions. */
export function toGraphError({ problem }: ProblemAnswer): GraphQLFormattedError {
  const extensions = Object.fromEntries(
    Object.entries(problem).filter(([name]) => !['type', 'title', 'detail'].includes(name)),
  );
  return { message: cutText(problem.detail, messageLength), extensions };
}

/** Anything thrown, as the error that a client gets. */
export function presentThrown(
  error: unknown,
  { requestId, failed, headers }: Witness,
): GraphQLFormattedError {
  const answer = toProblem(error, requestId);
  if (answer.problem.status >= 500 && !(error instanceof AppError && error.cause === undefined))
    failed(error instanceof AppError ? error.cause : error);
  headers?.(answer.headers);
  return toGraphError(answer);
}

/** Some mistakes of clients show only when a field is executed: arguments whose variables may be null. */
const isArguments = ({ message }: GraphQLError): boolean =>
  /^(?:Argument|Variable) "/.test(message);

function thrownBy(error: GraphQLError): unknown {
  const { originalError } = error;
  if (originalError instanceof AppError || originalError instanceof RequestValidationError)
    return originalError;
  if (isArguments(error)) return graphqlErrors.argument({ detail: error.message });
  return originalError ?? error;
}

/** An error of an execution: what went wrong on our side is told to the witness, and the client gets no word of it. */
export function presentFieldError(error: GraphQLError, witness: Witness): GraphQLFormattedError {
  const { locations, path } = error;
  return {
    ...presentThrown(thrownBy(error), witness),
    ...(locations === undefined ? {} : { locations }),
    ...(path === undefined ? {} : { path }),
  };
}

/** Why a document was not executed: one error for each thing that was found. */
export function presentRefused(
  { error, found }: Refused,
  witness: Witness,
): GraphQLFormattedError[] {
  const whole = presentThrown(error, witness);
  if (found.length === 0) return [whole];
  return firstErrors(
    found.map(({ message, locations }) => ({
      ...whole,
      message: cutText(message, messageLength),
      ...(locations === undefined ? {} : { locations }),
    })),
  );
}
