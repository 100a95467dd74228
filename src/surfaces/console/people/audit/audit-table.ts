import { isUuid } from '../../../../lib/ids.ts';
import { html, type Html } from '../../../../lib/text/html.ts';
import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import { badge, facts, time, type Tone } from '../../components/elements.ts';
import { actionsColumn, table } from '../../components/tables.ts';
import { userLink } from '../labels.ts';
import type { UserNames } from '../user-names.ts';

const tones: Readonly<Record<AuditEventView['outcome'], Tone>> = {
  success: 'good',
  failure: 'warn',
  denied: 'bad',
};

const readable = (text: string): string => text.replaceAll('_', ' ');

/** The first part of an id, with the whole id in its title. */
const shortId = (id: string): Html =>
  isUuid(id) ? html`<code title="${id}">${id.slice(0, 8)}…</code>` : html`<code>${id}</code>`;

/** An actor or a target, with a link if it has a page. */
function partyText({ kind, id }: { kind: string; id: string | null }, names: UserNames): Html {
  if (id === null) return html`${readable(kind)}`;
  if (kind === 'user') return userLink(id, names.get(id) ?? `user ${id.slice(0, 8)}…`);
  return id === 'env' ? html`the admin key` : html`${readable(kind)} ${shortId(id)}`;
}

const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** All fields of an entry, closed by default. */
function entryDetails({
  id,
  at,
  actor,
  target,
  address,
  request_id: request,
  details,
}: AuditEventView): Html {
  const idOf = (party: { kind: string; id: string | null } | null) =>
    html`${party === null ? '–' : `${party.kind} ${party.id ?? ''}`}`;
  return html`<details class="more"><summary>Details</summary>
${facts([
  ['Instant', html`<time data-plain datetime="${at}">${at}</time>`],
  ['Actor', idOf(actor)],
  ['Target', idOf(target)],
  ['Address', address ?? '–'],
  ['Request', request ?? '–'],
  ['Entry', id],
  ...Object.entries(details).map(([name, value]) => [name, valueText(value)] as const),
])}</details>`;
}

export interface EntryTableOptions {
  caption: string;
  entries: readonly AuditEventView[];
  names: UserNames;
  /** What each action means. */
  actions: Readonly<Record<string, string>>;
}

/** A table of entries: action, outcome, actor and target. */
export function entryTable({ caption, entries, names, actions }: EntryTableOptions): Html {
  const reasonText = ({ reason }: AuditEventView) =>
    reason === null ? undefined : html`<br><span class="hint">${reason}</span>`;
  return table({
    caption,
    columns: ['Action', 'When', 'Outcome', 'By', 'To', actionsColumn('More')],
    rows: entries.map((entry) => [
      html`<code title="${actions[entry.action] ?? ''}">${entry.action}</code>`,
      time(entry.at),
      html`${badge(entry.outcome, tones[entry.outcome])}${reasonText(entry)}`,
      partyText(entry.actor, names),
      entry.target === null ? '–' : partyText(entry.target, names),
      entryDetails(entry),
    ]),
  });
}
