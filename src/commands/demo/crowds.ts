import { dayMs, minuteMs } from '../../lib/durations.ts';
import { browserOf, nameOf } from './people.ts';
import type { Random } from './random.ts';
import type { Step, Thread } from './stage.ts';
import type { Story } from './story.ts';

interface Crowd {
  random: Random;
  story: Story;
}

/** Someone asks with an email address, and may follow the link in the message minutes later. */
function asking(
  { random }: Crowd,
  at: number,
  email: string,
  [ask, confirm]: readonly [Step, string],
  isConfirmed: boolean,
): Thread {
  const steps: Step[] = [ask, [0, `READ ${email}`]];
  if (isConfirmed) steps.push([random.between(1, 15), confirm, { token: ':token' }]);
  return { at: Math.round(at), by: browserOf(random), steps };
}

/** Signups. Unconfirmed ones are deleted after seven days. */
function signup(crowd: Crowd, index: number): Thread {
  const { random, story } = crowd;
  const at = story.until - random.next() ** 1.4 * 150 * dayMs - 20 * minuteMs;
  const host = random.pick(['wool.example', 'mail.example', 'studio.example']);
  const company = ['Wollwerk', undefined, 'Atelier Nord', 'Maschenprobe', 'Yarn & Co'][index % 6];
  const email = `hello${index}@${host}`;
  const code = index % 7 === 0 ? { referral_code: 'FRIENDS' } : {};
  const body = { email, company, consent: true, ...code };
  const isConfirmed = story.until - at > 6 * dayMs || random.chance(0.7);
  return asking(crowd, at, email, [[0, 'POST /signup', body], 'POST /signup/confirm'], isConfirmed);
}

/** Subscribers to mail about incidents. */
function subscriber(crowd: Crowd, index: number): Thread {
  const { random, story } = crowd;
  const at = story.until - random.next() * 300 * dayMs - 30 * minuteMs;
  const email = `status${index}@mail.example`;
  const ask: Step = [0, 'POST /status/subscribe', { email }];
  const isConfirmed = story.until - at > dayMs || random.chance(0.6);
  return asking(crowd, at, email, [ask, 'POST /status/confirm'], isConfirmed);
}

const waiting = 160;

/** People who join the waitlist over 120 days, many of them by the link of someone before them. */
function newcomer(crowd: Crowd, index: number, codes: string[]): Thread {
  const { random, story } = crowd;
  const at = story.until - (1 - index / waiting) ** 1.5 * 120 * dayMs - 30 * minuteMs;
  const { name, email: usual } = nameOf(random, index);
  const email = index % 19 === 5 ? usual.replace(/@.*/, '@mailinator.com') : usual;
  const metadata = index % 3 === 0 ? { metadata: { campaign: 'launch' } } : {};
  const isReferred = random.chance(0.45);
  const body = () => ({
    ...{ email, consent: true, ...metadata, name: index % 5 === 0 ? undefined : name },
    referral_code: isReferred
      ? codes[Math.floor(random.next() ** 2 * codes.length * 0.4)]
      : undefined,
  });
  const ask: Step = [0, index % 4 === 0 ? 'POST /api/v2/waitlist' : 'POST /waitlist', body];
  const isConfirmed = story.until - at > 6 * dayMs || index % 4 !== 0;
  const thread = asking(crowd, at, email, [ask, 'POST /api/v2/waitlist/verify'], isConfirmed);
  const then: Thread['then'] = ({ referral_code: code }) =>
    typeof code === 'string' ? void codes.push(code) : undefined;
  return { ...thread, then };
}

/** Signups, subscribers of the status page, and the waitlist. */
export function crowdThreads(crowd: Crowd): Thread[] {
  const codes: string[] = [];
  const list = (length: number, each: (index: number) => Thread) =>
    Array.from({ length }, (_, index) => each(index));
  return [
    ...list(84, (index) => signup(crowd, index)),
    ...list(31, (index) => subscriber(crowd, index)),
    ...list(waiting, (index) => newcomer(crowd, index, codes)),
  ];
}
