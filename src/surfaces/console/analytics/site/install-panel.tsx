import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Copy } from '../../../../platform/ui/components/overlay.tsx';
import { formatDayTime } from '../../../../platform/i18n/dates.ts';
import { texts as consoleTexts } from '../../texts/en.ts';
import { texts } from '../texts/en.ts';
import type { SiteEntry } from '../view-controls.tsx';
import type { ViewParams } from '../view-params.ts';
import { tagOf } from './waiting-page.tsx';

const { install } = texts.site;

/** In the zone of the site, as the feed of live events. */
const state = (last: string | null, timeZone: string): Html =>
  last === null ? (
    <>
      <Badge text={install.waiting} tone="warn" /> {escapeHtml(install.noEvent)}
    </>
  ) : (
    <>
      <Badge text={install.receiving} tone="ok" />{' '}
      {escapeHtml(install.lastEvent({ time: formatDayTime(last, { timeZone }), zone: timeZone }))}
    </>
  );

/** How to send events to a site, and whether they arrive. */
export function installPanel(
  { site, siteZone }: Pick<ViewParams, 'site' | 'siteZone'>,
  sites: readonly SiteEntry[],
  origin: string,
): Html {
  const known = sites.find(({ site_id: id }) => id === site);
  return (
    <Card
      id="install"
      title={install.heading}
      hint={install.hint}
      actions={
        <>
          <Button label={install.otherWays} href="/install" size="small" />
          <Button
            label={install.guide}
            href="/developer/guides/website-script"
            size="small"
            icon="book"
          />
        </>
      }
    >
      <Copy text={tagOf(origin, site)} label={consoleTexts.copy} />
      <div role="status">
        <p data-await={`analytics:${site}`}>{state(known?.last_event_at ?? null, siteZone)}</p>
      </div>
    </Card>
  );
}
