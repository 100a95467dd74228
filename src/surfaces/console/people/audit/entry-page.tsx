import { countryOf } from '../../../../areas/identity/devices/pages/page-parts.tsx';
import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import { capitalized } from '../../../../lib/text/case.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { formatList } from '../../../../platform/i18n/lists.ts';
import { Badge, type Tone } from '../../../../platform/ui/components/badge.tsx';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { type Fact, Facts } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { formPage } from '../../components/form-page.tsx';
import { textLink, withQuery } from '../../components/navigation.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { readable } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import {
  ActivityList,
  actorOf,
  entryPath,
  linked,
  reasonOf,
  sentenceText,
  targetOf,
} from './activity.tsx';
import { auditPath } from './audit-filters.tsx';
import { type Subject, subjectKey, type Subjects } from './subjects.ts';

export interface AuditEntryView {
  entry: AuditEventView;
  subjects: Subjects;
  /** What the action means. */
  meaning: string | undefined;
  /** The country of the IP address. */
  country: string | undefined;
  /** The nearest entries of the same thing, newest first. */
  around: readonly AuditEventView[];
  /** Unix ms. */
  now: number;
}

const words = texts.audit;
const labels = words.details;

const tones: Readonly<Record<AuditEventView['outcome'], Tone>> = {
  success: 'ok',
  failure: 'warn',
  denied: 'bad',
};

const valueNames: Readonly<Partial<Record<string, string>>> = labels.values;

/** A value of the details in words: lists as lists, members after their names. */
function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return words.details.empty;
  if (typeof value === 'boolean') return value ? words.details.yes : words.details.no;
  if (Array.isArray(value))
    return value.length === 0 ? words.details.empty : formatList(value.map(valueText));
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, member]) => `${readable(name)}: ${valueText(member)}`)
      .join('; ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return valueNames[text] ?? text;
}

/** Members of details that say nothing to people. */
const technical: readonly string[] = ['transition', 'request_id'];
/** What was before stands before what is now, and both after the rest. */
const lastDetails: readonly string[] = ['from', 'to'];
const orderOf = (name: string): number => lastDetails.indexOf(name);
const detailNames: Readonly<Partial<Record<string, string>>> = labels.names;

/** People as links, everything else as text. */
function detailValue(value: unknown, subjects: Subjects): Html {
  const person = typeof value === 'string' ? subjects.get(subjectKey('user', value)) : undefined;
  return person?.href === undefined
    ? escapeHtml(capitalized(valueText(value)))
    : textLink(person.href, person.name);
}

/** The thing that neighbours of an entry have in common, by the filter that lists them all. */
export function sharedOf(
  { actor, target }: AuditEventView,
  subjects: Subjects,
): { subject: Subject; filter: { target_id: string } | { actor_id: string } } | undefined {
  const what = target === null ? undefined : subjects.get(subjectKey(target.kind, target.id));
  if (target !== null && what !== undefined)
    return { subject: what, filter: { target_id: target.id } };
  const who = actor.id === null ? undefined : subjects.get(subjectKey(actor.kind, actor.id));
  return actor.id === null || who === undefined
    ? undefined
    : { subject: who, filter: { actor_id: actor.id } };
}

/** Where a request came from. */
function placeOf({ entry: { address }, country }: AuditEntryView): string {
  if (address === null) return labels.noAddress;
  return country === undefined ? address : labels.place({ country: countryOf(country), address });
}

function facts(view: AuditEntryView): (Fact | undefined)[] {
  const { entry, subjects, meaning } = view;
  const { at, action, outcome, details, target, actor } = entry;
  const reason = reasonOf(entry);
  return [
    { name: labels.time, value: <Time at={at} /> },
    { name: labels.who, value: linked(actorOf(entry, subjects)) },
    target === null || target.id === actor.id || target.kind === 'session'
      ? undefined
      : { name: labels.what, value: <span class="starts-large">{targetOf(entry, subjects)}</span> },
    {
      name: labels.outcome,
      value: <Badge text={words.outcomes[outcome]} tone={tones[outcome]} />,
    },
    reason === undefined ? undefined : { name: labels.reason, value: escapeHtml(readable(reason)) },
    { name: labels.address, value: escapeHtml(placeOf(view)) },
    ...Object.entries(details)
      .toSorted(([a], [b]) => orderOf(a) - orderOf(b))
      .filter(([name]) => !technical.includes(name))
      .map(([name, value]) => ({
        name: detailNames[name] ?? readable(name),
        value: detailValue(value, subjects),
      })),
    { name: labels.meaning, value: escapeHtml(meaning ?? readable(action)) },
  ];
}

/** What the API and the logs call it. */
const codes = ({ action, request_id: request, id }: AuditEventView): Html => {
  const code = (text: string): Html => <code safe>{text}</code>;
  return (
    <Disclosure summary={labels.technical}>
      <Facts
        facts={[
          { name: labels.action, value: code(action) },
          request === null ? undefined : { name: labels.request, value: code(request) },
          { name: labels.entry, value: code(id) },
        ]}
      />
    </Disclosure>
  );
};

/** What happened to the same thing before and after. */
function neighbours({ entry, subjects, around, now }: AuditEntryView): Html {
  const shared = sharedOf(entry, subjects);
  return (
    <>
      {around.length > 0 && shared !== undefined && (
        <>
          <h2 class="form-about-heading" safe>
            {labels.around({ name: shared.subject.name })}
          </h2>
          <ActivityList
            entries={around}
            subjects={subjects}
            detailsPath={entryPath}
            now={now}
            isFolded
          />
        </>
      )}
      <div class="btn-row">
        {shared !== undefined &&
          textLink(withQuery(auditPath, shared.filter), labels.all({ name: shared.subject.name }))}
        {textLink(withQuery(auditPath, { action: entry.action }), labels.similar)}
      </div>
    </>
  );
}

/** All there is to know about an entry: a page that opens in a drawer. */
export function entryPage(view: AuditEntryView): ConsolePage {
  const { entry, subjects } = view;
  return formPage({
    section: 'audit',
    title: sentenceText(entry, subjects),
    breadcrumbs: [{ href: auditPath, text: words.title }],
    children: (
      <>
        <Facts facts={facts(view)} />
        {codes(entry)}
        {neighbours(view)}
      </>
    ),
  });
}
