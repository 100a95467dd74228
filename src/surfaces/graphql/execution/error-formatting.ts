import type { GraphQLError, GraphQLFormattedError } from 'graphql/index.js';
import { truncateText, fitting } from '../../../lib/text/cut.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import { type ProblemAnswer, toProblem } from '../../../platform/http/error-handler.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import type { Refusal } from './documents.ts';
import { graphqlErrors } from '../errors.ts';

/** Hears what clients are not told: what failed on our side, and headers that go with an error. */
export interface ErrorReporter {
  requestId: string;
  onFailure: (cause: unknown) => void;
  onHeaders?: (headers: Readonly<Record<string, string | string[]>>) => void;
}

/** Characters. graphql-js repeats in each message what the client has sent. */
export const maxMessageLength = 200;
const maxErrors = 10;
const maxCharacters = 16_384;

/** The first errors, no more than an answer should have. */
export const firstErrors = <Each>(errors: readonly Each[]): Each[] =>
  fitting(errors.slice(0, maxErrors), maxCharacters);

/** One for each field that failed, unless their paths, which repeat aliases, are too long. */
export const firstFieldErrors = <Each>(errors: readonly Each[]): Each[] =>
  fitting(errors, maxCharacters);

/** A problem of the REST API as an error of GraphQL: the members that it adds are extensions. */
export function toGraphqlError({ problem }: ProblemAnswer): GraphQLFormattedError {
  const { type: _type, title: _title, detail, ...extensions } = problem;
  return { message: truncateText(detail, maxMessageLength), extensions };
}

/** Anything thrown, as the error that a client gets. */
export function formatThrown(
  error: unknown,
  { requestId, onFailure, onHeaders }: ErrorReporter,
): GraphQLFormattedError {
  const answer = toProblem(error, requestId);
  const cause = error instanceof AppError ? error.cause : error;
  if (answer.problem.status >= 500 && cause !== undefined) onFailure(cause);
  onHeaders?.(answer.headers);
  return toGraphqlError(answer);
}

/** Arguments whose variables may be null turn out to be wrong only when their field is executed. */
const isArgumentError = ({ message }: GraphQLError): boolean =>
  /^(?:Argument|Variable) "/.test(message);

function causeOf(error: GraphQLError): unknown {
  const { originalError } = error;
  if (originalError instanceof AppError || originalError instanceof RequestValidationError)
    return originalError;
  if (isArgumentError(error)) return graphqlErrors.argument({ detail: error.message });
  return originalError ?? error;
}

/** An error of an execution. The client gets no word of what went wrong on our side. */
export function formatFieldError(
  error: GraphQLError,
  reporter: ErrorReporter,
): GraphQLFormattedError {
  const { locations, path } = error;
  return {
    ...formatThrown(causeOf(error), reporter),
    ...(locations === undefined ? {} : { locations }),
    ...(path === undefined ? {} : { path }),
  };
}

/** Why a document is not executed: one error for each thing that was found in it. */
export function formatRefusal(
  { error, found }: Refusal,
  reporter: ErrorReporter,
): GraphQLFormattedError[] {
  const formatted = formatThrown(error, reporter);
  if (found.length === 0) return [formatted];
  return firstErrors(
    found.map(({ message, locations }) => ({
      ...formatted,
      message: truncateText(message, maxMessageLength),
      ...(locations === undefined ? {} : { locations }),
    })),
  );
}
