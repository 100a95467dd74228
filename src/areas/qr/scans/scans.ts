import { isbot } from 'isbot';
import type { LinkRequest } from '../../analytics/ingest/link-events.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { LinkPasswords } from '../../../platform/crypto/link-passwords.ts';
import type { AppError } from '../../../platform/errors/errors.ts';
import { isPrefetch } from '../../../platform/http/requests/prefetch.ts';
import type { PasswordAttempts } from '../../../platform/redis/password-attempts.ts';
import { statusOf } from '../codes/code-rows.ts';
import { qrErrors } from '../errors.ts';
import type { CodeLookup, ScannedCode } from './lookup.ts';
import type { Recording, ScanResult } from './recording.ts';
import type { ScanLimit } from './scan-limit.ts';
import {
  chooseTarget,
  deviceOf,
  preferredLanguage,
  withCampaign,
  withQueryOfScan,
} from './targets.ts';

/** What a scan gets. */
export type ScanOutcome =
  | { kind: 'redirect'; url: string }
  /** The password is missing or wrong. */
  | { kind: 'password'; isWrong: boolean }
  /** A program, for which a code with a scan limit has no target. */
  | { kind: 'preview' };

export interface ScansOptions {
  lookup: CodeLookup;
  limit: ScanLimit;
  record: Recording;
  passwords: Pick<LinkPasswords, 'isCorrect'>;
  attempts: PasswordAttempts;
  clock: Clock;
  /** The country of an address (ISO 3166-1 alpha-2); undefined if unknown. */
  country: (ip: string) => string | undefined;
}

/** How people and programs get to a code. */
export interface Opening {
  /** From the picture, rather than by a link in a message. */
  isScan: boolean;
  /** The query of the request as it was sent, without `?`. */
  query: string;
  password?: string | undefined;
}

/** Whether a program looks at the link before a person does. */
const isAhead = ({ method, headers }: LinkRequest): boolean =>
  method === 'HEAD' || isPrefetch(headers);

/** As the figures count them: a client that doesn't say what it is counts as a program. */
function isProgram(request: LinkRequest): boolean {
  const { 'user-agent': userAgent = '' } = request.headers;
  return isAhead(request) || userAgent.trim() === '' || isbot(userAgent);
}

function notYet({ starts_at: startsAt }: ScannedCode, now: number): AppError {
  if (startsAt === null) return qrErrors.not_yet();
  const start = startsAt.toISOString();
  return qrErrors.not_yet({
    detail: `This code works from ${start} on. Try again then.`,
    headers: { 'retry-after': startsAt.toUTCString() },
    extra: { starts_at: start, retry_after: Math.ceil((startsAt.getTime() - now) / 1000) },
  });
}

function tooManyTries(waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1000);
  return qrErrors.password_tries({
    headers: { 'retry-after': String(seconds) },
    extra: { retry_after: seconds },
  });
}

/** Creates the function that checks a password; a code without one needs none. */
const createAdmission =
  ({ passwords, attempts }: Pick<ScansOptions, 'passwords' | 'attempts'>) =>
  async (
    { ip }: LinkRequest,
    { id, password: stored }: ScannedCode,
    password: string | undefined,
  ): Promise<boolean> => {
    if (stored === null) return true;
    if (password === undefined) return false;
    const waitMs = await attempts.begin(id, ip);
    if (waitMs > 0) throw tooManyTries(waitMs);
    if (!(await passwords.isCorrect(password, stored))) return false;
    await attempts.clear(id, ip);
    return true;
  };

function targetOf(
  code: ScannedCode,
  { headers, ip }: LinkRequest,
  country: ScansOptions['country'],
): string {
  if (code.rules.length === 0) return withCampaign(code.url, code);
  const visitor = {
    device: deviceOf(headers['user-agent'] ?? ''),
    country: country(ip),
    language: preferredLanguage(headers['accept-language']),
  };
  return withCampaign(chooseTarget(code, visitor), code);
}

/** Leads on, once the scan is on disk. */
function createLeading({ limit, record }: Pick<ScansOptions, 'limit' | 'record'>) {
  /** Records a scan that leads somewhere. What was only fetched ahead does not count. */
  async function redirect(
    request: LinkRequest,
    code: ScannedCode,
    scan: { isScan: boolean; result: ScanResult },
    url: string,
  ): Promise<ScanOutcome> {
    if (!isAhead(request)) await record(request, code, scan);
    return { kind: 'redirect', url };
  }

  /** Leads to the target. A scan that fails after all is given back to the limit. */
  async function lead(
    request: LinkRequest,
    code: ScannedCode,
    isScan: boolean,
    url: string,
  ): Promise<ScanOutcome> {
    try {
      return await redirect(request, code, { isScan, result: 'target' }, url);
    } catch (error) {
      // The first error is the one to tell.
      if (code.scan_limit !== null) await limit.giveBack(code.id).catch(() => undefined);
      throw error;
    }
  }

  async function end(
    request: LinkRequest,
    code: ScannedCode,
    { isScan, query }: Opening,
    error: () => AppError,
  ): Promise<ScanOutcome> {
    if (code.expired_url === null) throw error();
    return redirect(
      request,
      code,
      { isScan, result: 'expired_url' },
      withQueryOfScan(code.expired_url, code, query),
    );
  }

  return { lead, end };
}

/** What happens at `/q/{code}`. */
export function createScans(options: ScansOptions) {
  const { lookup, limit, clock, country } = options;
  const isAdmitted = createAdmission(options);
  const { lead, end } = createLeading(options);

  /**
   * Opens a code. Throws `qr.unknown`, and why a code does not work: `qr.paused`, `qr.not_yet`,
   * `qr.expired`, `qr.used_up`; `qr.password_tries` after too many wrong passwords.
   */
  return async (request: LinkRequest, text: string, opening: Opening): Promise<ScanOutcome> => {
    const { isScan, query, password } = opening;
    const code = await lookup.find(text.toLowerCase());
    if (code === null) throw qrErrors.unknown();
    const status = statusOf(code, clock.now());
    if (status === 'paused') throw qrErrors.paused();
    if (status === 'scheduled') throw notYet(code, clock.now());
    if (status === 'expired') return end(request, code, opening, qrErrors.expired);
    if (status === 'used_up') return end(request, code, opening, qrErrors.used_up);
    if (!(await isAdmitted(request, code, password)))
      return { kind: 'password', isWrong: password !== undefined };
    const url = withQueryOfScan(targetOf(code, request, country), code, query);
    if (code.scan_limit !== null) {
      // Programs neither use up the limit nor get past it.
      if (isProgram(request)) return { kind: 'preview' };
      if (!(await limit.take(code.id))) {
        lookup.forget(code.code);
        return end(request, code, opening, qrErrors.used_up);
      }
    }
    return lead(request, code, isScan, url);
  };
}

export type Scans = ReturnType<typeof createScans>;
