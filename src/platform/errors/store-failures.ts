const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const connectionCalls = new Set(['connect', 'read', 'write', 'getaddrinfo']);

// PostgreSQL: class 08 connection exceptions, 25006 read-only (a standby, or made so), 53 out of
// connections, disk or memory, 57P shutting down or starting up, 58 errors of its own disk.
const postgresState = /^(?:08\w{3}|25006|53\w{3}|57P0\w|58\w{3})$/;

const messages = [
  'Connection is closed.',
  'Connection terminated',
  'Command timed out',
  'timeout exceeded when trying to connect',
  "Stream isn't writeable",
  'Reached the max retries per request limit',
];
const redisCodes =
  /^(?:LOADING|CLUSTERDOWN|MASTERDOWN|READONLY|OOM|MISCONF|NOREPLICAS|TRYAGAIN|BUSY) /;

function isConnectionError(error: Error): boolean {
  if (!('code' in error) || typeof error.code !== 'string') return false;
  if (postgresState.test(error.code)) return true;
  const call = 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : 'connect';
  return connectionCodes.has(error.code) && connectionCalls.has(call);
}

/** MULTI is refused as EXECABORT; why, stands in what was said of its first command. */
const firstRefusal = (error: Error): unknown =>
  'previousErrors' in error && Array.isArray(error.previousErrors)
    ? error.previousErrors[0]
    : undefined;

/**
 * True for the errors by which ioredis and the PostgreSQL drivers say that their server cannot be
 * reached, or cannot do now what it does at other times: it is read-only, full, or starting.
 */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.message.startsWith('EXECABORT ')) return isStoreUnavailable(firstRefusal(error));
  return (
    error.name === 'MaxRetriesPerRequestError' ||
    messages.some((message) => error.message.startsWith(message)) ||
    redisCodes.test(error.message) ||
    isConnectionError(error)
  );
}
