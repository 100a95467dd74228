import type { LogoView } from '../../../../areas/qr/pictures/schemas.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { FileDrop } from '../../../../platform/ui/components/file-drop.tsx';
import { ConfirmForm, ConsoleForm } from '../../components/console-form.tsx';
import { textLink, withQuery } from '../../components/navigation.tsx';
import { doneNotice } from '../../components/notices.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { qrBreadcrumbs, qrPath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import { logoSize, logosPath, logoTitle, pictureOfLogo } from './logo-picture.tsx';

export interface LogosView {
  logos: readonly LogoView[];
  done: string | undefined;
}

const words = texts.logos;

const usage = ({ id, codes }: LogoView): Html =>
  codes === 0
    ? escapeHtml(words.unused)
    : textLink(withQuery(qrPath, { logo: id }), words.used({ codes, count: formatNumber(codes) }));

const deleteForm = ({ id }: LogoView): Html => (
  <ConfirmForm
    id={`confirm-${id}`}
    action={`${logosPath}/${id}/delete`}
    open={words.delete}
    word={words.word}
    warning={words.warning}
    submit={words.delete}
  />
);

const entry = (logo: LogoView): Html => (
  <li id={logo.id} class="tile logo-card">
    {pictureOfLogo(logo, 96)}
    <strong>{escapeHtml(logoTitle(logo))}</strong>
    <span class="hint">{escapeHtml(logoSize(logo))}</span>
    <span>{usage(logo)}</span>
    {logo.codes === 0 && deleteForm(logo)}
  </li>
);

const upload = (): Html => (
  <ConsoleForm
    action={logosPath}
    submit={{ label: words.submit, icon: 'upload', kind: 'primary' }}
    attributes={{ enctype: 'multipart/form-data', class: 'form upload-form' }}
  >
    <FileDrop
      id="logo"
      name="logo"
      label={words.drop}
      accept="image/png,image/jpeg,image/webp"
      without={undefined}
    />
    <p class="hint" safe>
      {words.uploadHint}
    </p>
  </ConsoleForm>
);

/** The logos for the center of codes, and a place to drop another one. */
export function logosPage({ logos, done }: LogosView): ConsolePage {
  return {
    section: 'qr',
    title: words.title,
    breadcrumbs: qrBreadcrumbs,
    notice: doneNotice(words.notices, done),
    body: (
      <>
        <section class="tile" aria-label={words.upload}>
          {upload()}
        </section>
        {logos.length === 0 ? (
          <EmptyState icon="image" text={words.none} />
        ) : (
          <ul class="logo-cards" id="logos">
            {logos.map(entry)}
          </ul>
        )}
      </>
    ),
  };
}
