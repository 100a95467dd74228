import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import { formatList } from '../../../../platform/i18n/lists.ts';
import { Badge, type Tone } from '../../../../platform/ui/components/badge.tsx';
import { type Fact, Facts } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { formPage } from '../../components/form-page.tsx';
import { withQuery } from '../../components/navigation.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { readable } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { reasonOf, sentenceOf } from './activity.tsx';
import { auditPath, groupName } from './audit-filters.tsx';
import { subjectKey, type Subjects } from './subjects.ts';

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
  return person?.href === undefined ? (
    escapeHtml(valueText(value))
  ) : (
    <a href={person.href} safe>
      {person.name}
    </a>
  );
}

/** All there is to know about an entry: a page that opens in a drawer. */
export function entryPage(
  entry: AuditEventView,
  subjects: Subjects,
  meaning: string | undefined,
): ConsolePage {
  const { at, action, outcome, address, request_id: request, details, id } = entry;
  const reason = reasonOf(entry);
  const code = (text: string): Html => <code safe>{text}</code>;
  const facts: (Fact | undefined)[] = [
    { name: labels.time, value: <Time at={at} /> },
    {
      name: labels.outcome,
      value: <Badge text={words.outcomes[outcome]} tone={tones[outcome]} />,
    },
    reason === undefined ? undefined : { name: labels.reason, value: escapeHtml(readable(reason)) },
    { name: labels.meaning, value: escapeHtml(meaning ?? readable(action)) },
    { name: labels.address, value: escapeHtml(address ?? labels.empty) },
    ...Object.entries(details)
      .toSorted(([a], [b]) => orderOf(a) - orderOf(b))
      .filter(([name]) => !technical.includes(name))
      .map(([name, value]) => ({
        name: detailNames[name] ?? readable(name),
        value: detailValue(value, subjects),
      })),
    { name: labels.action, value: code(action) },
    request === null ? undefined : { name: labels.request, value: code(request) },
    { name: labels.entry, value: code(id) },
  ];
  const group = action.replace(/\..*$/, '');
  return formPage({
    section: 'audit',
    title: groupName(group),
    breadcrumbs: [{ href: auditPath, text: words.title }],
    children: (
      <>
        <p class="activity-sentence">{sentenceOf(entry, subjects)}</p>
        <Facts facts={facts} />
        <p>
          <a href={withQuery(auditPath, { action })} safe>
            {labels.similar}
          </a>
        </p>
      </>
    ),
  });
}
