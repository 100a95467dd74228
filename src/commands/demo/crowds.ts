import { z } from 'zod';
import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts';
import type { World } from './lives.ts';
import { addressOf, nameOf } from './people.ts';
import { type Act, tokenIn } from './stage.ts';

/** Someone asks with an email address, and usually follows the link in the message. */
interface Asking {
  at: number;
  /** The calls that ask and confirm. */
  calls: readonly [ask: string, confirm: string];
  email: string;
  isConfirmed: boolean;
  details?: () => object;
  onConfirmed?: (answer: unknown) => void;
}

function askingActs({ stage, random }: World, asking: Asking): Act[] {
  const { at, calls, email, isConfirmed, details, onConfirmed } = asking;
  const from = {
    address: addressOf(random),
    userAgent: 'Mozilla/5.0',
    cookies: new Map<string, string>(),
  };
  let token = '';
  const ask = async () => {
    await stage.ask(calls[0], { email, ...details?.() }, from);
    token = await stage.read(email, tokenIn);
  };
  const confirm = async () => {
    const answer = await stage.ask(calls[1], { token }, from);
    onConfirmed?.(answer);
  };
  const confirmedAt = at + random.between(1, 15) * minuteMs;
  return [{ at, play: ask }, ...(isConfirmed ? [{ at: confirmedAt, play: confirm }] : [])];
}

const companies = ['Wollwerk', 'Atelier Nord', 'Maschenprobe', 'Yarn & Co', undefined, undefined];

/** Signups. Unconfirmed ones are deleted after seven days. */
function signupOf({ random, story: { until } }: World, index: number): Asking {
  const at = Math.round(until - random.next() ** 1.4 * 150 * dayMs - 20 * minuteMs);
  const company = random.pick(companies);
  const details = {
    company,
    consent: true,
    ...(random.chance(0.15) ? { referral_code: 'FRIENDS' } : {}),
  };
  return {
    ...{ at, calls: ['POST /signup', 'POST /signup/confirm'] },
    email: `hello${index}@${random.pick(['wool.example', 'mail.example', 'studio.example'])}`,
    isConfirmed: until - at > 6 * dayMs || random.chance(0.7),
    details: () => details,
  };
}

/** Subscribers to mail about incidents. */
function subscriberOf({ random, story: { until } }: World, index: number): Asking {
  const at = Math.round(until - random.next() * 300 * dayMs - 30 * minuteMs);
  const isConfirmed = until - at > dayMs || random.chance(0.6);
  const calls = ['POST /status/subscribe', 'POST /status/confirm'] as const;
  return { at, calls, email: `status${index}@mail.example`, isConfirmed };
}

const waiting = 160;
const Verified = z.object({ referral_code: z.string() });

/** People who join the waitlist over 120 days, many of them by the link of someone before them. */
function newcomerOf({ random, story: { until } }: World, index: number, codes: string[]): Asking {
  const at = Math.round(until - (1 - index / waiting) ** 1.5 * 120 * dayMs - 30 * minuteMs);
  const { name, email } = nameOf(random, index);
  const [local] = email.split('@');
  const isReferred = random.chance(0.45);
  return {
    at,
    calls: [
      index % 4 === 0 ? 'POST /api/v2/waitlist' : 'POST /waitlist',
      'POST /api/v2/waitlist/verify',
    ],
    email: random.chance(0.05) ? `${local}@mailinator.com` : email,
    isConfirmed: until - at > 6 * dayMs || index % 4 !== 0,
    details: () => ({
      ...(random.chance(0.8) ? { name } : {}),
      consent: true,
      ...(index % 3 === 0 ? { metadata: { campaign: 'launch' } } : {}),
      ...(isReferred
        ? { referral_code: codes[Math.floor(random.next() ** 2 * codes.length * 0.4)] }
        : {}),
    }),
    onConfirmed: (answer) => void codes.push(Verified.parse(answer).referral_code),
  };
}

/** Most of those who were approved make an account. */
async function joinApproved({ app: { services, stores } }: World): Promise<void> {
  const approved = stores.db.selectFrom('waitlist_entries').select('email');
  const rows = await approved.where('status', '=', 'approved').limit(14).execute();
  for (const { email } of rows) await services.waitlistAccess.setJoined(email);
}

/** Signups, subscribers of the status page, and the waitlist. */
export function crowdActs(world: World): Act[] {
  const codes: string[] = [];
  const list = (length: number, each: (index: number) => Asking) =>
    Array.from({ length }, (_, index) => askingActs(world, each(index))).flat();
  return [
    ...list(84, (index) => signupOf(world, index)),
    ...list(31, (index) => subscriberOf(world, index)),
    ...list(waiting, (index) => newcomerOf(world, index, codes)),
    ...[39, 8].map((days) => ({
      at: world.story.until - days * dayMs + hourMs,
      play: () => joinApproved(world),
    })),
  ];
}
