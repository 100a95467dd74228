import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { FunnelReport } from '../../../../areas/analytics/goals/schemas.funnels.ts';
import type { GoalReport } from '../../../../areas/analytics/goals/schemas.goals.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { BarList } from '../../../../platform/ui/components/table.tsx';
import { count, percent } from '../../components/number-format.ts';
import { funnelHint, funnelSteps } from '../goals/funnel-steps.tsx';
import { goalsPath } from '../goals/goals-path.ts';
import { viewUrl, type ViewParams } from '../view-params.ts';
import { texts } from '../texts/en.ts';

const words = texts.dashboard.goals;
const { columns } = texts.goals;

const mostReached = (report: GoalReport | undefined): GoalReport['data'] =>
  (report?.data ?? []).toSorted((a, b) => b.visits - a.visits);

/** What the goals of a site reached. Undefined `report`: it has none. */
export const goalsPanel = (address: ViewParams, report: GoalReport | undefined): Html => (
  <Card
    id="goals"
    title={texts.goals.heading}
    isLive
    actions={
      <Button
        label={words.all}
        href={viewUrl(address, goalsPath)}
        kind="ghost"
        size="small"
        icon="target"
      />
    }
  >
    <BarList
      caption={texts.goals.heading}
      columns={[columns.goal, columns.visits, columns.conversion]}
      bars={mostReached(report).map(({ id, name, visits, conversion_rate: rate }) => ({
        text: name,
        href: viewUrl({ ...address, goal: id === address.goal ? undefined : id }),
        value: visits,
        cells: [escapeHtml(count(visits)), escapeHtml(percent(rate))],
      }))}
      empty={<EmptyState icon="target" text={texts.goals.empty} />}
    />
  </Card>
);

/** The first funnel of a site. */
export const funnelPanel = (address: ViewParams, funnel: FunnelReport): Html => (
  <Card
    id="funnel"
    title={funnel.name}
    hint={funnelHint(funnel)}
    isLive
    actions={
      <Button
        label={words.funnels}
        href={viewUrl(address, goalsPath)}
        kind="ghost"
        size="small"
        icon="filter"
      />
    }
  >
    {funnelSteps(funnel)}
  </Card>
);
