import type { Html } from '../../../lib/text/html.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Copy } from '../../../platform/ui/components/overlay.tsx';
import type { ConsolePage } from '../layout.tsx';
import { texts as consoleTexts } from '../texts/en.ts';
import { newSiteForm } from './site/new-site-form.tsx';
import { tagOf } from './site/waiting-page.tsx';
import { texts } from './texts/en.ts';

const { noSites } = texts;

/** For those who may not add a site: the tag, which adds it by its first event. */
const tagAlone = (origin: string): Html => (
  <>
    <p safe>{noSites.scriptOnly}</p>
    <p class="hint" safe>
      {noSites.example}
    </p>
    <Copy text={tagOf(origin, 'example.com')} label={consoleTexts.copy} />
    <div class="waiting" id="begin" data-live>
      <span class="pulse"></span>
      <p safe>{noSites.waiting}</p>
    </div>
  </>
);

/** The page shown while there is no site: how to begin. */
export const noSitesPage = (origin: string, isAdmin: boolean): ConsolePage => ({
  section: 'analytics',
  title: noSites.title,
  every: 3,
  body: (
    <Card id="first-site" title={noSites.heading} hint={isAdmin ? noSites.hint : undefined}>
      {isAdmin ? newSiteForm() : tagAlone(origin)}
    </Card>
  ),
});
