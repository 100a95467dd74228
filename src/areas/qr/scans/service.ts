import { isbot } from 'isbot';
import type { Clock } from '../../../lib/clock.ts';
import type { LinkPasswords } from '../../../platform/crypto/link-passwords.ts';
import { type AppError, retryAfter } from '../../../platform/errors/errors.ts';
import { isPrefetch } from '../../../platform/http/requests/prefetch.ts';
import type { PasswordAttempts } from '../../../platform/redis/password-attempts.ts';
import type { LinkRequest } from '../../analytics/ingest/link-events.ts';
import type { Geoip } from '../../geoip/country-database.ts';
import { statusOf } from '../codes/status.ts';
import { qrErrors } from '../errors.ts';
import type { CodeLookup, ScannedCode } from './lookup.ts';
import type { RecordScan, ScanResult } from './recording.ts';
import { rulePropOf } from '../rule-prop.ts';
import type { ScanLimit } from './scan-limit.ts';
import {
  deviceOf,
  fittingRule,
  preferredLanguage,
  type Visitor,
  withCampaign,
  withQueryOfScan,
} from '../target-choice.ts';

/** What a scan gets. */
export type ScanOutcome =
  | { kind: 'redirect'; url: string }
  /** The password is missing or wrong. */
  | { kind: 'password'; isWrong: boolean }
  /** A program, for which a code with a scan limit has no target. */
  | { kind: 'preview' };

/** How people and programs reached a code. */
interface Opening {
  /** From the picture, rather than by a link in a message. */
  isScan: boolean;
  /** The query of the request as it was sent, without `?`. */
  query: string;
  password?: string | undefined;
}

/** Where a scan leads, and the rule that chose it as events have it, for codes with rules. */
interface ScanTarget {
  url: string;
  rule?: string;
}

/** One request for a code. */
interface Scan extends Opening {
  request: LinkRequest;
  code: ScannedCode;
}

/** What happens at `/q/{code}`. */
export function createScans({
  lookup,
  scanLimit,
  record,
  passwords,
  attempts,
  clock,
  geoip,
}: {
  lookup: CodeLookup;
  scanLimit: ScanLimit;
  record: RecordScan;
  passwords: Pick<LinkPasswords, 'isCorrect'>;
  attempts: PasswordAttempts;
  clock: Clock;
  geoip: Pick<Geoip, 'country'>;
}) {
  return { open };

  /**
   * Opens a code. Throws `qr.unknown`, and why a code does not work: `qr.paused`, `qr.not_yet`,
   * `qr.expired`, `qr.used_up`; `qr.password_tries` after too many wrong passwords.
   */
  async function open(request: LinkRequest, text: string, opening: Opening): Promise<ScanOutcome> {
    const code = await lookup.find(text.toLowerCase());
    if (code === null) throw qrErrors.unknown();
    const scan = { ...opening, request, code };
    const status = statusOf(code, clock.now());
    if (status === 'paused') throw qrErrors.paused();
    if (status === 'scheduled') throw notYet(code, clock.now());
    if (status === 'expired') return end(scan, qrErrors.expired);
    if (status === 'used_up') return end(scan, qrErrors.used_up);
    if (!(await checkPassword(scan)))
      return { kind: 'password', isWrong: opening.password !== undefined };
    if (code.scan_limit === null) return redirect(scan, 'target', targetOf(scan));
    // Programs neither use up the limit nor get past it.
    if (isProgram(request)) return { kind: 'preview' };
    if (await scanLimit.take(code.id)) return redirectCounted(scan);
    lookup.forget(code.code);
    return end(scan, qrErrors.used_up);
  }

  /** True for a code without a password. */
  async function checkPassword({ request, code, password }: Scan): Promise<boolean> {
    if (code.password === null) return true;
    if (password === undefined) return false;
    const waitMs = await attempts.begin(code.id, request.ip);
    if (waitMs > 0) throw qrErrors.password_tries(retryAfter(Math.ceil(waitMs / 1000)));
    if (!(await passwords.isCorrect(password, code.password))) return false;
    await attempts.clear(code.id, request.ip);
    return true;
  }

  /** Redirects once the scan is on disk. What was only fetched ahead does not count. */
  async function redirect(
    { request, code, isScan }: Scan,
    result: ScanResult,
    { url, rule }: ScanTarget,
  ): Promise<ScanOutcome> {
    if (!isPrefetchOrHead(request)) await record(request, code, { isScan, result, rule });
    return { kind: 'redirect', url };
  }

  /** Redirects a scan that the limit has counted. One that fails after all is given back. */
  async function redirectCounted(scan: Scan): Promise<ScanOutcome> {
    try {
      return await redirect(scan, 'target', targetOf(scan));
    } catch (error) {
      // The first error is the one to report.
      await scanLimit.giveBack(scan.code.id).catch(() => undefined);
      throw error;
    }
  }

  async function end(scan: Scan, error: () => AppError): Promise<ScanOutcome> {
    const { code, query } = scan;
    if (code.expired_url === null) throw error();
    return redirect(scan, 'expired_url', {
      url: withQueryOfScan(code.expired_url, code, query),
    });
  }

  function targetOf({ code, request, query }: Scan): ScanTarget {
    const urlOf = (target: string) => withQueryOfScan(withCampaign(target, code), code, query);
    if (code.rules.length === 0) return { url: urlOf(code.url) };
    const rule = fittingRule(code.rules, visitorOf(request, geoip));
    return { url: urlOf(rule?.url ?? code.url), rule: rulePropOf(rule) };
  }
}

/** Who scans, as far as rules depend on it. */
const visitorOf = ({ headers, ip }: LinkRequest, geoip: Pick<Geoip, 'country'>): Visitor => ({
  device: deviceOf(headers['user-agent'] ?? ''),
  country: geoip.country(ip),
  language: preferredLanguage(headers['accept-language']),
});

const isPrefetchOrHead = ({ method, headers }: LinkRequest): boolean =>
  method === 'HEAD' || isPrefetch(headers);

/** As the figures count them: a client that doesn't say what it is counts as a program. */
function isProgram(request: LinkRequest): boolean {
  const { 'user-agent': userAgent = '' } = request.headers;
  return isPrefetchOrHead(request) || userAgent.trim() === '' || isbot(userAgent);
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
