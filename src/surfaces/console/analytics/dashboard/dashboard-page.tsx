import type { Html } from '../../../../lib/text/html.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import type { ConsolePage } from '../../layout.tsx';
import { DrawerLink } from '../../components/drawer-link.tsx';
import type { Viewer } from '../../viewer.ts';
import { lateFunnelPanel, lateGoalsPanel } from '../goals/goal-panels.tsx';
import { mistakesNotice, ofSite, type SiteEntry, siteTabs } from '../view-controls.tsx';
import { type NamedGoal, viewBar } from '../view-bar.tsx';
import { analyticsPath, viewUrl, type ViewParams } from '../view-params.ts';
import { texts } from '../texts/en.ts';
import { breakdownPanels, eventsPanel, knownValues } from './breakdowns.tsx';
import { definitions } from './definitions.tsx';
import { excludedEvents } from './excluded-events.tsx';
import { exportMenu } from './export-menu.tsx';
import { figuresPanel, type FiguresPanelOptions } from './figures-panel.tsx';

const { dashboard: words } = texts;

export interface DashboardPageView extends FiguresPanelOptions {
  sites: readonly SiteEntry[];
  goals: readonly NamedGoal[];
  /** Its first funnel. */
  funnel: { name: string } | undefined;
  /** What was wrong with the query. */
  mistakes: readonly string[];
  viewer: Viewer;
}

/** How many visitors there are, with a link to what they do. */
const visitorsNow = ({ visitors_now: now }: DashboardView, address: ViewParams): Html => (
  <a class="live-now" id="now" href={viewUrl(address, `${analyticsPath}/realtime`)} data-live>
    <span class={now > 0 ? 'pulse' : 'pulse pulse-none'}></span>
    <span safe>{words.now({ visitors: now })}</span>
  </a>
);

const annotate = ({ site }: ViewParams): Html => (
  <DrawerLink
    href={ofSite(`${analyticsPath}/site/annotations/new`, site)}
    label={words.series.annotate}
    icon="flag"
    kind="ghost"
  />
);

/** The dashboard of a site. */
export function dashboardPage(all: DashboardPageView): ConsolePage {
  const { address, sites, view, goals, funnel, mistakes, viewer } = all;
  return {
    section: 'analytics',
    title: address.site,
    heading: texts.controls.heading,
    actions: (
      <>
        {visitorsNow(view, address)}
        {viewer.isAdmin && annotate(address)}
        {exportMenu(address, view)}
      </>
    ),
    body: (
      <>
        {siteTabs(address, '')}
        {viewBar({
          address,
          sites,
          tab: '',
          goals,
          isCompared: true,
          known: knownValues(view),
          isAdmin: viewer.isAdmin,
        })}
        {figuresPanel(all)}
        {breakdownPanels(view, address)}
        <div class="columns">
          {eventsPanel(view, address)}
          {lateGoalsPanel(address, goals.length > 0)}
        </div>
        {funnel && lateFunnelPanel(address, funnel)}
        <div class="small-print">
          {excludedEvents(view, address)}
          {definitions()}
        </div>
      </>
    ),
    channels: [`analytics:${address.site}`],
    every: 30,
    notice: mistakesNotice(mistakes),
  };
}
