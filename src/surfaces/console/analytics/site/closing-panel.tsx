import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { SiteView } from '../../../../areas/analytics/sites/schemas.ts';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { ActionButton, WordForm } from '../../components/console-form.tsx';
import { DrawerLink } from '../../components/drawer-link.tsx';
import { withQuery } from '../../components/navigation.tsx';
import { texts } from '../texts/en.ts';
import { sitePath } from './site-path.ts';

const { close: words } = texts.site;

/** Closes a site, or opens it again. */
export const closingPanel = ({ site_id: site, closed }: SiteView): Html =>
  closed ? (
    <Card id="closing" title={words.closedHeading}>
      <p>
        <Badge text={words.badge} tone="warn" /> {escapeHtml(words.closed)}
      </p>
      <ActionButton action={`${sitePath}/open`} values={{ site_id: site }} label={words.reopen} />
    </Card>
  ) : (
    <Card id="closing" title={words.heading} hint={words.hint}>
      <DrawerLink label={words.open} href={withQuery(`${sitePath}/close`, { site_id: site })} />
    </Card>
  );

/** The form that closes a site, which takes its key as the word to type. */
export const closingForm = (site: string): Html => (
  <WordForm
    id="close-confirm"
    action={`${sitePath}/close`}
    values={{ site_id: site }}
    word={site}
    points={words.points}
    warning={words.warning}
    submit={words.button}
    cancel={withQuery(sitePath, { site_id: site })}
  />
);
