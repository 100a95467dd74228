import type { JobKindView, JobPage, JobView } from '../../../areas/jobs/schemas.ts';
import { Toast, type ToastOptions } from '../../../platform/ui/components/feedback.tsx';
import { count } from '../components/number-format.ts';
import { tabs } from '../components/navigation.tsx';
import type { ConsolePage } from '../layout.tsx';
import { sectionPath } from '../sections.ts';
import { StateLines } from '../settings/state-lines.tsx';
import { jobLines, kindsPanel } from './job-kinds.tsx';
import { jobsPanel, kindFilter } from './job-list.tsx';
import { type JobsQuery, jobsUrl } from './jobs-url.ts';
import { texts } from './texts/en.ts';

type JobState = JobView['state'];

export interface JobsView {
  kinds: readonly JobKindView[];
  /** The jobs in a state; without, the page is about the kinds. */
  list?: { query: JobsQuery; page: JobPage };
  /** Unix ms. */
  now: number;
}

const words = texts.jobs;
const states = [
  'failed',
  'active',
  'waiting',
  'delayed',
  'completed',
] as const satisfies readonly JobState[];

const totalOf = (kinds: readonly JobKindView[], state: JobState, name?: string): number =>
  kinds
    .filter((kind) => name === undefined || kind.name === name)
    .reduce((sum, kind) => sum + kind[state], 0);

function pageTabs({ kinds, list }: JobsView) {
  const name = list?.query.name;
  return tabs(words.tabs, [
    { href: sectionPath('jobs'), text: words.kinds.tab, isCurrent: list === undefined },
    ...states.map((state) => ({
      href: jobsUrl({ state, name, cursor: undefined }),
      text: words.tab({ state: words.states[state], count: count(totalOf(kinds, state, name)) }),
      isCurrent: state === list?.query.state,
    })),
  ]);
}

/** Background jobs: their kinds, or those in a state with actions. */
export function jobsPage(view: JobsView, notice: ToastOptions | undefined): ConsolePage {
  const { kinds, list, now } = view;
  return {
    section: 'jobs',
    title: words.title,
    notice: notice && <Toast {...notice} />,
    channels: ['jobs'],
    every: 15,
    body: (
      <>
        <div id="states" data-live>
          {pageTabs(view)}
        </div>
        {list === undefined ? (
          <>
            <div id="job-state" data-live>
              <StateLines lines={jobLines(kinds, now)} />
            </div>
            {kindsPanel(kinds, now)}
          </>
        ) : (
          <>
            {kindFilter(kinds, list.query)}
            {jobsPanel(list)}
          </>
        )}
      </>
    ),
  };
}
