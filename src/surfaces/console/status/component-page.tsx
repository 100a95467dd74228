import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { minuteMs } from '../../../lib/durations.ts';
import type { ComponentState, DayState } from '../../../areas/status/model.ts';
import type { ComponentView } from '../../../areas/status/components/schemas.ts';
import { formatDate, formatDayTime } from '../../../platform/i18n/dates.ts';
import { formatDuration } from '../../../platform/i18n/durations.ts';
import { ticksOf } from '../../../platform/ui/charts/chart-ticks.ts';
import { lineChart } from '../../../platform/ui/charts/line-chart.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Stats } from '../../../platform/ui/components/stat.tsx';
import { type Column, type Fact, Facts, Table } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import type { ConsolePage } from '../layout.tsx';
import { DrawerItem, DrawerLink } from '../components/drawer-link.tsx';
import { Menu } from '../../../platform/ui/components/overlay.tsx';
import { decimal } from '../components/number-format.ts';
import { sectionPath } from '../sections.ts';
import {
  formatResponseTime,
  componentBadge,
  dayBars,
  statusName,
  troubledDays,
  formatUptime,
} from './labels.tsx';
import { texts } from './texts/en.ts';
import type { Viewer } from '../viewer.ts';

const home = sectionPath('status');
const words = texts.componentPage;

export interface OneComponentView {
  component: ComponentView;
  state: ComponentState | undefined;
}

const responsesPanel = ({ responseTimes }: ComponentState): Html | false =>
  responseTimes.length > 0 && (
    <Card id="answers" title={words.responses} isLive>
      {lineChart({
        id: 'answers-chart',
        caption: words.responsesCaption,
        unit: 'number',
        format: (value) => words.milliseconds({ ms: decimal(value) }),
        steps: responseTimes.map(({ at }) => formatDayTime(at)),
        ticks: ticksOf(
          responseTimes.map(({ at }) => new Date(at).toISOString()),
          'hour',
          'UTC',
        ),
        lines: [
          {
            name: words.meanResponse,
            kind: 'first',
            values: responseTimes.map(({ ms }) => Math.round(ms * 10) / 10),
          },
        ],
      })}
    </Card>
  );

function checkFacts({ source, target, settings }: ComponentView): (Fact | undefined)[] {
  if (source === 'builtin' || settings === null)
    return [{ name: words.check, value: escapeHtml(words.builtIn) }];
  const { timeout_ms: ms, expected_status: expected } = settings;
  return [
    { name: words.check, value: escapeHtml(source.toUpperCase()) },
    target === null ? undefined : { name: words.target, value: escapeHtml(target) },
    { name: words.timeout, value: escapeHtml(words.seconds({ seconds: decimal(ms / 1000) })) },
    expected === null
      ? undefined
      : { name: words.expected, value: escapeHtml(expected.join(', ')) },
  ];
}

/** How long each status lasted on a day. */
const spentText = ({ ms }: DayState): string =>
  Object.entries(ms)
    .map(([status, spent]) =>
      words.spent({
        status: statusName(status),
        time: formatDuration(Math.max(60, Math.round(spent / minuteMs) * 60)),
      }),
    )
    .join(', ');

const dayColumns: readonly Column<DayState>[] = [
  { title: words.columns.day, text: ({ day }) => formatDate(day) },
  { title: words.columns.worst, cell: ({ worst }) => componentBadge(worst) },
  { title: words.columns.length, text: spentText },
];

const daysPanel = (state: ComponentState): Html => (
  <Card id="days" title={words.days} isLive>
    {dayBars(state)}
    <Table
      caption={words.daysCaption}
      columns={dayColumns}
      rows={troubledDays(state).toReversed()}
      empty={<p class="hint">{escapeHtml(words.noProblems)}</p>}
    />
  </Card>
);

/** How often it is checked; those of the service itself have no interval. */
const intervalOf = ({ settings }: ComponentView): string =>
  settings === null ? words.builtIn : formatDuration(settings.interval_s, { long: true });

const figures = ({ component, state }: OneComponentView): Html => (
  <Stats
    id="component-cards"
    label={words.figures}
    isLive
    all={[
      { label: words.status, value: '', content: componentBadge(component.status) },
      { label: words.uptime, value: formatUptime(component.uptime), note: words.days },
      {
        label: words.response,
        value: state ? formatResponseTime(state) : '–',
        note: words.lastHour,
      },
      {
        label: words.interval,
        value: '',
        content: (
          <span class="words" safe>
            {intervalOf(component)}
          </span>
        ),
      },
    ]}
  />
);

function factsPanel({ component }: OneComponentView): Html {
  const { description } = component;
  const all = [
    ...checkFacts(component),
    { name: words.id, value: <code>{escapeHtml(component.id)}</code> },
    description === null ? undefined : { name: words.description, value: escapeHtml(description) },
    component.only_show_if_degraded
      ? { name: words.visibility, value: escapeHtml(words.hidden) }
      : undefined,
    { name: words.created, value: <Time at={component.created_at} /> },
  ];
  return (
    <Card id="facts" title={words.facts} isLive>
      <Facts facts={all} />
    </Card>
  );
}

const editLink = ({ id }: ComponentView): Html => (
  <DrawerLink label={words.edit} icon="edit" href={`${home}/components/${id}/edit`} />
);

/** Links for what is done rarely. Checks that are built in stay. */
const rareActions = ({ id, source }: ComponentView): Html | undefined =>
  source === 'builtin' ? undefined : (
    <Menu
      id="check-menu"
      label={texts.incidentPage.more}
      isIconOnly
      items={[
        <DrawerItem
          href={`${home}/components/${id}/archive`}
          icon="trash"
          label={texts.check.archive}
        />,
      ]}
    />
  );

/** A component: its state and history; for admins forms to change it. */
export function componentPage(
  view: OneComponentView,
  { isAdmin }: Viewer,
  notice: Html | undefined,
): ConsolePage {
  const { component, state } = view;
  return {
    section: 'status',
    title: component.name,
    notice,
    channels: ['status'],
    every: 30,
    breadcrumbs: [{ href: home, text: texts.title }],
    actions: isAdmin ? (
      <>
        {rareActions(component)}
        {editLink(component)}
      </>
    ) : undefined,
    body: (
      <>
        {figures(view)}
        {state && responsesPanel(state)}
        {state && daysPanel(state)}
        {factsPanel(view)}
      </>
    ),
  };
}
