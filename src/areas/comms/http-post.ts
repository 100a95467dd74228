import { sendError } from './provider.ts';

const timeoutMs = 10_000;
/** Answers are small; a longer one is not read. */
const answerLimit = 64 * 1024;

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

/** The answer as JSON; undefined when it is none. The message is accepted by then, so nothing here may fail. */
async function answerOf(response: Response): Promise<unknown> {
  if (Number(response.headers.get('content-length') ?? 0) > answerLimit) return undefined;
  return parseJson(await response.text().catch(() => ''));
}

/**
 * Posts once, for at most 10 seconds, and gives the parsed answer of a 2xx. Throws a SendError when the provider can't
 * be reached, or answers 429 or 5xx, and a PermanentSendError for every other status.
 */
export async function httpPost({ url, headers, body }: HttpPost): Promise<unknown> {
  const signal = AbortSignal.timeout(timeoutMs);
  // A redirect would take credentials and the message somewhere else.
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    signal,
    redirect: 'manual',
  }).catch((error: unknown) => {
    throw sendError(unreachableCode(error), { isPermanent: false });
  });
  if (response.ok) return answerOf(response);
  await response.body?.cancel().catch(() => undefined);
  throw sendError(`http_${response.status}`, {
    isPermanent: response.status < 500 && response.status !== 429,
  });
}
