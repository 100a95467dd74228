import { html, type Html } from '../../../lib/text/html.ts';
import type { ComponentState } from '../../../areas/status/model.ts';
import type { ComponentView } from '../../../areas/status/components/schemas.components.ts';
import { lineChart } from '../components/line-chart.ts';
import type { ConsolePage } from '../layout.ts';
import { decimal } from '../components/number-format.ts';
import { facts, panel, time } from '../components/elements.ts';
import { table } from '../components/tables.ts';
import { sectionPath } from '../sections.ts';
import { archiveForm, changeComponentForm } from './forms.ts';
import { answerTime, componentBadge, dayBars, uptimeText, words } from './labels.ts';
import type { Viewer } from '../request-context.ts';

const home = sectionPath('status');

export interface OneComponentView {
  component: ComponentView;
  state: ComponentState | undefined;
}

const checkOf = ({ source, target, settings }: ComponentView): string => {
  if (source === 'builtin' || settings === null) return 'Built in: the service checks it itself';
  return `${source.toUpperCase()}${target === null ? '' : ` to ${target}`}, each ${settings.interval_s} s; an answer may take ${settings.timeout_ms} ms${settings.expected_status === null ? '' : `; good: ${settings.expected_status.join(', ')}`}`;
};

function answersPanel({ responseTimes }: ComponentState): Html | undefined {
  if (responseTimes.length === 0) return undefined;
  const chart = lineChart({
    id: 'answers-chart',
    caption: 'Mean answer by hour (UTC), in milliseconds',
    format: (value) => `${decimal(value)} ms`,
    steps: responseTimes.map(({ at }) => new Date(at).toISOString().slice(5, 16).replace('T', ' ')),
    lines: [
      {
        name: 'Mean answer',
        kind: 'first',
        values: responseTimes.map(({ ms }) => Math.round(ms * 10) / 10),
      },
    ],
  });
  return panel({ id: 'answers', title: 'How long answers take', live: true, body: chart });
}

function daysPanel(state: ComponentState): Html {
  const rows = state.days
    .filter(({ worst }) => worst !== 'operational' && worst !== 'no_data')
    .toReversed()
    .map(({ day, worst, ms }) => [
      day,
      componentBadge(worst),
      Object.entries(ms)
        .map(([status, spent]) => `${words(status)} ${Math.max(1, Math.round(spent / 60_000))} min`)
        .join(', '),
    ]);
  const list =
    rows.length === 0
      ? html`<p class="hint">No day with problems.</p>`
      : table({
          caption: 'Days with problems, newest first',
          columns: ['Day', 'Worst', 'How long'],
          rows,
        });
  return panel({ id: 'days', title: '90 days', live: true, body: html`${dayBars(state)}${list}` });
}

/** One component: how it is and was, and for admins how it is checked. */
export function componentPage(
  { component, state }: OneComponentView,
  { isAdmin }: Viewer,
  notice: Html | undefined,
): ConsolePage {
  const about = facts([
    ['State', componentBadge(component.status)],
    ['Uptime', uptimeText(component.uptime)],
    ...(state === undefined ? [] : [['Answer', answerTime(state)] as const]),
    ['Check', checkOf(component)],
    ['Id', html`<code>${component.id}</code>`],
    ...(component.description === null ? [] : [['Description', component.description] as const]),
    ...(component.only_show_if_degraded
      ? [['Shown', 'Only while something is wrong'] as const]
      : []),
    ['Since', time(component.created_at)],
  ]);
  const changes = html`${panel({ id: 'change', title: 'Change it', body: changeComponentForm(component) })}${component.source === 'builtin' ? undefined : panel({ id: 'danger', title: 'Archive', body: archiveForm(component) })}`;
  return {
    section: 'status',
    title: component.name,
    notice,
    channels: ['status'],
    every: 30,
    actions: html`<a href="${home}">Status</a>`,
    body: html`<div class="columns"><div>${panel({ id: 'facts', title: 'Facts', live: true, body: about })}${state === undefined ? undefined : html`${daysPanel(state)}${answersPanel(state)}`}</div>${isAdmin ? html`<div>${changes}</div>` : undefined}</div>`,
  };
}
