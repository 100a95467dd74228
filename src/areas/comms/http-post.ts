import { sendError } from './provider.ts';

const timeoutMs = 10_000;
/** Longer responses are not read. */
const maxResponseLength = 64 * 1024;

export interface HttpPost {
  url: string;
  headers: Record<string, string>;
  body: string;
}

function unreachableCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unreachable';
  if (error.name === 'TimeoutError') return 'timeout';
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : 'unreachable';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The response's JSON, if any. Must not fail, because the message is already accepted. */
async function readJson(response: Response): Promise<unknown> {
  if (Number(response.headers.get('content-length') ?? 0) > maxResponseLength) return undefined;
  return parseJson(await response.text().catch(() => ''));
}

/**
 * Posts once, for at most 10 seconds, and returns the parsed body of a 2xx response. Throws a
 * SendError when the provider can't be reached or responds with 429 or 5xx, and a
 * PermanentSendError for every other status.
 */
export async function httpPost({ url, headers, body }: HttpPost): Promise<unknown> {
  const signal = AbortSignal.timeout(timeoutMs);
  // Following a redirect would leak credentials and the message.
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    signal,
    redirect: 'manual',
  }).catch((error: unknown) => {
    throw sendError(unreachableCode(error), { isPermanent: false });
  });
  if (response.ok) return readJson(response);
  await response.body?.cancel().catch(() => undefined);
  throw sendError(`http_${response.status}`, {
    isPermanent: response.status < 500 && response.status !== 429,
  });
}
