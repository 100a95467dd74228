import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import { dayMs } from '../../../../lib/durations.ts';
import { capitalized } from '../../../../lib/text/case.ts';
import { escapeHtml, type Html, unescapeHtml } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import { formatLongDate } from '../../../../platform/i18n/dates.ts';
import { formatList } from '../../../../platform/i18n/lists.ts';
import { Avatar } from '../../../../platform/ui/components/avatar.tsx';
import { Icon, type IconName } from '../../../../platform/ui/icon.tsx';
import { Ago, Time } from '../../../../platform/ui/time.tsx';
import { sectionPath } from '../../sections.ts';
import { readable } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { type Fold, foldEntries, isRepeated, isSameTarget } from './folding.ts';
import { siteIn, type Subject, subjectKey, type Subjects } from './subjects.ts';

const words = texts.activity;

/** A name as a link to its page. */
export const linked = ({ name, href }: Subject): Html =>
  href === undefined ? escapeHtml(name) : <a href={href}>{escapeHtml(name)}</a>;

const sentences: Readonly<Partial<Record<string, string>>> = words.sentences;
const ownSentences: Readonly<Partial<Record<string, string>>> = words.own;
const manySentences: Readonly<Partial<Record<string, string>>> = words.many;
const kinds: Readonly<Partial<Record<string, { one: string; named: string }>>> = words.kinds;
const reasons: Readonly<Partial<Record<string, string>>> = words.reasons;
const roleNames: Readonly<Partial<Record<string, string>>> = words.roles;

const withoutWho = (sentence: string): string =>
  capitalized(sentence.replace(/^<who><\/who> /, ''));

/** Who did it, as the subject of a sentence. */
export function actorOf({ actor: { kind, id } }: AuditEventView, subjects: Subjects): Subject {
  if (id === 'env') return { name: words.actors.adminKey };
  return (
    (id === null ? undefined : subjects.get(subjectKey(kind, id))) ?? { name: words.actors[kind] }
  );
}

/** What it was done to, with a link to its page. */
export function targetOf(entry: AuditEventView, subjects: Subjects): Html {
  const { actor, target } = entry;
  const site = siteIn(entry);
  if (site !== undefined) return linked(site);
  if (target === null)
    return escapeHtml(
      entry.action.startsWith('otp.') ? words.kinds.identifier.one : words.something,
    );
  if (target.kind === 'user' && actor.id === target.id) return escapeHtml(words.ownAccount);
  const subject = subjects.get(subjectKey(target.kind, target.id));
  if (subject?.own !== undefined && subject.ownerId === actor.id)
    return linked({ ...subject, name: subject.own });
  const kind = kinds[target.kind];
  if (subject === undefined) return escapeHtml(kind?.one ?? readable(target.kind).toLowerCase());
  return rich(kind?.named ?? '<name></name>', { name: () => linked(subject) });
}

/** What happened, with places for names. */
function patternOf({ action, actor, target }: AuditEventView): string {
  const isOwn = target?.kind === 'user' && target.id === actor.id;
  const own = isOwn ? ownSentences[action] : undefined;
  return own ?? sentences[action] ?? readable(action.replaceAll('.', ' '));
}

/** Whom it was done to, at the start of a sentence. */
const personIn = ({ target }: AuditEventView, subjects: Subjects): Subject =>
  (target === null ? undefined : subjects.get(subjectKey(target.kind, target.id))) ?? {
    name: words.actors.anonymous,
  };

/** The roles that somebody has got. */
function rolesIn({ details: { to } }: AuditEventView): string {
  const names = Array.isArray(to) ? to.map((role) => roleNames[String(role)] ?? String(role)) : [];
  return names.length === 0 ? words.roles.none : formatList(names);
}

/** Why it failed, in words. Undefined for what did not, and without a reason. */
export function reasonOf({ reason, outcome }: AuditEventView): string | undefined {
  if (reason === null || outcome === 'success') return undefined;
  return reasons[reason] ?? readable(reason.replace(/^.*\./, '')).toLowerCase();
}

/**
 * What happened, as a sentence for people: "Ada Moreau replied to the message from Tobias Lang",
 * with names as links. `isNameless` leaves out who did it: "Replied to the message".
 */
export function sentenceOf(entry: AuditEventView, subjects: Subjects, isNameless = false): Html {
  const reason = reasonOf(entry);
  const sentence = patternOf(entry);
  return (
    <>
      {rich(isNameless ? withoutWho(sentence) : sentence, {
        who: () => linked(actorOf(entry, subjects)),
        what: () => targetOf(entry, subjects),
        whom: () => linked(personIn(entry, subjects)),
        to: () => escapeHtml(rolesIn(entry)),
      })}
      {reason !== undefined && escapeHtml(`: ${reason}`)}
    </>
  );
}

/** The same as plain text, for titles. */
export const sentenceText = (entry: AuditEventView, subjects: Subjects): string =>
  capitalized(unescapeHtml(sentenceOf(entry, subjects).replace(/<[^>]*>/g, '')));

