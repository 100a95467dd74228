import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type LookupFunction } from 'node:net';
import type { ComponentRecord } from '../components/component-store.ts';
import { isGuarded, targetProblem, tcpTargetOf } from './targets.ts';

/** What a request to a component's target has found. */
export interface ProbeResult {
  isGood: boolean;
  /** Until the connection was there (TCP), or the headers of the answer (HTTP). */
  ms: number;
}

/** The system's lookup, without addresses that are guarded. */
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

/** Connects, and hangs up. */
function tcpProbe(target: string, signal: AbortSignal): Promise<boolean> {
  const place = tcpTargetOf(target);
  if (place === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ ...place, lookup: guardedLookup });
    const end = (isGood: boolean) => {
      socket.destroy();
      resolve(isGood);
    };
    signal.addEventListener('abort', () => end(false), { once: true });
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

/** Asks, and reads the answer's headers only. Redirects are answers too: nobody follows them. */
function httpProbe(
  target: string,
  expected: readonly number[] | null,
  signal: AbortSignal,
): Promise<boolean> {
  const ask = target.toLowerCase().startsWith('https:') ? httpsRequest : httpRequest;
  const isExpected = ({ statusCode = 0 }: IncomingMessage) =>
    expected?.includes(statusCode) ?? (statusCode >= 200 && statusCode < 400);
  return new Promise((resolve) => {
    const request = ask(target, {
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
    // Not every end is an error, and nothing may wait for ever.
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
  const isPossible =
    source !== 'builtin' && target !== null && targetProblem(source, target) === undefined;
  if (!isPossible) return { isGood: false, ms: 0 };
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
