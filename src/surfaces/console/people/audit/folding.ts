import type { AuditEventView } from '../../../../areas/audit/schemas.ts';

/** Entries that are one thing to people: the newest one, and those that it stands for. */
export interface Fold {
  entry: AuditEventView;
  /** All of them, newest first. */
  entries: readonly AuditEventView[];
}

/** What one sign-in leaves in the log, within seconds. */
const signInSteps: readonly string[] = [
  'session.created',
  'dev_bypass.used',
  'otp.verified',
  'idp.completed',
  'second_factor.verified',
];
const signInMs = 5000;

const isSignIn = (one: AuditEventView, other: AuditEventView): boolean =>
  one.action !== other.action &&
  signInSteps.includes(one.action) &&
  signInSteps.includes(other.action) &&
  Math.abs(Date.parse(one.at) - Date.parse(other.at)) <= signInMs;

/** Whether two neighbours are steps of one thing, or the same thing done again on the same day. */
function belongTogether(one: AuditEventView, other: AuditEventView): boolean {
  if (one.actor.kind !== other.actor.kind || one.actor.id !== other.actor.id) return false;
  if (one.outcome !== 'success' || other.outcome !== 'success') return false;
  const isAgain = one.action === other.action && one.at.slice(0, 10) === other.at.slice(0, 10);
  return isAgain || isSignIn(one, other);
}

/** Folds neighbours that say the same. `entries` are newest first, and so are the folds. */
export function foldEntries(entries: readonly AuditEventView[]): Fold[] {
  const folds: AuditEventView[][] = [];
  for (const entry of entries) {
    const last = folds.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && belongTogether(before, entry))
      last.push(entry);
    else folds.push([entry]);
  }
  return folds.flatMap((all) => {
    const entry = all.find(({ action }) => action === 'session.created') ?? all[0];
    return entry === undefined ? [] : [{ entry, entries: all }];
  });
}

/** Whether all are about the same target. */
export const isSameTarget = ({ entry, entries }: Fold): boolean =>
  entries.every(
    ({ target }) => target?.kind === entry.target?.kind && target?.id === entry.target?.id,
  );

/** Whether the entries are several of one action, not the steps of one thing. */
export const isRepeated = ({ entry, entries }: Fold): boolean =>
  entries.length > 1 && entries.every(({ action }) => action === entry.action);
