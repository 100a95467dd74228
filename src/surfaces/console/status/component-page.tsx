import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { ComponentState } from '../../../areas/status/model.ts';
import type { ComponentView } from '../../../areas/status/components/schemas.components.ts';
import { lineChart } from '../../../platform/ui/charts/line-chart.tsx';
import type { ConsolePage } from '../layout.tsx';
import { formatDayTime } from '../../../platform/i18n/dates.ts';
import { decimal } from '../components/number-format.ts';
import { type Fact, facts, panel, time } from '../components/elements.tsx';
import { table } from '../components/tables.tsx';
import { sectionPath } from '../sections.ts';
import { archiveForm, changeComponentForm } from './forms.tsx';
import { answerTime, componentBadge, dayBars, statusName, uptimeText } from './labels.tsx';
import { texts } from './texts/en.ts';
import type { Viewer } from '../request-context.ts';
import { minuteMs } from '../../../lib/durations.ts';

const home = sectionPath('status');
const words = texts.componentPage;

export interface OneComponentView {
  component: ComponentView;
  state: ComponentState | undefined;
}

function answersPanel({ responseTimes }: ComponentState): Html | undefined {
  if (responseTimes.length === 0) return undefined;
  const chart = lineChart({
    id: 'answers-chart',
    caption: words.responsesCaption,
    format: (value) => words.milliseconds({ ms: decimal(value) }),
    steps: responseTimes.map(({ at }) => formatDayTime(at)),
    lines: [
      {
        name: words.meanResponse,
        kind: 'first',
        values: responseTimes.map(({ ms }) => Math.round(ms * 10) / 10),
      },
    ],
  });
  return panel({ id: 'answers', title: words.responses, live: true, body: chart });
}

function checkFacts({ source, target, settings }: ComponentView): (Fact | undefined)[] {
  if (source === 'builtin' || settings === null) return [[words.check, escapeHtml(words.builtIn)]];
  const { interval_s: seconds, timeout_ms: ms, expected_status: expected } = settings;
  return [
    [words.check, escapeHtml(source.toUpperCase())],
    target === null ? undefined : [words.target, escapeHtml(target)],
    [words.interval, escapeHtml(words.seconds({ seconds }))],
    [words.timeout, escapeHtml(words.milliseconds({ ms }))],
    expected === null ? undefined : [words.expected, escapeHtml(expected.join(', '))],
  ];
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
          .map(([status, spent]) =>
            words.spent({
              status: statusName(status),
              minutes: Math.max(1, Math.round(spent / minuteMs)),
            }),
          )
          .join(', '),
      ),
    ]);
  const list = table({
    caption: words.daysCaption,
    columns: [words.columns.day, words.columns.worst, words.columns.length],
    rows,
    empty: (
      <p class="hint" safe>
        {words.noProblems}
      </p>
    ),
  });
  return panel({ id: 'days', title: words.days, live: true, body: [dayBars(state), list] });
}

function factsPanel({ component, state }: OneComponentView): Html {
  const { description } = component;
  const body = facts([
    [words.status, componentBadge(component.status)],
    [words.uptime, escapeHtml(uptimeText(component.uptime))],
    state === undefined ? undefined : [words.response, escapeHtml(answerTime(state))],
    ...checkFacts(component),
    [words.id, <code safe>{component.id}</code>],
    description === null ? undefined : [words.description, escapeHtml(description)],
    component.only_show_if_degraded ? [words.visibility, escapeHtml(words.hidden)] : undefined,
    [words.created, time(component.created_at)],
  ]);
  return panel({ id: 'facts', title: words.facts, live: true, body });
}

function formPanels(component: ComponentView): Html {
  const change = changeComponentForm(component);
  const archive =
    component.source === 'builtin'
      ? undefined
      : panel({ id: 'danger', title: words.archive, body: archiveForm(component) });
  return (
    <div>
      {panel({ id: 'change', title: words.edit, body: change })}
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
    actions: (
      <a href={home} safe>
        {texts.back}
      </a>
    ),
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
