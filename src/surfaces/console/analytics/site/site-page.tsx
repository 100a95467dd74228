import type { Content, Html } from '../../../../lib/text/html.ts';
import { Tabs } from '../../../../platform/ui/components/navigation.tsx';
import { doneNotice, UndoButton } from '../../components/notices.tsx';
import type { ConsolePage } from '../../layout.tsx';
import type { SiteView } from '../routes.site-page.ts';
import { newSitePath, siteTabs } from '../view-controls.tsx';
import { DrawerLink } from '../../components/drawer-link.tsx';
import { siteBar } from '../view-bar.tsx';
import { texts } from '../texts/en.ts';
import { type SitePart, sitePartPath, sitePath, siteParts } from './site-path.ts';

const { site: words } = texts;

const adminParts: readonly SitePart[] = ['shares', 'reports'];

export interface SettingsPageOptions {
  part: SitePart;
  children: Content;
  /** A form that reverts what was just done. */
  undo?: Html | undefined;
}

const restorePaths: Readonly<Partial<Record<string, string>>> = {
  share_revoked: `${sitePath}/shares/restore`,
  report_deleted: `${sitePath}/reports/restore`,
};

/** Brings back the share link or the report that was just removed. */
export function undoRemoval({ address, query }: SiteView): Html | undefined {
  const { done = '', removed } = query;
  const action = restorePaths[done];
  if (removed === undefined || action === undefined) return undefined;
  return <UndoButton action={action} values={{ site_id: address.site, removed }} />;
}

/** A page of a site's settings, beside its other pages. */
export function settingsPage(
  { address, sites, viewer, query }: SiteView,
  { part, children, undo }: SettingsPageOptions,
): ConsolePage {
  const links = siteParts
    .filter((each) => viewer.isAdmin || !adminParts.includes(each))
    .map((each) => ({
      href: sitePartPath(each, address.site),
      text: words.parts[each === '' ? 'general' : each],
      isCurrent: each === part,
    }));
  return {
    section: 'analytics',
    title: words.title({ site: address.site }),
    heading: texts.controls.heading,
    actions: viewer.isAdmin ? (
      <DrawerLink href={newSitePath} label={texts.controls.addSite} icon="plus" />
    ) : undefined,
    body: (
      <>
        {siteTabs(address, '/site')}
        {siteBar({ address, sites, tab: '/site', isAdmin: viewer.isAdmin })}
        <div class="part-pages">
          <Tabs label={words.parts.label} links={links} />
          <div>{children}</div>
        </div>
      </>
    ),
    notice: doneNotice(words.done, query.done, { undo }),
    channels: [`analytics:${address.site}`],
  };
}
