import type { Check, CheckResult } from '../../health/monitor.ts';
import type { CodeStore } from './store.ts';

/** At or below this share only existing accounts get codes. */
const reservedShare = 0.2;

const channels = { sms: 'SMS', email: 'email' } as const;

function outputOf(name: string, left: number): string {
  if (left === 0) return `the day's codes by ${name} are used up: none is sent until tomorrow`;
  return (
    `fewer than a fifth of the day's codes by ${name} are left: first-time sign-ins get none ` +
    'until tomorrow'
  );
}

/** A health check that warns when the day's codes run low (OTP_DAILY_LIMIT). */
export function codeBudgetCheck({ shareLeft }: Pick<CodeStore, 'shareLeft'>): Check {
  return async (): Promise<CheckResult> => {
    const left = { sms: await shareLeft('sms'), email: await shareLeft('email') };
    const lowChannels = (['sms', 'email'] as const).filter(
      (channel) => left[channel] <= reservedShare,
    );
    const observed = {
      observedValue: Math.floor(Math.min(left.sms, left.email) * 100),
      observedUnit: 'percent left',
    };
    if (lowChannels.length === 0) return observed;
    return {
      ...observed,
      status: 'warn',
      output: lowChannels.map((channel) => outputOf(channels[channel], left[channel])).join('; '),
    };
  };
}
