import type { Check, CheckResult } from '../health/monitor.ts';
import type { CodeStore } from './code-store.ts';

/** Below it only accounts that there are already get codes. */
const low = 0.2;

const channels = { sms: 'SMS', email: 'e-mail' } as const;

function outputOf(name: string, left: number): string {
  if (left === 0) return `the day's codes by ${name} are used up: none is sent until tomorrow`;
  return (
    `fewer than a fifth of the day's codes by ${name} are left: first-time sign-ins get none ` +
    'until tomorrow'
  );
}

/** A health check of how many codes may still be sent today (OTP_DAILY_LIMIT). */
export function codeBudgetCheck({ shareLeft }: Pick<CodeStore, 'shareLeft'>): Check {
  return async (): Promise<CheckResult> => {
    const left = { sms: await shareLeft('sms'), email: await shareLeft('email') };
    const short = (['sms', 'email'] as const).filter((channel) => left[channel] <= low);
    const observed = {
      observedValue: Math.floor(Math.min(left.sms, left.email) * 100),
      observedUnit: 'percent left',
    };
    if (short.length === 0) return observed;
    return {
      ...observed,
      status: 'warn',
      output: short.map((channel) => outputOf(channels[channel], left[channel])).join('; '),
    };
  };
}
