import type { Html } from '../../../../lib/text/html.ts';
import {
  CreateShareBody,
  type CreatedShareView,
  type ShareView,
} from '../../../../areas/analytics/sharing/schemas.ts';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Copy, Menu } from '../../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { OptionalTime } from '../../components/optional-time.tsx';
import { fieldsOf } from '../../forms/schema-fields.tsx';
import { ActionButton, ConsoleForm } from '../../components/console-form.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { texts as consoleTexts } from '../../texts/en.ts';
import { texts } from '../texts/en.ts';
import { DrawerLink } from '../../components/drawer-link.tsx';
import { ofSite } from '../view-controls.tsx';
import type { ViewParams } from '../view-params.ts';
import { sitePartPath, sitePath } from './site-path.ts';

const { shares: shareTexts } = texts.site;

/** The form for a new share link, in the time zone of the site. */
export function newShareForm({ site, siteZone: zone }: ViewParams): Html {
  const field = fieldsOf(CreateShareBody, { idPrefix: 'share', texts: shareTexts });
  const password = { minlength: 8, autocomplete: 'new-password' };
  return (
    <ConsoleForm
      action={`${sitePath}/shares`}
      values={{ site_id: site, zone }}
      submit={{ label: shareTexts.create }}
      cancel={sitePartPath('shares', site)}
    >
      {field('name')}
      {field('password', { type: 'password', attributes: password })}
      {field('expires_at', { hint: texts.site.expiresHint({ zone }) })}
    </ConsoleForm>
  );
}

/** Revocation is at once: the notice of it can bring the link back. */
const shareMenu = ({ id, name }: ShareView, site: string): Html => (
  <Menu
    id={`menu-${id}`}
    label={texts.site.actionsFor({ name })}
    isIconOnly
    items={[
      <ActionButton
        action={`${sitePath}/shares/revoke`}
        values={{ site_id: site, id }}
        label={shareTexts.revoke}
        icon="trash"
        kind="ghost"
      />,
    ]}
  />
);

/** When a link ends; one that has ended opens nothing. */
const expiry = ({ expires_at: end }: ShareView, now: number): Html =>
  end !== null && Date.parse(end) <= now ? (
    <Badge text={shareTexts.expired} />
  ) : (
    <OptionalTime at={end} />
  );

/** Whether a link opens by itself. */
const access = ({ has_password: hasPassword }: ShareView): Html =>
  hasPassword ? (
    <Badge text={shareTexts.access.password} tone="ok" />
  ) : (
    <Badge text={shareTexts.access.open} />
  );

/** When a link was created, and by whom. */
function creation({ created_at: at, created_by: id }: ShareView, { creators }: SharesView): Html {
  const name = creators.get(id);
  return (
    <>
      <Time at={at} />{' '}
      {name !== undefined && (
        <span class="hint" safe>
          {shareTexts.by({ name })}
        </span>
      )}
    </>
  );
}

export interface SharesView {
  shares: readonly ShareView[];
  site: string;
  now: number;
  /** Names of the users who created links, by their IDs. */
  creators: ReadonlyMap<string, string>;
}

function shareColumns(view: SharesView): Column<ShareView>[] {
  const { site, now } = view;
  const { columns } = shareTexts;
  return [
    {
      title: columns.name,
      cell: ({ id, name }) => (
        <span id={`share-${id}`} safe>
          {name}
        </span>
      ),
    },
    { title: columns.access, cell: access },
    { title: columns.expires, cell: (share) => expiry(share, now) },
    { title: columns.created, cell: (share) => creation(share, view), isMinor: true },
    {
      title: columns.lastUsed,
      cell: ({ last_used_at: last }) => <OptionalTime at={last} />,
      isMinor: true,
    },
    {
      title: texts.site.actions,
      cell: (share) => shareMenu(share, site),
      isTitleHidden: true,
      isNumber: true,
    },
  ];
}

/** Share links of a site, for admins. */
export const sharesPanel = (view: SharesView): Html => (
  <Card
    id="shares"
    title={shareTexts.heading}
    hint={shareTexts.hint}
    actions={
      <DrawerLink
        href={ofSite(`${sitePath}/shares/new`, view.site)}
        label={shareTexts.add}
        icon="plus"
        size="small"
      />
    }
  >
    <Table
      caption={shareTexts.heading}
      columns={shareColumns(view)}
      rows={view.shares}
      empty={<EmptyState icon="link" text={shareTexts.empty} />}
    />
  </Card>
);

/** The page of a new link, which is shown only once. */
export const createdSharePage = (site: string, { name, url }: CreatedShareView): ConsolePage => ({
  section: 'analytics',
  title: texts.site.createdShare.title,
  body: (
    <Card id="created-share" title={name} hint={texts.site.createdShare.hint({ name })}>
      <Copy text={url} label={consoleTexts.copy} />
      <div class="row-actions">
        <Button
          label={texts.site.createdShare.open}
          href={url}
          icon="arrow-right"
          kind="primary"
          attributes={{ target: '_blank', rel: 'noopener' }}
        />
        <Button
          label={texts.site.createdShare.back}
          href={sitePartPath('shares', site)}
          icon="arrow-left"
        />
      </div>
    </Card>
  ),
});
