import { escapeHtml, type Content, type Html } from '../../../../lib/text/html.ts';
import type { FunnelReport } from '../../../../areas/analytics/goals/schemas.funnels.ts';
import type { GoalReport } from '../../../../areas/analytics/goals/schemas.goals.ts';
import { Button, type ButtonOptions } from '../../../../platform/ui/components/button.tsx';
import { Card, type CardOptions } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
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

const words = texts.dashboard.goals;
const { columns } = texts.goals;

/** The page that has both panels with their figures. */
const goalPanelsPath = `${goalsPath}/summary`;

interface PanelOptions extends Pick<CardOptions, 'id' | 'title' | 'hint'> {
  /** The button that leads to all goals and funnels. */
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
        columns={[columns.goal, columns.visits, columns.conversion]}
        bars={mostReached(report).map(({ id, name, visits, conversion_rate: rate }) => ({
          text: name,
          href: viewUrl({ ...address, goal: id === address.goal ? undefined : id }),
          value: visits,
          cells: [escapeHtml(count(visits)), escapeHtml(percent(rate))],
        }))}
        empty={empty}
      />
    ),
  });

/** Leads to the figures, until they are here. */
const wait = (address: ViewParams, label: string): Html => (
  <p class="late">
    <a href={viewUrl(address, goalPanelsPath)} safe>
      {label}
    </a>
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
