import type { Config, ConfigMistake } from '../../config.ts';
import { systemClock } from '../../lib/clock.ts';
import { dayMs } from '../../lib/durations.ts';
import { emailKey } from '../../lib/identifiers.ts';
import { emailKeysOf } from '../../lib/text/lists.ts';
import type { Rule } from './rules.ts';

const settings = ['REVIEW_ACCOUNT', 'REVIEW_CODE', 'REVIEW_UNTIL'] as const;
const maxDays = 90;

/** The end of REVIEW_UNTIL, Unix ms. */
export const reviewEnd = (until: string): number => Date.parse(`${until}T00:00:00Z`) + dayMs;

/** True for codes that are tried first: few different digits, or a sequence such as 123456. */
function isGuessable(code: string): boolean {
  const numbers = code.split('').map(Number);
  const steps = new Set(numbers.slice(1).map((number, at) => number - (numbers[at] ?? 0)));
  return new Set(numbers).size < 3 || steps.size === 1;
}

const isAnySet = (config: Config): boolean =>
  settings.some((variable) => config[variable] !== undefined);

/** Rules of the review account, which would be a way past one-time codes without them. */
export const reviewRules: readonly Rule[] = [
  ...settings.map((variable): Rule => [
    variable,
    (config) => isAnySet(config) && config[variable] === undefined,
    'is missing; set REVIEW_ACCOUNT, REVIEW_CODE and REVIEW_UNTIL, or none of them',
  ]),
  [
    'REVIEW_CODE',
    ({ REVIEW_CODE }) => REVIEW_CODE !== undefined && isGuessable(REVIEW_CODE),
    'is guessable; use random digits',
  ],
  [
    'REVIEW_UNTIL',
    ({ REVIEW_UNTIL }) =>
      REVIEW_UNTIL !== undefined &&
      reviewEnd(REVIEW_UNTIL) > systemClock.now() + (maxDays + 1) * dayMs,
    `must be at most ${maxDays} days ahead`,
  ],
  [
    'REVIEW_ACCOUNT',
    ({ REVIEW_ACCOUNT = '', ADMIN_EMAILS }) =>
      emailKeysOf(ADMIN_EMAILS).includes(emailKey(REVIEW_ACCOUNT)),
    'must not be in ADMIN_EMAILS: anyone with the code would be an admin',
  ],
];

/** The warning that admins see while a review account is set; empty without one. */
export function reviewWarnings({ REVIEW_ACCOUNT, REVIEW_UNTIL = '' }: Config): ConfigMistake[] {
  if (REVIEW_ACCOUNT === undefined) return [];
  const message =
    `is set: a fixed code signs this account in until the end of ${REVIEW_UNTIL} (UTC). ` +
    'Unset it as soon as the review is over.';
  return [{ variable: 'REVIEW_ACCOUNT', message }];
}
