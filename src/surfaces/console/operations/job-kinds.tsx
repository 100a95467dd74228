import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { rich } from '../../../lib/text/rich.ts';
import type { JobKindView, JobView } from '../../../areas/jobs/schemas.ts';
import { formatList } from '../../../platform/i18n/lists.ts';
import { isLate } from '../../../platform/queues/late.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { Ago, Until } from '../../../platform/ui/time.tsx';
import { count, duration } from '../components/number-format.ts';
import type { StateLine } from '../settings/state-lines.tsx';
import { texts as shared } from '../texts/en.ts';
import { kindName, scheduleText } from './job-names.ts';
import { jobsUrl } from './jobs-url.ts';
import { texts } from './texts/en.ts';

type JobState = JobView['state'];

const words = texts.jobs;

/** Delayed jobs without the next run of a schedule, which is always there. */
const laterOf = ({ delayed, every_s: every }: JobKindView): number =>
  every === null ? delayed : Math.max(0, delayed - 1);

/** What a kind does at the moment: `3 waiting, 1 failed`, each a link to its jobs. */
function nowLine(kind: JobKindView): Html | undefined {
  const counts: readonly (readonly [JobState, number])[] = [
    ['failed', kind.failed],
    ['active', kind.active],
    ['waiting', kind.waiting],
    ['delayed', laterOf(kind)],
  ];
  const some = counts.filter(([, value]) => value > 0);
  if (some.length === 0) return undefined;
  return (
    <span class="hint">
      {some.map(([state, value], at) => (
        <>
          {at > 0 && ', '}
          <a
            href={jobsUrl({ state, name: kind.name, cursor: undefined })}
            class={state === 'failed' ? 'text-bad' : undefined}
            safe
          >
            {kindTexts.some({ count: count(value), state: stateNames[state].toLowerCase() })}
          </a>
        </>
      ))}
    </span>
  );
}

const { kinds: kindTexts, states: stateNames } = words;

/** When a kind last succeeded. */
const lastRun = ({ last_success_at: at }: JobKindView, now: number): Html =>
  at === null ? (
    <span class="hint">{escapeHtml(shared.time.never)}</span>
  ) : (
    <Ago at={at} now={now} />
  );

/** How long the last success took. */
const tookText = ({ last_duration_ms: ms }: JobKindView): string =>
  ms !== null && ms < 1000
    ? kindTexts.milliseconds({ count: count(ms) })
    : duration(ms === null ? null : ms / 1000);

/** When a kind is due, and since when if it is late. */
function nextRun(kind: JobKindView, now: number): Html {
  const { next_run_at: at } = kind;
  if (at === null) return <span class="hint">{escapeHtml(kindTexts.onDemand)}</span>;
  if (!isLate(kind, now)) return <Until at={at} now={now} />;
  return (
    <>
      <Badge text={kindTexts.late} tone="warn" />
      <span class="hint">
        {rich(kindTexts.dueSince, { time: () => <Ago at={at} now={now} /> })}
      </span>
    </>
  );
}

const kindColumns = (now: number): Column<JobKindView>[] => [
  {
    title: kindTexts.columns.kind,
    cell: (kind) => (
      <>
        {escapeHtml(kindName(kind.name))}
        {nowLine(kind)}
      </>
    ),
  },
  { title: kindTexts.columns.schedule, text: ({ every_s: every }) => scheduleText(every) },
  { title: kindTexts.columns.lastRun, cell: (kind) => lastRun(kind, now) },
  { title: kindTexts.columns.nextRun, cell: (kind) => nextRun(kind, now) },
  { title: kindTexts.columns.took, text: tookText, isNumber: true, isMinor: true },
];

/** What needs a look comes first, then by name. */
const inOrder = (kinds: readonly JobKindView[], now: number): JobKindView[] => {
  const rank = (kind: JobKindView): number => (isLate(kind, now) ? 0 : kind.failed > 0 ? 1 : 2);
  return kinds.toSorted(
    (a, b) => rank(a) - rank(b) || kindName(a.name).localeCompare(kindName(b.name)),
  );
};

/** All kinds of jobs: how often they run, and when they last did. `now`: Unix ms. */
export const kindsPanel = (kinds: readonly JobKindView[], now: number): Html => (
  <Card id="kinds" title={kindTexts.title} isLive>
    <Table caption={kindTexts.caption} columns={kindColumns(now)} rows={inOrder(kinds, now)} />
  </Card>
);

/** Whether jobs run as they should, in a sentence each. */
export function jobLines(kinds: readonly JobKindView[], now: number): StateLine[] {
  const late = kinds.filter((kind) => isLate(kind, now)).map(({ name }) => kindName(name));
  const failed = kinds.reduce((sum, kind) => sum + kind.failed, 0);
  const waited = Math.max(...kinds.map(({ oldest_waiting_s: seconds }) => seconds ?? 0));
  const lines: StateLine[] = [
    ...(failed > 0
      ? [{ tone: 'bad' as const, text: lineTexts.failed({ count: failed }), link: failedLink }]
      : []),
    ...(late.length > 0
      ? [{ tone: 'warn' as const, text: lineTexts.late({ names: formatList(late) }) }]
      : []),
    ...(waited >= slowAfterS
      ? [{ tone: 'warn' as const, text: lineTexts.waiting({ duration: duration(waited) }) }]
      : []),
  ];
  return lines.length > 0 ? lines : [{ tone: 'ok', text: lineTexts.good }];
}

/** Seconds after which a waiting job is worth a line. */
const slowAfterS = 60;
const { lines: lineTexts } = words;
const failedLink = {
  href: jobsUrl({ state: 'failed', name: undefined, cursor: undefined }),
  text: lineTexts.review,
};
