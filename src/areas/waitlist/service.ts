import type { z } from 'zod';
import { emailIdentity } from '../../lib/identifiers.ts';
import { parseSignedId } from '../../lib/secrets/signed-ids.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { hourMs } from '../../lib/durations.ts';
import { siteNetwork } from '../../lib/net/ip.ts';
import {
  RequestValidationError,
  type ValidationDetail,
  valueError,
} from '../../platform/validation/validation-error.ts';
import type { Database } from '../../platform/database/database.ts';
import type { WaitlistParts } from './compose.ts';
import { waitlistErrors } from './errors.ts';
import type { JoinJob } from './jobs.ts';
import { linkHours } from './emails.ts';
import { networkWindowMs, reasonsToWithhold, velocityWindowMs } from './referral-rules.ts';
import type { JoinBody, LeaderboardView, OwnEntryView } from './schemas.ts';
import type { EntryRow } from './store.ts';
import type { Source } from './tables.ts';
import { createOwnView, maskedName } from './views.ts';

const leaderCount = 10;
const figuresMs = 1000;

const orNull = (value: string | undefined): string | null =>
  value === undefined || value === '' ? null : value;

/** Throws a RequestValidationError that names the invalid fields. */
function requireValid({ email, consent }: Pick<JoinBody, 'email' | 'consent'>): string {
  const identity = emailIdentity(email);
  const errors: ValidationDetail[] = [
    ...(identity === undefined
      ? [valueError(['body', 'email'], 'must be an email address, such as name@example.com')]
      : []),
    ...(consent === true ? [] : [valueError(['body', 'consent'], 'must be given')]),
  ];
  if (identity === undefined || errors.length > 0) throw new RequestValidationError(errors);
  return identity.key;
}

interface PublicFigures {
  /** People who are waiting; null if the operator keeps it private. */
  total: number | null;
  /** The best referrers, with masked names; none if the operator keeps them private. */
  leaders: z.output<typeof LeaderboardView>['data'];
}

/** What people on the waitlist do. Nothing here tells whether an address is known. */
export function createWaitlist(parts: WaitlistParts, joinJob: JoinJob) {
  const { live, clock, store, creditStore, ranking, tokens, audit, channels } = parts;
  const toOwnView = createOwnView(parts);
  const isOpen = channels.email;
  let known: { at: number; figures: Promise<PublicFigures> } | undefined;

  return { isOpen, join, verify, me, leave, figures, leaderboard };

  /**
   * Asks to join: a message with a link is sent, unless the mailbox got one in the last ten
   * minutes; after three unused links, one a day. `address` is the client's IP address. Throws
   * `waitlist.email_not_configured`, a RequestValidationError that names the field, and
   * `request.unavailable` without Redis.
   */
  async function join(
    body: JoinBody,
    { address, source }: { address: string; source: Source },
  ): Promise<void> {
    if (!isOpen) throw waitlistErrors.email_not_configured();
    const email = requireValid(body);
    // A bot that fills in the hidden field gets the same response, but no message.
    if (orNull(body.website) !== null) return;
    await joinJob.queue({
      email,
      name: orNull(body.name),
      metadata: body.metadata ?? {},
      referralCode: orNull(body.referral_code),
      network: siteNetwork(address) ?? null,
      source,
    });
  }

  /**
   * Verifies an address by a token, valid once for 24 hours, and settles the credit of its
   * referrer. `browserToken`: the status token that the browser has. Throws
   * `waitlist.link_invalid`.
   */
  async function verify(
    token: string,
    { address, browserToken = '' }: { address: string; browserToken?: string | undefined },
  ): Promise<{ entry: OwnEntryView; token: string }> {
    const signedId = parseSignedId(token);
    if (signedId === undefined) throw waitlistErrors.link_invalid();
    const now = clock.now();
    const row = await creditStore.change(async (transaction) => {
      const confirmed = await store.confirm(transaction, {
        id: signedId.id,
        hash: sha256Hex(signedId.proof),
        network: siteNetwork(address) ?? null,
        since: new Date(now - linkHours * hourMs),
        now: new Date(now),
      });
      if (confirmed === undefined) throw waitlistErrors.link_invalid();
      await settleCredit(transaction, confirmed, tokens.status.idOf(browserToken));
      return confirmed;
    });
    return { entry: await toOwnView(row), token: tokens.status.of(row.id) };
  }

  /** Returns the entry of a status token. Throws `waitlist.token_invalid`. */
  async function me(token: string): Promise<OwnEntryView> {
    const id = tokens.status.idOf(token);
    const row = id === undefined ? undefined : await store.find(id);
    if (row === undefined) throw waitlistErrors.token_invalid();
    return toOwnView(row);
  }

  /**
   * Deletes the entry of a token from an email; repeating the call has no effect. Throws
   * `waitlist.link_invalid`.
   */
  async function leave(token: string): Promise<void> {
    const id = tokens.leave.idOf(token);
    if (id === undefined) throw waitlistErrors.link_invalid();
    const target = { kind: 'waitlist_entry', id };
    await creditStore.change(async (transaction) => {
      const row = await store.delete(transaction, id);
      if (row === undefined) return;
      await creditStore.recountReferrersOf(transaction, [row]);
      await audit.recordIn(transaction, [
        { actor: { kind: 'anonymous' }, action: 'waitlist.left', target },
      ]);
    });
  }

  /** The public figures, read at most once a second: everybody may ask for them. */
  function figures(): Promise<PublicFigures> {
    const now = clock.now();
    if (known === undefined || now - known.at >= figuresMs) {
      const reading = { at: now, figures: readFigures() };
      known = reading;
      reading.figures.catch(() => {
        if (known === reading) known = undefined;
      });
    }
    return known.figures;
  }

  /** Throws `waitlist.leaderboard_off`. */
  async function leaderboard(): Promise<z.output<typeof LeaderboardView>> {
    if (!live().waitlistLeaderboard) throw waitlistErrors.leaderboard_off();
    return { data: (await figures()).leaders };
  }

  async function readFigures(): Promise<PublicFigures> {
    const { waitlistTotal, waitlistLeaderboard } = live();
    const [total = null, leaders] = await Promise.all([
      waitlistTotal ? ranking.countWaiting() : undefined,
      waitlistLeaderboard ? ranking.leaders(leaderCount) : [],
    ]);
    return {
      total,
      leaders: leaders.map(({ name, amount_referred }, at) => ({
        rank: at + 1,
        name: maskedName(name),
        amount_referred,
      })),
    };
  }

  /** Decides whether the referrer of a person who verifies gets credit. */
  async function settleCredit(
    within: Database,
    row: EntryRow,
    browserEntry: string | undefined,
  ): Promise<void> {
    const { referred_by: referredBy } = row;
    if (referredBy === null || row.credit !== 'waiting') return;
    const now = clock.now();
    const networks = [row.network, row.verified_network].filter((network) => network !== null);
    const referrer = await creditStore.findReferrer(within, {
      referredBy,
      networks,
      since: new Date(now - networkWindowMs),
      lastHour: new Date(now - velocityWindowMs),
    });
    if (referrer === undefined) return;
    const reasons = reasonsToWithhold({
      isDisposable: row.is_disposable,
      networks,
      isReferrersBrowser: browserEntry === referredBy,
      mailbox: row.mailbox,
      referrer,
    });
    const credit = reasons.length === 0 ? 'granted' : 'withheld';
    await creditStore.setCredit(within, row.id, { credit, reasons });
    await creditStore.recountReferrersOf(within, [row]);
  }
}
