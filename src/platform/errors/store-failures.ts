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

// PostgreSQL: class 08 connection exceptions, 25006 read-only (a standby, or configured so), 53 out
// of connections, disk or memory, 57P shutting down or starting up, 58 disk errors.
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

/** A failed MULTI rejects with EXECABORT. The reason is the error of its first refused command. */
const firstRefusal = (error: Error): unknown =>
  'previousErrors' in error && Array.isArray(error.previousErrors)
    ? error.previousErrors[0]
    : undefined;

/**
 * True for errors of ioredis and the PostgreSQL drivers that mean that the server is unreachable or
 * temporarily unable to serve: read-only, full, or starting.
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
