import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type LookupFunction } from 'node:net';
import type { ComponentRecord } from '../components/store.ts';
import { isGuarded, targetProblem, tcpTargetOf } from '../components/targets.ts';

/** The result of a probe of a component's target. */
export interface ProbeResult {
  isGood: boolean;
  /** Time to connect (TCP), or until the response headers (HTTP). */
  ms: number;
}

/** The system's lookup; fails for names with a guarded address. */
const guardedLookup: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses: LookupAddress[] | undefined) => {
    const first = addresses?.[0];
    if (error !== null || addresses === undefined || first === undefined)
      callback(error ?? new Error('no address'), '', 0);
    else if (addresses.some(({ address }) => isGuarded(address)))
      callback(new Error('a guarded address'), '', 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

/** Connects and disconnects at once. */
function tcpProbe(target: string, signal: AbortSignal): Promise<boolean> {
  const address = tcpTargetOf(target);
  if (address === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ ...address, lookup: guardedLookup });
    const finish = (isGood: boolean) => {
      socket.destroy();
      resolve(isGood);
    };
    signal.addEventListener('abort', () => finish(false), { once: true });
    socket.once('connect', () => finish(true)).once('error', () => finish(false));
  });
}

/** Reads only the headers of the response. Redirects count as responses and are not followed. */
function httpProbe(
  target: string,
  expected: readonly number[] | null,
  signal: AbortSignal,
): Promise<boolean> {
  const sendRequest = target.toLowerCase().startsWith('https:') ? httpsRequest : httpRequest;
  const isExpected = ({ statusCode = 0 }: IncomingMessage) =>
    expected?.includes(statusCode) ?? (statusCode >= 200 && statusCode < 400);
  return new Promise((resolve) => {
    const request = sendRequest(target, {
      agent: false,
      lookup: guardedLookup,
      signal,
      headers: { 'user-agent': 'platform-service-status', accept: '*/*' },
    });
    request.once('response', (response) => {
      resolve(isExpected(response));
      request.destroy();
    });
    request.once('upgrade', (response, socket) => {
      resolve(isExpected(response));
      socket.destroy();
    });
    // `close` also covers ends without an error: the promise must always settle.
    request.on('error', () => resolve(false)).once('close', () => resolve(false));
    request.end();
  });
}

/** Checks a component once, within its timeout. Never rejects. */
export async function probe({
  source,
  target,
  settings,
}: Pick<ComponentRecord, 'source' | 'target' | 'settings'>): Promise<ProbeResult> {
  const began = performance.now();
  const canProbe =
    source !== 'builtin' && target !== null && targetProblem(source, target) === undefined;
  if (!canProbe) return { isGood: false, ms: 0 };
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), settings.timeout_ms);
  try {
    const isGood = await (source === 'tcp'
      ? tcpProbe(target, controller.signal)
      : httpProbe(target, settings.expected_status, controller.signal));
    return { isGood, ms: performance.now() - began };
  } catch {
    return { isGood: false, ms: performance.now() - began };
  } finally {
    clearTimeout(timer);
  }
}
