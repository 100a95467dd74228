import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { hourMs } from '../../lib/durations.ts';
import { hmacText } from '../../lib/secrets/signed-ids.ts';
import type { Keys } from '../../platform/crypto/keys.ts';
import { contactErrors } from './errors.ts';

/** The least time that a person takes to fill in the form. */
export const minFillMs = 3000;
export const maxFillMs = 12 * hourMs;

const pattern = /^([\da-z]{8,9})\.([\w-]{43})$/;

/** The time at which a form was sent to a browser, signed, so that it can't be made up. */
export function createFormTimes(keys: Keys, clock: Clock) {
  const proofOf = (time: string) => Buffer.from(hmacText(keys('contact-form'), time));

  return {
    /** The value of the form's hidden field. */
    issue(): string {
      const time = clock.now().toString(36);
      return `${time}.${proofOf(time).toString()}`;
    },

    /** Throws `contact.form_expired`, `contact.too_fast`. */
    check(value: string): void {
      const [, time = '', proof = ''] = pattern.exec(value) ?? [];
      if (time === '' || !timingSafeEqual(proofOf(time), Buffer.from(proof)))
        throw contactErrors.form_expired();
      const age = clock.now() - Number.parseInt(time, 36);
      if (age > maxFillMs) throw contactErrors.form_expired();
      if (age < minFillMs) throw contactErrors.too_fast();
    },
  };
}

export type FormTimes = ReturnType<typeof createFormTimes>;
