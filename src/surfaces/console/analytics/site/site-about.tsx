import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import { nextDue } from '../../../../areas/analytics/sharing/reports/periods.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { formatDayTime } from '../../../../platform/i18n/dates.ts';
import { FormAbout, TitledFacts, TitledPoints } from '../../components/form-about.tsx';
import { count } from '../../components/number-format.ts';
import { OptionalTime } from '../../components/optional-time.tsx';
import type { Annotation } from '../dashboard/figures-panel.tsx';
import type { SiteView } from '../routes.site-page.ts';
import { texts } from '../texts/en.ts';

const { about: words, annotations, shares, reports } = texts.site;

/** The site that is about to be closed, with its traffic of the last 30 days. */
export const aboutSite = (
  { address: { site }, sites }: Pick<SiteView, 'address' | 'sites'>,
  { totals }: Pick<DashboardView, 'totals'>,
): Html => (
  <>
    <FormAbout
      title={site}
      facts={[
        {
          name: words.lastEvent,
          value: <OptionalTime at={sites.find((each) => each.site_id === site)?.last_event_at} />,
        },
      ]}
    />
    <TitledFacts
      title={words.recent}
      facts={[
        { name: words.visitors, value: escapeHtml(count(totals.visitors)) },
        { name: words.events, value: escapeHtml(count(totals.events)) },
      ]}
    />
  </>
);

/** Where an annotation will be, and the newest that are there, in the zone of the site. */
export const aboutAnnotations = (
  newest: readonly Annotation[],
  { siteZone: timeZone }: SiteView['address'],
): Html => (
  <>
    <TitledPoints title={annotations.about.title} items={annotations.about.points} />
    {newest.length > 0 && (
      <TitledFacts
        title={annotations.about.newest}
        facts={newest.map(({ at, text }) => ({
          name: formatDayTime(at, { timeZone }),
          value: escapeHtml(text),
        }))}
      />
    )}
  </>
);

/** What people with a share link will see. */
export const aboutShares = (): Html => (
  <TitledPoints title={shares.about.title} items={shares.about.points} />
);

/** What a report has in it, and when the first ones are sent in the zone of the site. */
export function aboutReports(timeZone: string, now: number): Html {
  const first = (frequency: 'weekly' | 'monthly') => ({
    name: reports.values.frequency[frequency],
    value: escapeHtml(formatDayTime(nextDue(frequency, timeZone, now), { timeZone })),
  });
  return (
    <>
      <TitledPoints title={reports.about.title} items={reports.about.points} />
      <TitledFacts
        title={reports.about.first({ zone: timeZone })}
        facts={[first('weekly'), first('monthly')]}
      />
    </>
  );
}

/** What a new site needs, and what it starts with. */
export const aboutNewSite = (): Html => (
  <TitledPoints title={texts.site.add.about.title} items={texts.site.add.about.points} />
);
