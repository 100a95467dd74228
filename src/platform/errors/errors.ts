/** RFC 9457 problem details with a stable `code`. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
  [extension: string]: unknown;
}

export interface AppErrorOptions {
  /** Replaces the table's public text. */
  detail?: string;
  /** Response headers such as `retry-after`. */
  headers?: Record<string, string | string[]>;
  /** Public extension members of the problem document. */
  extra?: Record<string, unknown>;
  /** For a 422: the location of the error, in FastAPI's format. Overrides the table's. */
  loc?: readonly (string | number)[];
  /** The text that pages show instead of the public text, which is for API clients. */
  pageText?: string;
  /** The heading of that page. */
  pageTitle?: string;
  /** The private reason, for the log only. */
  cause?: unknown;
}

/** The error class of the service. `code` and `detail` are public, `cause` is for the log. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string | string[]>;
  readonly extra: Record<string, unknown>;
  readonly loc: readonly (string | number)[];
  readonly pageText: string | undefined;
  readonly pageTitle: string | undefined;

  constructor(status: number, code: string, detail: string, options: AppErrorOptions = {}) {
    super(options.detail ?? detail, { cause: options.cause });
    this.status = status;
    this.code = code;
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
    this.loc = options.loc ?? ['body'];
    this.pageText = options.pageText;
    this.pageTitle = options.pageTitle;
  }
}

/** Options that tell clients when to try again: the header, and a member of the problem. */
export const retryAfter = (seconds: number): AppErrorOptions => ({
  headers: { 'retry-after': String(seconds) },
  extra: { retry_after: seconds },
});

type ErrorTable = Record<
  string,
  readonly [status: number, detail: string, loc?: readonly string[]]
>;
type ErrorFactories<T extends ErrorTable> = {
  [K in keyof T]: (options?: AppErrorOptions) => AppError;
};

const catalogue = new Map<
  string,
  { status: number; detail: string; loc: readonly string[] | undefined }
>();

const optionsAt = (loc: readonly string[] | undefined): AppErrorOptions =>
  loc === undefined ? {} : { loc };

/**
 * Turns an area's table `{ name: [status, public text] }` into factories of errors with the code
 * `area.name`. An error with status 422 may also have a location in the request: `[422, text,
 * ['body', 'email']]`. The default is the body. Every code is added to the catalogue that the error
 * guide is generated from.
 */
export function defineErrors<T extends ErrorTable>(area: string, table: T): ErrorFactories<T> {
  const factories: Record<string, (options?: AppErrorOptions) => AppError> = {};
  for (const [name, [status, detail, loc]] of Object.entries(table)) {
    const code = `${area}.${name}`;
    catalogue.set(code, { status, detail, loc });
    factories[name] = (options) =>
      new AppError(status, code, detail, { ...optionsAt(loc), ...options });
  }
  return factories as ErrorFactories<T>;
}

/**
 * Returns every defined error code, for documentation and tests. Sorted, because the load order of
 * areas depends on the build.
 */
export function errorCatalogue(): { code: string; status: number; detail: string }[] {
  return [...catalogue]
    .map(([code, { status, detail }]) => ({ code, status, detail }))
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** Returns the error with this code; undefined when no loaded area defines it. */
export function errorOf(code: string): AppError | undefined {
  const entry = catalogue.get(code);
  return entry === undefined
    ? undefined
    : new AppError(entry.status, code, entry.detail, optionsAt(entry.loc));
}

/** Resolves like `found`, but with undefined when it rejects with an `AppError` of status 404. */
export async function undefinedIfMissing<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined;
    throw error;
  }
}

/** Errors of requests in general, outside any area. */
export const requestErrors = defineErrors('request', {
  not_found: [404, 'Nothing was found at this path.'],
  method_not_allowed: [
    405,
    'This path does not support this method. The Allow header lists the supported ones.',
  ],
  too_large: [413, 'The request body exceeds the limit for this path. Send a smaller body.'],
  unsupported_media_type: [
    415,
    'This path does not accept this content type. Send JSON with Content-Type: ' +
      'application/json.',
  ],
  rate_limited: [429, 'Too many requests. Retry after the time in the Retry-After header.'],
  invalid: [400, 'The request could not be parsed.'],
  cursor_invalid: [
    400,
    'This cursor does not belong to a list with these filters and this order. Start again ' +
      'without a cursor.',
  ],
  idempotency_key_invalid: [
    400,
    'The Idempotency-Key header must be a string of 1 to 255 printable characters, such as a UUID.',
  ],
  idempotency_key_reused: [
    422,
    'This Idempotency-Key was used with another request. Use a new key for each request.',
    ['header', 'idempotency-key'],
  ],
  idempotency_in_progress: [
    409,
    'The first request with this Idempotency-Key is still being processed. Retry in a moment.',
  ],
  unauthenticated: [401, 'Not authenticated'],
  forbidden: [403, 'This credential does not allow this action.'],
  unavailable: [503, 'A required data store is unreachable. Try again in a moment.'],
});
