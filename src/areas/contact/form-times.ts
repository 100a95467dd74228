import { timingSafeEqual } from 'node:crypto';
import { hourMs } from '../../lib/durations.ts';
import { hmacText } from '../../lib/secrets/signed-ids.ts';
import type { Resources } from '../../platform/resources.ts';
import { contactErrors } from './errors.ts';

/** The least time that a person takes to fill in the form. */
const minFillMs = 3000;
const maxFillMs = 12 * hourMs;

const pattern = /^([\da-z]{8,9})\.([\w-]{43})$/;

/** The time at which a form was sent to a browser, signed, so that it can't be made up. */
export function createFormTimes({ keys, clock }: Pick<Resources, 'keys' | 'clock'>) {
  const proofOf = (time: string) => Buffer.from(hmacText(keys('contact-form'), time));

  /** The age of a form in ms; undefined if this service did not sign its time. */
  function ageOf(value: string): number | undefined {
    const [, time = '', proof = ''] = pattern.exec(value) ?? [];
    if (time === '' || !timingSafeEqual(proofOf(time), Buffer.from(proof))) return undefined;
    return clock.now() - Number.parseInt(time, 36);
  }

  function issue(): string {
    const time = clock.now().toString(36);
    return `${time}.${proofOf(time).toString()}`;
  }

  return {
    /** The value of the form's hidden field. */
    issue,

    /** The value for a form that is shown again: the same while it is valid, or a new one. */
    keep(value: string): string {
      const age = ageOf(value);
      return age === undefined || age > maxFillMs ? issue() : value;
    },

    /** Throws `contact.form_expired`, `contact.too_fast`. */
    check(value: string): void {
      const age = ageOf(value);
      if (age === undefined || age > maxFillMs) throw contactErrors.form_expired();
      if (age < minFillMs) throw contactErrors.too_fast();
    },
  };
}
