import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { ComponentState } from '../../../areas/status/model.ts';
import type { ComponentView } from '../../../areas/status/components/schemas.components.ts';
import { lineChart } from '../../../platform/ui/charts/line-chart.tsx';
import type { ConsolePage } from '../layout.tsx';
import { decimal } from '../components/number-format.ts';
import { facts, panel, time } from '../components/elements.tsx';
import { table } from '../components/tables.tsx';
import { sectionPath } from '../sections.ts';
import { archiveForm, changeComponentForm } from './forms.tsx';
import { answerTime, componentBadge, dayBars, uptimeText, words } from './labels.tsx';
import type { Viewer } from '../request-context.ts';
import { minuteMs } from '../../../lib/durations.ts';

const home = sectionPath('status');

export interface OneComponentView {
  component: ComponentView;
  state: ComponentState | undefined;
}

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

function checkText({ source, target, settings }: ComponentView): string {
  if (source === 'builtin' || settings === null) return 'Built in: the service checks it itself';
  const { interval_s: interval, timeout_ms: timeout, expected_status: good } = settings;
  const check = `${source.toUpperCase()}${target === null ? '' : ` to ${target}`}`;
  const codes = good === null ? '' : `; good: ${good.join(', ')}`;
  return `${check}, each ${interval} s; an answer may take ${timeout} ms${codes}`;
}

function daysPanel(state: ComponentState): Html {
  const rows = state.days
    .filter(({ worst }) => worst !== 'operational' && worst !== 'no_data')
    .toReversed()
    .map(({ day, worst, ms }) => [
      escapeHtml(day),
      componentBadge(worst),
      escapeHtml(
        Object.entries(ms)
          .map(
            ([status, spent]) =>
              `${words(status)} ${Math.max(1, Math.round(spent / minuteMs))} min`,
          )
          .join(', '),
      ),
    ]);
  const list = table({
    caption: 'Days with problems, newest first',
    columns: ['Day', 'Worst', 'How long'],
    rows,
    empty: <p class="hint">No day with problems.</p>,
  });
  return panel({ id: 'days', title: '90 days', live: true, body: [dayBars(state), list] });
}

function factsPanel({ component, state }: OneComponentView): Html {
  const { description } = component;
  const body = facts([
    ['State', componentBadge(component.status)],
    ['Uptime', escapeHtml(uptimeText(component.uptime))],
    state === undefined ? undefined : ['Answer', escapeHtml(answerTime(state))],
    ['Check', escapeHtml(checkText(component))],
    ['Id', <code safe>{component.id}</code>],
    description === null ? undefined : ['Description', escapeHtml(description)],
    component.only_show_if_degraded
      ? [escapeHtml('Shown'), escapeHtml('Only while something is wrong')]
      : undefined,
    ['Since', time(component.created_at)],
  ]);
  return panel({ id: 'facts', title: 'Facts', live: true, body });
}

function formPanels(component: ComponentView): Html {
  const change = changeComponentForm(component);
  const archive =
    component.source === 'builtin'
      ? undefined
      : panel({ id: 'danger', title: 'Archive', body: archiveForm(component) });
  return (
    <div>
      {panel({ id: 'change', title: 'Change it', body: change })}
      {archive}
    </div>
  );
}

/** A component: its state and history; for admins forms to change it. */
export function componentPage(
  view: OneComponentView,
  { isAdmin }: Viewer,
  notice: Html | undefined,
): ConsolePage {
  const { component, state } = view;
  const past = state === undefined ? [] : [daysPanel(state), answersPanel(state)];
  const forms = isAdmin ? formPanels(component) : undefined;
  return {
    section: 'status',
    title: component.name,
    notice,
    channels: ['status'],
    every: 30,
    actions: <a href={home}>Status</a>,
    body: (
      <div class="columns">
        <div>
          {factsPanel(view)}
          {past}
        </div>
        {forms}
      </div>
    ),
  };
}
