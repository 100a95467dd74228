import { capitalized } from '../../../lib/text/case.ts';
import { texts } from './texts/en.ts';

const words = texts.jobs;
const names: Readonly<Partial<Record<string, string>>> = words.names;

/** A kind of job in words: `account-upkeep` is “Account upkeep”. */
export const kindName = (kind: string): string =>
  Object.hasOwn(names, kind) ? (names[kind] ?? kind) : capitalized(kind.replaceAll('-', ' '));

/**
 * What tells a job from others of its kind. Ids are `kind:number`, and `kind:repeat:…` for the runs
 * of a schedule.
 */
export function jobNumber(id: string): string {
  const [, second = '', ...rest] = id.split(':');
  if (second === 'repeat') return words.scheduled;
  return words.number({ id: [second, ...rest].join(':').slice(0, 24) });
}
