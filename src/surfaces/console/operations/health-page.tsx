import { limits } from '../../../areas/health/checks.ts';
import type { CheckState } from '../../../areas/health/monitor.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { RequestFigures } from '../../../platform/http/requests/request-meter.ts';
import { formatOrDash, formatPercent } from '../../../platform/i18n/numbers.ts';
import { Sparkline } from '../../../platform/ui/charts/sparkline.tsx';
import { Badge, type Tone } from '../../../platform/ui/components/badge.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { type StatOptions, Stats } from '../../../platform/ui/components/stat.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import { withQuery } from '../components/navigation.tsx';
import { bytes, count, decimal, duration, percent } from '../components/number-format.ts';
import type { ConsolePage } from '../layout.tsx';
import { StateLines } from '../settings/state-lines.tsx';
import { below, readable } from '../people/labels.tsx';
import { sectionPath } from '../sections.ts';
import type { Viewer } from '../viewer.ts';
import { checkState } from './check-state.ts';
import { texts } from './texts/en.ts';

/** Figures of the process and its stores. */
export interface ServiceFigures extends RequestFigures {
  sockets: number;
  /** Waiting and running jobs; null if the broker is unreachable. */
  queued: number | null;
  failedJobs: number | null;
  /** Utilisation of the event loop in per cent. */
  loop: number;
  memory: number;
  uptimeSeconds: number;
}

export interface HealthPageView {
  service: ServiceFigures;
  checks: readonly CheckState[];
}

const words = texts.health;

function serviceStats(figures: ServiceFigures, { isAdmin }: Viewer): StatOptions[] {
  const { perSecond, p95, errors, loop, memory, uptimeSeconds, sockets } = figures;
  const { queued, failedJobs } = figures;
  const { replica } = words;
  return [
    {
      label: replica.requests,
      value: replica.perSecond({ count: decimal(perSecond) }),
      note: replica.lastMinute,
    },
    {
      label: replica.p95,
      value: formatOrDash(p95, (ms) => replica.milliseconds({ ms: decimal(ms) })),
      note: replica.lastMinute,
    },
    {
      label: replica.errors,
      value: count(errors),
      note: replica.errorsNote,
      tone: errors > 0 ? 'bad' : undefined,
    },
    { label: replica.loop, value: percent(loop), note: replica.loopNote },
    { label: replica.memory, value: bytes(memory) },
    { label: replica.sockets, value: count(sockets), href: sectionPath('realtime') },
    {
      label: replica.queued,
      value: formatOrDash(queued, count),
      note:
        queued === null
          ? replica.unreachable
          : replica.failed({ count: formatOrDash(failedJobs, count) }),
      tone: (failedJobs ?? 0) > 0 ? 'bad' : undefined,
      href: isAdmin ? withQuery(sectionPath('jobs'), { state: 'failed' }) : undefined,
    },
    { label: replica.uptime, value: duration(uptimeSeconds) },
  ];
}

const tones: Readonly<Record<CheckState['status'], Tone>> = {
  pass: 'ok',
  warn: 'warn',
  fail: 'bad',
};

const { columns, states } = words.checks;

/** What a check measures: `redis:memory` is `Memory`. */
const measurement = (name: string): string =>
  readable(name.split(':')[1]?.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) ?? '');

/** A measured value with its unit. */
function valueText(value: number | string, unit = ''): string {
  if (unit === 'percent left') return words.checks.free({ percent: String(value) });
  if (typeof value === 'string') return `${value} ${unit}`.trim();
  return unit === 'bytes' ? bytes(value) : `${decimal(value)} ${unit}`.trim();
}

/** What a check measured. Why it failed is for admins. */
const observed = ({ result: { observedValue, observedUnit } }: CheckState): string =>
  observedValue === undefined ? '–' : valueText(observedValue, observedUnit);

/** The course of what was measured lately. */
function trend({ title, recent, result: { observedUnit } }: CheckState): Html {
  const [least, most] = [Math.min(...recent), Math.max(...recent)];
  if (recent.length < 2 || least === most) return <></>;
  const label = words.checks.trend({
    title,
    least: valueText(least, observedUnit),
    most: valueText(most, observedUnit),
  });
  return (
    <div class="check-trend">
      <Sparkline values={recent.map((value) => value - Math.min(0, least))} label={label} />
    </div>
  );
}

const limitTexts = words.checks.limits;
const room = limitTexts.free({ percent: formatPercent(limits.minFreeRatio) });
const slow = limitTexts.slow({ ms: limits.slowMs });

/** From what on a check warns, by its name. Others warn of more than a number. */
const limitOf: Readonly<Partial<Record<string, string>>> = {
  'database:responseTime': slow,
  'redis:responseTime': slow,
  'redis:memory': room,
  'clock:offset': limitTexts.clock({ seconds: limits.maxClockSkewMs / 1000 }),
  'queues:responseTime': slow,
  'queues:late': limitTexts.late,
  'journal:room': room,
  'eventLoop:delay': limitTexts.slow({ ms: limits.loopMs.long }),
};

const checkColumns = ({ isAdmin }: Viewer): Column<CheckState>[] => [
  {
    title: columns.name,
    cell: ({ name, title, status, result: { output } }): Html => (
      <>
        {escapeHtml(title)}
        {measurement(name) !== '' && below(measurement(name))}
        {isAdmin && status !== 'pass' && output !== undefined && below(output)}
      </>
    ),
  },
  {
    title: columns.state,
    cell: ({ status, isKnown }) =>
      isKnown ? (
        <Badge text={states[status]} tone={tones[status]} />
      ) : (
        <Badge text={words.checks.never} />
      ),
  },
  { title: columns.observed, text: observed, isNumber: true },
  { title: columns.trend, cell: trend, isMinor: true },
  { title: columns.limit, text: ({ name }) => limitOf[name] ?? '–', isMinor: true },
  {
    title: columns.checked,
    cell: ({ isKnown, checkedAt }) =>
      isKnown ? <Time at={checkedAt} /> : escapeHtml(words.checks.never),
  },
];

const urgency: Readonly<Record<CheckState['status'], number>> = { fail: 0, warn: 1, pass: 2 };

/** What needs a look comes first. */
const inOrder = (checks: readonly CheckState[]): CheckState[] =>
  checks.toSorted((a, b) => urgency[a.status] - urgency[b.status]);

/** The health of this replica: load, latency, memory, and what it depends on. */
export const healthPage = ({ service, checks }: HealthPageView, viewer: Viewer): ConsolePage => ({
  section: 'health',
  title: words.title,
  every: 10,
  body: (
    <>
      {checks.length > 0 && (
        <div id="check-state" data-live="true">
          <StateLines lines={[checkState(checks)]} />
        </div>
      )}
      <Stats
        id="service-cards"
        label={words.replica.label}
        isLive
        all={serviceStats(service, viewer)}
      />
      <Card id="checks" title={words.checks.title} isLive>
        <Table
          caption={words.checks.caption}
          columns={checkColumns(viewer)}
          rows={inOrder(checks)}
          empty={<EmptyState icon="pulse" text={words.checks.none} />}
        />
      </Card>
    </>
  ),
});