/** The page of an entry. */
export const entryPath = ({ id }: AuditEventView): string => `${sectionPath('audit')}/${id}`;

const actorIcons = { api_key: 'key', system: 'settings', anonymous: 'user', user: 'user' } as const;

const isBy = ({ actor }: AuditEventView, userId: string | undefined): boolean =>
  userId !== undefined && actor.kind === 'user' && actor.id === userId;

const actionIcons: Readonly<Partial<Record<string, IconName>>> = {
  session: 'key',
  otp: 'key',
  second_factor: 'shield',
  passkey: 'shield',
  backup_code: 'shield',
  backup_codes: 'shield',
  device: 'devices',
  user: 'user',
  identity: 'user',
};

/** The face of who did it. Nobody known has an icon, and so has what the page's own user did. */
function face(entry: AuditEventView, subjects: Subjects, aboutUser: string | undefined): Html {
  const { kind } = entry.actor;
  if (isBy(entry, aboutUser))
    return (
      <span class="avatar avatar-none" aria-hidden="true">
        <Icon name={actionIcons[entry.action.split('.', 1).join()] ?? 'edit'} />
      </span>
    );
  if (kind === 'user') return <Avatar name={actorOf(entry, subjects).name} />;
  return (
    <span class="avatar avatar-none" aria-hidden="true">
      <Icon name={actorIcons[kind]} />
    </span>
  );
}

/** What several entries say together: "replied to 7 messages", or "signed in, 3 times". */
function foldSentence(fold: Fold, subjects: Subjects, aboutUser: string | undefined): Html {
  const { entry, entries } = fold;
  if (!isRepeated(fold)) return sentenceOf(entry, subjects, isBy(entry, aboutUser));
  const many = manySentences[entry.action];
  const count = entries.length;
  if (isSameTarget(fold))
    return (
      <>
        {sentenceOf(entry, subjects)}
        {escapeHtml(words.times({ count }))}
      </>
    );
  if (many === undefined)
    return (
      <>
        {sentenceOf(entry, subjects)}
        {escapeHtml(words.andMore({ count: count - 1 }))}
      </>
    );
  return rich(many, {
    who: () => linked(actorOf(entry, subjects)),
    count: () => escapeHtml(String(count)),
  });
}

export interface ActivityOptions {
  entries: readonly AuditEventView[];
  subjects: Subjects;
  /** The page with all details of an entry, which opens in a drawer. Unset: without a link. */
  detailsPath?: (entry: AuditEventView) => string;
  /** Shows how long ago it was at this time, Unix ms. Default: the time itself. */
  now?: number;
  /** The page is about this user: what they did shows neither their face nor their name. */
  aboutUser?: string;
  /** Shows neighbours that say the same as one. */
  isFolded?: boolean;
}

/** What people did, newest first, as sentences with faces and times. */
export function ActivityList(options: ActivityOptions): Html {
  const { entries, subjects, detailsPath, now, aboutUser, isFolded = false } = options;
  const timeOf = ({ at }: AuditEventView): Html =>
    now === undefined ? <Time at={at} /> : <Ago at={at} now={now} />;
  const folds = isFolded
    ? foldEntries(entries)
    : entries.map((entry): Fold => ({ entry, entries: [entry] }));
  return (
    <ol class="activity">
      {folds.map((fold) => (
        <li class={fold.entry.outcome === 'success' ? undefined : 'activity-bad'}>
          {face(fold.entry, subjects, aboutUser)}
          <span class="activity-text">{foldSentence(fold, subjects, aboutUser)}</span>
          {detailsPath === undefined ? (
            timeOf(fold.entry)
          ) : (
            <a class="activity-time" href={detailsPath(fold.entry)} data-drawer>
              {timeOf(fold.entry)}
            </a>
          )}
        </li>
      ))}
    </ol>
  );
}

const daysOf = (entries: readonly AuditEventView[]): string[] => [
  ...new Set(entries.map(({ at }) => at.slice(0, 10))),
];

/** The same under headings of days: in UTC, and with the script in the zone of the viewer. */
export const ActivityDays = ({ now, ...options }: ActivityOptions & { now: number }): Html => {
  const days = daysOf(options.entries);
  const nameOf = (day: string): string => {
    const today = new Date(now).toISOString().slice(0, 10);
    const yesterday = new Date(now - dayMs).toISOString().slice(0, 10);
    if (day === today) return words.today;
    return day === yesterday ? words.yesterday : formatLongDate(day);
  };
  return (
    <div data-days>
      {days.map((day) => (
        <>
          <h3 class="activity-day">{escapeHtml(nameOf(day))}</h3>
          {ActivityList({
            ...options,
            entries: options.entries.filter(({ at }) => at.startsWith(day)),
          })}
        </>
      ))}
    </div>
  );
};

/** How many lines entries take when neighbours that say the same are one. */
export const countFolds = (entries: readonly AuditEventView[]): number =>
  daysOf(entries).reduce(
    (sum, day) => sum + foldEntries(entries.filter(({ at }) => at.startsWith(day))).length,
    0,
  );
