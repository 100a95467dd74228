import type { Html } from '../../../../lib/text/html.ts';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Pager } from '../../../../platform/ui/components/navigation.tsx';
import { Copy } from '../../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import type { FunnelReport } from '../../../../areas/analytics/goals/schemas.funnels.ts';
import type { GoalReport } from '../../../../areas/analytics/goals/schemas.goals.ts';
import { viewUrl, type ViewParams } from '../view-params.ts';
import { mistakesNotice, type SiteEntry, ofSite, siteTabs } from '../view-controls.tsx';
import { DrawerLink } from '../../components/drawer-link.tsx';
import { definitionMenu } from './goal-forms.tsx';
import { funnelHint, funnelSteps } from './funnel-steps.tsx';
import { funnelsOnPage } from './goal-report.ts';
import { viewBar } from '../view-bar.tsx';
import { goalsPath } from './goals-path.ts';
import { revenueText } from './revenue-text.ts';
import { stepText } from './step-text.ts';
import type { ConsolePage } from '../../layout.tsx';
import { doneNotice, UndoButton } from '../../components/notices.tsx';
import { count, percent } from '../../components/number-format.ts';
import type { Viewer } from '../../viewer.ts';
import { texts as consoleTexts } from '../../texts/en.ts';
import { texts } from '../texts/en.ts';

const { goals: goalTexts } = texts;
const { funnels: funnelTexts } = texts.goals;

export interface GoalsView {
  address: ViewParams;
  sites: readonly SiteEntry[];
  goals: GoalReport;
  /** One page of funnels. */
  funnels: readonly FunnelReport[];
  funnelCount: number;
  /** Number of funnels on the previous pages. */
  skipped: number;
  /** What was just done. */
  done?: string | undefined;
  /** What was just deleted, sealed. */
  removed?: string | undefined;
  mistakes: readonly string[];
}

const noGoals = (site: string): Html => (
  <EmptyState icon="target" text={goalTexts.empty}>
    <Copy
      label={consoleTexts.copy}
      text={
        `curl -X POST "$BASE_URL/analytics/sites/${site}/goals" ` +
        '-H "authorization: Bearer $API_KEY" \\\n' +
        "  -H 'content-type: application/json' " +
        `-d '{"name":"Signed up","kind":"event","value":"signup"}'`
      }
    />
  </EmptyState>
);

type Goal = GoalReport['data'][number];

function goalColumns(site: string, isAdmin: boolean): Column<Goal>[] {
  const { columns } = goalTexts;
  const number = (title: string, textOf: (goal: Goal) => string): Column<Goal> => ({
    title,
    text: textOf,
    isNumber: true,
  });
  const all: Column<Goal>[] = [
    { title: columns.goal, text: ({ name }) => name },
    { title: columns.reachedBy, text: stepText },
    {
      title: columns.conversion,
      cell: (goal) => <strong safe>{percent(goal.conversion_rate)}</strong>,
      isNumber: true,
    },
    number(columns.visits, ({ visits }) => count(visits)),
    { ...number(columns.visitors, ({ visitors }) => count(visitors)), isMinor: true },
    { ...number(columns.events, ({ events }) => count(events)), isMinor: true },
    number(columns.revenue, ({ revenue }) => revenueText(revenue)),
  ];
  const actions: Column<Goal> = {
    title: columns.actions,
    cell: (goal) => definitionMenu('goal', site, goal),
    isTitleHidden: true,
    isNumber: true,
  };
  return isAdmin ? [...all, actions] : all;
}

const goalsPanel = ({ goals, address: { site } }: GoalsView, { isAdmin }: Viewer): Html => (
  <Card
    id="goals"
    title={goalTexts.heading}
    hint={goalTexts.hint({ visits: goals.visits })}
    isLive={!isAdmin}
    actions={
      isAdmin && (
        <DrawerLink
          href={ofSite(`${goalsPath}/new`, site)}
          label={goalTexts.create.open}
          icon="plus"
          size="small"
        />
      )
    }
  >
    <Table
      caption={goalTexts.heading}
      columns={goalColumns(site, isAdmin)}
      rows={goals.data}
      rowId={({ id }) => `goal-${id}`}
      empty={noGoals(site)}
    />
  </Card>
);

function funnelPanel(funnel: FunnelReport, site: string, { isAdmin }: Viewer): Html {
  return (
    <Card
      id={`funnel-${funnel.id}`}
      title={funnel.name}
      hint={funnelHint(funnel)}
      actions={isAdmin && definitionMenu('funnel', site, funnel)}
    >
      {funnelSteps(funnel)}
    </Card>
  );
}

/** The heading of the funnels, with the way to a new one. */
function funnelsHead({ address, funnelCount }: GoalsView, isAdmin: boolean): Html | undefined {
  if (funnelCount > 0 && !isAdmin) return undefined;
  const add = isAdmin && (
    <DrawerLink
      href={ofSite(`${goalsPath}/funnels/new`, address.site)}
      label={funnelTexts.create.open}
      icon="plus"
      size="small"
    />
  );
  if (funnelCount === 0)
    return (
      <Card id="new-funnel" title={funnelTexts.heading} actions={add}>
        <EmptyState icon="filter" text={funnelTexts.empty} />
      </Card>
    );
  return (
    <div class="tile-head">
      <h2 safe>{funnelTexts.heading}</h2>
      {add}
    </div>
  );
}

function funnelPager({ address, funnels, funnelCount, skipped }: GoalsView): Html | undefined {
  if (funnelCount <= funnelsOnPage) return undefined;
  const [first, last] = [skipped + 1, skipped + funnels.length];
  const { pager } = consoleTexts;
  return (
    <Pager
      label={pager.label}
      summary={
        funnels.length === 0
          ? funnelTexts.none({ all: funnelCount })
          : funnelTexts.shown({ first, last, all: funnelCount })
      }
      previous={skipped === 0 ? undefined : viewUrl(address, goalsPath)}
      next={last >= funnelCount ? undefined : viewUrl(address, goalsPath, { skip: String(last) })}
      previousLabel={pager.first}
      nextLabel={pager.next}
    />
  );
}

const restorePaths: Readonly<Partial<Record<string, string>>> = {
  goal_deleted: `${goalsPath}/restore`,
  funnel_deleted: `${goalsPath}/funnels/restore`,
};

/** Brings back the goal or funnel that was just deleted. */
function undoOf({ address: { site }, done = '', removed }: GoalsView): Html | undefined {
  const action = restorePaths[done];
  if (removed === undefined || action === undefined) return undefined;
  return <UndoButton action={action} values={{ site_id: site, removed }} />;
}

/** The goals and funnels of a site. */
export function goalsPage(view: GoalsView, viewer: Viewer): ConsolePage {
  const { address, sites, funnels, mistakes } = view;
  return {
    section: 'analytics',
    title: goalTexts.title({ site: address.site }),
    heading: texts.controls.heading,
    body: [
      siteTabs(address, '/goals'),
      viewBar({ address, sites, tab: '/goals', isAdmin: viewer.isAdmin }),
      goalsPanel(view, viewer),
      funnelsHead(view, viewer.isAdmin),
      ...funnels.map((funnel) => funnelPanel(funnel, address.site, viewer)),
      funnelPager(view),
    ],
    notice:
      doneNotice(goalTexts.done, view.done, { undo: undoOf(view) }) ?? mistakesNotice(mistakes),
  };
}
