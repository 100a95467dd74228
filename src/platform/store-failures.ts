const connectionCodes = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH',
]);
const connectionCalls = new Set(['connect', 'read', 'write', 'getaddrinfo']);

// PostgreSQL: class 08 connection exceptions, 53300 too many connections, 57P01-03 shutting down or starting up.
const postgresState = /^(?:08\w{3}|53300|57P0[123])$/;

const messages =
  /^(?:Connection is closed\.|Connection terminated|Command timed out|timeout exceeded when trying to connect|Stream isn't writeable|Reached the max retries per request limit|(?:LOADING|CLUSTERDOWN|MASTERDOWN|READONLY) )/;

function isConnectionError(error: Error): boolean {
  if (!('code' in error) || typeof error.code !== 'string') return false;
  if (postgresState.test(error.code)) return true;
  const call = 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : 'connect';
  return connectionCodes.has(error.code) && connectionCalls.has(call);
}

/** True for the errors by which ioredis and the PostgreSQL drivers say that their server cannot be reached. */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'MaxRetriesPerRequestError' || messages.test(error.message) || isConnectionError(error);
}
