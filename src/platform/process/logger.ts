import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

export interface LoggerOptions {
  /** The lowest level to write; `silent` for none. */
  level: string;
  /** The destination of the JSON lines. Default: standard output. */
  destination?: DestinationStream;
  /** The replica to name in every line. Default: none. */
  replica?: string | undefined;
}

/** An error in a log line, without the statements, parameters and replies that drivers attach. */
interface LoggedError {
  type: string;
  message: string;
  stack?: string;
  code?: string;
  cause?: LoggedError;
}

const secretFields = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  '["x-api-key"]',
  'password',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'mfa_token',
  'otp',
  'api_key',
  'body',
  'query',
];

// Full paths instead of wildcards: wildcards cost 26 µs per line, full paths almost nothing.
const places = [
  '',
  'headers',
  'req',
  'req.headers',
  'request',
  'request.headers',
  'params',
  'data',
  'job',
  'job.data',
  'err',
];

const redactedPaths = places.flatMap((place) =>
  secretFields.map((field) =>
    place === '' || field.startsWith('[') ? `${place}${field}` : `${place}.${field}`,
  ),
);

/** Reduces any thrown value to type, message, stack, code and at most four causes. */
function serializeError(error: unknown, depth = 4): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error' };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.cause === undefined || depth === 0
      ? {}
      : { cause: serializeError(error.cause, depth - 1) }),
  };
}

/** Creates a pino logger: JSON lines with ISO time, named level and replica, secrets redacted. */
export function createLogger({ level, destination, replica }: LoggerOptions): Logger {
  const options = {
    level,
    base: replica === undefined ? null : { replica },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: (error: unknown) => serializeError(error) },
    redact: { paths: redactedPaths, censor: '[redacted]' },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
