import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Copy } from '../../../../platform/ui/components/overlay.tsx';
import { doneNotice } from '../../components/notices.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { texts as consoleTexts } from '../../texts/en.ts';
import type { SiteView } from '../routes.site-page.ts';
import { siteTabs } from '../view-controls.tsx';
import { siteBar } from '../view-bar.tsx';
import { viewUrl } from '../view-params.ts';
import { texts } from '../texts/en.ts';

const { install, waiting } = texts.site;

/** The line that a page needs to send events to a site. */
export const tagOf = (origin: string, site: string): string =>
  `<script defer src="${origin}/svc.min.js" data-site="${site}"></script>`;

/** Waits for the first event. The script says when it comes, and shows the way on. */
const firstEvent = (site: string, dashboard: string): Html => (
  <div class="waiting" role="status">
    <span class="pulse"></span>
    <p data-await={`analytics:${site}`}>{escapeHtml(waiting.text)}</p>
    <Button label={waiting.open} href={dashboard} kind="primary" icon="chart" />
  </div>
);

/** What the dashboard shows of a site without an event: how to send the first one. */
export function waitingPage(
  { address, sites, viewer, query }: SiteView,
  origin: string,
): ConsolePage {
  const { site } = address;
  return {
    section: 'analytics',
    title: site,
    heading: texts.controls.heading,
    body: (
      <>
        {siteTabs(address, '')}
        {siteBar({ address, sites, tab: '', isAdmin: viewer.isAdmin })}
        <Card id="install" title={waiting.heading({ site })} hint={install.hint}>
          <Copy text={tagOf(origin, site)} label={consoleTexts.copy} />
          {firstEvent(site, viewUrl(address))}
          <p class="hint">
            <a href="/install" safe>
              {install.otherWays}
            </a>
          </p>
        </Card>
      </>
    ),
    notice: doneNotice(texts.site.done, query.done),
    channels: [`analytics:${site}`],
  };
}
