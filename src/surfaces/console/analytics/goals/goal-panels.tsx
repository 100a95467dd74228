import { escapeHtml, type Content, type Html } from '../../../../lib/text/html.ts';
import type { FunnelReport } from '../../../../areas/analytics/goals/schemas.funnels.ts';
import type { GoalReport } from '../../../../areas/analytics/goals/schemas.goals.ts';
import { Button, type ButtonOptions } from '../../../../platform/ui/components/button.tsx';
import { Card, type CardOptions } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { type StatOptions, Stats } from '../../../../platform/ui/components/stat.tsx';
import { BarList } from '../../../../platform/ui/components/table.tsx';
import { count, percent } from '../../components/number-format.ts';
import type { ConsolePage } from '../../layout.tsx';
import type { SiteView } from '../routes.site-page.ts';
import { viewBar } from '../view-bar.tsx';
import { mistakesNotice, siteTabs } from '../view-controls.tsx';
import { viewUrl, type ViewParams } from '../view-params.ts';
import { texts } from '../texts/en.ts';
import { funnelHint, funnelSteps } from './funnel-steps.tsx';
import { goalsPath } from './goals-path.ts';
import { revenueText } from './revenue-text.ts';

const words = texts.dashboard.goals;
const { columns } = texts.goals;

/** The page that has both panels with their figures. */
const goalPanelsPath = `${goalsPath}/summary`;

interface PanelOptions extends Pick<CardOptions, 'id' | 'title' | 'hint'> {
  /** The button that leads to the page of all goals and funnels. */
  all: Pick<ButtonOptions, 'label' | 'icon'>;
  /** Without figures: the panel fetches them when it is seen. */
  isLate?: boolean;
  children: Content;
}

const panel = (
  address: ViewParams,
  { all, isLate = false, children, ...card }: PanelOptions,
): Html => (
  <Card
    {...card}
    late={isLate ? viewUrl(address, goalPanelsPath) : undefined}
    actions={<Button {...all} href={viewUrl(address, goalsPath)} kind="ghost" size="small" />}
  >
    {children}
  </Card>
);

const goalsPanelOf = {
  id: 'goals',
  title: texts.goals.heading,
  all: { label: words.all, icon: 'target' },
} as const;
const funnelPanelOf = { id: 'funnel', all: { label: words.funnels, icon: 'filter' } } as const;

const empty = <EmptyState icon="target" text={texts.goals.empty} />;

const mostReached = ({ data }: GoalReport): GoalReport['data'] =>
  data.toSorted((a, b) => b.visits - a.visits);

/** What the goals of a site reached. */
const goalsPanel = (address: ViewParams, report: GoalReport): Html =>
  panel(address, {
    ...goalsPanelOf,
    children: (
      <BarList
        caption={texts.goals.heading}
        columns={[
          columns.goal,
          columns.visits,
          columns.conversion,
          columns.visitors,
          columns.events,
          columns.revenue,
        ]}
        minor={[columns.visitors, columns.events, columns.revenue]}
        bars={mostReached(report).map((goal) => ({
          text: goal.name,
          href: viewUrl({ ...address, goal: goal.id === address.goal ? undefined : goal.id }),
          value: goal.visits,
          cells: [
            count(goal.visits),
            percent(goal.conversion_rate),
            count(goal.visitors),
            count(goal.events),
            revenueText(goal.revenue),
          ].map(escapeHtml),
        }))}
        empty={empty}
      />
    ),
  });

/** Leads to the figures, until they are here. */
const wait = (address: ViewParams, label: string): Html => (
  <p class="late">
    <Button
      label={label}
      href={viewUrl(address, goalPanelsPath)}
      kind="ghost"
      size="small"
      icon="chart"
    />
  </p>
);

/** The place of a site's goals, whose figures come later. */
export const lateGoalsPanel = (address: ViewParams, hasGoals: boolean): Html =>
  panel(address, {
    ...goalsPanelOf,
    isLate: hasGoals,
    children: hasGoals ? wait(address, words.show) : empty,
  });

/** The place of a site's first funnel, whose figures come later. */
export const lateFunnelPanel = (address: ViewParams, { name }: { name: string }): Html =>
  panel(address, {
    ...funnelPanelOf,
    title: name,
    isLate: true,
    children: wait(address, words.showFunnel),
  });

/** What all goals brought. Goals may share revenue: that of the most reached is shown. */
function summary(report: GoalReport, funnel: FunnelReport | undefined): Html {
  const { stats } = words;
  const [best] = mostReached(report);
  const earning = report.data.filter(({ revenue }) => revenue.length > 0);
  const top = mostReached({ ...report, data: earning })[0];
  const times = report.data.reduce((sum, { events }) => sum + events, 0);
  const all: (StatOptions | undefined)[] = [
    {
      label: stats.reached,
      value: count(times),
      note: stats.inVisits({ visits: report.visits }),
    },
    best && { label: stats.best, value: percent(best.conversion_rate), note: best.name },
    funnel && { label: stats.funnel, value: percent(funnel.conversion_rate), note: funnel.name },
    top && { label: columns.revenue, value: revenueText(top.revenue), note: top.name },
  ];
  return <Stats id="summary" label={stats.label} all={all.filter((each) => each !== undefined)} />;
}

/** The goals and the first funnel of a view, whose parts the dashboard shows. */
export const goalPanelsPage = (
  { address, sites, viewer, mistakes }: SiteView,
  goals: GoalReport,
  funnel: FunnelReport | undefined,
): ConsolePage => ({
  section: 'analytics',
  title: words.title({ site: address.site }),
  heading: words.heading,
  actions: <Button label={texts.breakdowns.back} href={viewUrl(address)} icon="arrow-left" />,
  notice: mistakesNotice(mistakes),
  body: (
    <>
      {siteTabs(address, '')}
      {viewBar({
        address,
        sites,
        tab: '',
        place: { path: goalPanelsPath, values: {} },
        isAdmin: viewer.isAdmin,
      })}
      {goals.data.length > 0 && summary(goals, funnel)}
      {goalsPanel(address, goals)}
      {funnel &&
        panel(address, {
          ...funnelPanelOf,
          title: funnel.name,
          hint: funnelHint(funnel),
          children: funnelSteps(funnel),
        })}
    </>
  ),
});
