import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { ShareView } from '../../../../areas/analytics/sharing/schemas.sharing.ts';
import { copyBlock, emptyState, panel, time } from '../../components/elements.tsx';
import { confirmForm, field, postForm } from '../../components/forms.tsx';
import { actionsColumn, table } from '../../components/tables.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { texts } from '../texts/en.ts';
import type { ViewParams } from '../view-params.ts';
import { sitePath } from './site-path.ts';

const { shares: shareTexts } = texts.site;

const newShareForm = (site: string): Html =>
  postForm({
    action: `${sitePath}/shares`,
    values: { site_id: site },
    inputs: [
      field({
        id: 'share-name',
        name: 'name',
        label: shareTexts.name,
        hint: shareTexts.nameHint,
        maxLength: 100,
        attributes: { required: true },
      }),
      field({
        id: 'share-password',
        name: 'password',
        label: shareTexts.password,
        hint: shareTexts.passwordHint,
        type: 'password',
        maxLength: 256,
        attributes: { minlength: 8 },
      }),
      field({
        id: 'share-end',
        name: 'expires_at',
        label: shareTexts.expiry,
        hint: shareTexts.expiryHint,
        type: 'datetime-local',
      }),
    ],
    button: shareTexts.create,
    kind: 'first',
  });

/** Share links of a site. Undefined without `shares`, which only admins see. */
export function sharesPanel(
  shares: readonly ShareView[] | undefined,
  site: string,
): Html | undefined {
  if (shares === undefined) return undefined;
  const revokeForm = ({ id, name }: ShareView) =>
    confirmForm({
      id: `revoke-${id}`,
      action: `${sitePath}/shares/revoke`,
      values: { site_id: site, id, name },
      open: shareTexts.revoke,
      word: name,
      warning: shareTexts.revokeWarning,
      button: shareTexts.confirmRevoke,
    });
  const { columns } = shareTexts;
  const list = table({
    caption: shareTexts.heading,
    columns: [
      columns.name,
      columns.password,
      columns.expires,
      columns.lastUsed,
      actionsColumn(texts.site.actions),
    ],
    rows: shares.map((share) => [
      <span id={`share-${share.id}`} safe>
        {share.name}
      </span>,
      share.has_password ? escapeHtml(shareTexts.yes) : escapeHtml(shareTexts.no),
      time(share.expires_at),
      time(share.last_used_at),
      revokeForm(share),
    ]),
    empty: emptyState({ text: shareTexts.empty }),
  });
  return panel({
    id: 'shares',
    title: shareTexts.heading,
    hint: shareTexts.hint,
    body: [list, newShareForm(site)],
  });
}

/** The page of a new link, which is shown only once. */
export function createdSharePage(address: ViewParams, name: string, url: string): ConsolePage {
  const back = `${sitePath}?site_id=${encodeURIComponent(address.site)}`;
  return {
    section: 'analytics',
    title: texts.site.createdShare.title,
    body: (
      <section class="panel">
        <p safe>{texts.site.createdShare.hint({ name })}</p>
        {copyBlock(url)}
        <p>
          <a href={back} safe>
            {texts.site.createdShare.back}
          </a>
        </p>
      </section>
    ),
  };
}
