import type { GraphQLError, GraphQLFormattedError } from 'graphql/index.js';
import { truncateText, fitting } from '../../../lib/text/cut.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import { type ProblemResponse, toProblem } from '../../../platform/http/error-handler.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import type { Refusal } from './documents.ts';
import { graphqlErrors } from '../errors.ts';

/** Receives what the error object cannot carry: internal causes, and response headers. */
export interface ErrorReporter {
  requestId: string;
  onFailure: (cause: unknown) => void;
  onHeaders?: (headers: Readonly<Record<string, string | string[]>>) => void;
}

/** In characters. Messages of graphql-js repeat the input of the client. */
export const maxMessageLength = 200;
const maxErrors = 10;
const maxCharacters = 16_384;

/** The first errors, limited in number and total length. */
export const firstErrors = <Each>(errors: readonly Each[]): Each[] =>
  fitting(errors.slice(0, maxErrors), maxCharacters);

/** One error for each failed field, limited in total length: paths repeat aliases. */
export const firstFieldErrors = <Each>(errors: readonly Each[]): Each[] =>
  fitting(errors, maxCharacters);

/** Converts a problem (RFC 9457) to a GraphQL error, its extra members to `extensions`. */
export function toGraphqlError({ problem }: ProblemResponse): GraphQLFormattedError {
  const { type: _type, title: _title, detail, ...extensions } = problem;
  return { message: truncateText(detail, maxMessageLength), extensions };
}

/** Converts anything thrown to the error for the client, and reports our own failures. */
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

/** Arguments from nullable variables are only checked when their field is executed. */
const isArgumentError = ({ message }: GraphQLError): boolean =>
  /^(?:Argument|Variable) "/.test(message);

function causeOf(error: GraphQLError): unknown {
  const { originalError } = error;
  if (originalError instanceof AppError || originalError instanceof RequestValidationError)
    return originalError;
  if (isArgumentError(error)) return graphqlErrors.argument({ detail: error.message });
  return originalError ?? error;
}

/** Formats an error of an execution. Internal causes are reported, never sent to the client. */
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

/** Formats a refusal: one error for each issue in the document. */
export function formatRefusal(
  { error, issues }: Refusal,
  reporter: ErrorReporter,
): GraphQLFormattedError[] {
  const formatted = formatThrown(error, reporter);
  if (issues.length === 0) return [formatted];
  return firstErrors(
    issues.map(({ message, locations }) => ({
      ...formatted,
      message: truncateText(message, maxMessageLength),
      ...(locations === undefined ? {} : { locations }),
    })),
  );
}
