import { curlEvent } from '../../../areas/analytics/ingest/curl-commands.ts';
import { describeChange } from '../../../areas/analytics/figures/changes.ts';
import type { DashboardView } from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Sparkline } from '../../../platform/ui/charts/sparkline.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { Copy } from '../../../platform/ui/components/overlay.tsx';
import { ChangeNote } from '../../../platform/ui/components/stat.tsx';
import { Icon, type IconName } from '../../../platform/ui/icon.tsx';
import { textLink, withQuery } from '../components/navigation.tsx';
import { count } from '../components/number-format.ts';
import { sectionPath } from '../sections.ts';
import { texts as shared } from '../texts/en.ts';
import { texts } from './texts/en.ts';

const words = texts.overview.sites;

/** The last 24 hours of a site, compared with the 24 hours before. */
export type SiteDay = DashboardView;

const siteUrl = (site: string): string => withQuery(sectionPath('analytics'), { site_id: site });

function siteItem(day: SiteDay): Html {
  const { site_id: site, visitors_now: now, totals, change, series } = day;
  // An hour that has just begun would look like a fall.
  const visitors = series.filter(({ partial }) => !partial).map((step) => step.visitors);
  return (
    <li class="site-row">
      <span class="site-name">
        <a href={siteUrl(site)} safe>
          {site}
        </a>
        <span class={now > 0 ? 'hint site-now' : 'hint'}>
          {escapeHtml(words.now({ count: now }))}
        </span>
      </span>
      <Sparkline values={visitors} label={words.course({ values: visitors.join(', ') })} />
      <span class="site-figures">
        <strong>{escapeHtml(count(totals.visitors))}</strong>
        <span class="hint" safe>
          {words.visitors}
        </span>
      </span>
      <span class="site-change">
        {change?.visitors == null ? (
          <span class="hint">–</span>
        ) : (
          <ChangeNote {...describeChange(change.visitors)} />
        )}
      </span>
    </li>
  );
}

/** The busiest sites: visitors of the last 24 hours, their course and their change. */
export function sitesPanel(sites: readonly SiteDay[], quietSites: number): Html {
  return (
    <Card
      id="sites"
      title={words.title}
      isLive
      actions={textLink(sectionPath('analytics'), words.all)}
    >
      {sites.length === 0 ? (
        <EmptyState icon="analytics" text={words.none} />
      ) : (
        <ul class="site-rows">{sites.map(siteItem)}</ul>
      )}
      {quietSites > 0 && <p class="hint">{escapeHtml(words.quiet({ count: quietSites }))}</p>}
    </Card>
  );
}

interface Step {
  icon: IconName;
  title: string;
  text: string;
  button: string;
  href: string;
}

const { first } = words;
const steps: readonly Step[] = [
  { icon: 'globe', ...first.site, href: sectionPath('analytics') },
  { icon: 'users', ...first.people, href: `${sectionPath('users')}/invitations/new` },
  { icon: 'qr', ...first.code, href: sectionPath('qr') },
];

/** Where to begin, while there is no site. */
export const firstSteps = (baseUrl: string, isAdmin: boolean): Html => (
  <Card id="first-steps" title={first.title}>
    {isAdmin && (
      <ol class="first-steps">
        {steps.map(({ icon, title, text, button, href }, at) => (
          <li>
            <span class="task-icon">
              <Icon name={icon} />
            </span>
            <h3 safe>{title}</h3>
            <p class="hint" safe>
              {text}
            </p>
            <Button label={button} href={href} kind={at === 0 ? 'primary' : 'secondary'} />
          </li>
        ))}
      </ol>
    )}
    <p class="hint" safe>
      {first.event}
    </p>
    <Copy
      text={curlEvent(baseUrl, {
        event: 'pageview',
        url: 'https://example.com/',
        site_id: 'example.com',
      })}
      label={shared.copy}
    />
  </Card>
);
