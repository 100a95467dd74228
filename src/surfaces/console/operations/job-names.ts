import { capitalized } from '../../../lib/text/case.ts';
import { duration } from '../components/number-format.ts';
import { texts } from './texts/en.ts';

const words = texts.jobs;
const names: Readonly<Partial<Record<string, string>>> = words.names;

/** A kind of job in words: `account-upkeep` is “Account upkeep”. */
export const kindName = (kind: string): string =>
  Object.hasOwn(names, kind) ? (names[kind] ?? kind) : capitalized(kind.replaceAll('-', ' '));

/** How often a kind runs: `Every 10 min`, or when it is needed. `every`: seconds. */
export function scheduleText(every: number | null): string {
  const { onDemand, every: repeats } = words.kinds;
  if (every === null) return onDemand;
  const unit = units.find(({ seconds }) => every === seconds);
  return unit === undefined ? repeats.interval({ interval: duration(every) }) : repeats[unit.name];
}

const units = [
  { seconds: 60, name: 'minute' },
  { seconds: 3600, name: 'hour' },
  { seconds: 86_400, name: 'day' },
] as const;

/** Whether a job is the next run of a schedule, which is never canceled. */
export const isScheduledRun = (id: string): boolean => id.split(':')[1] === 'repeat';

/**
 * What tells a job from others of its kind. Ids are `kind:number`, and `kind:repeat:…` for the runs
 * of a schedule.
 */
export function jobNumber(id: string): string {
  const [, second = '', ...rest] = id.split(':');
  if (isScheduledRun(id)) return words.scheduled;
  return words.number({ id: [second, ...rest].join(':').slice(0, 24) });
}
