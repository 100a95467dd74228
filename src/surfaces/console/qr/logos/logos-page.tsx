import type { LogoView } from '../../../../areas/qr/pictures/schemas.ts';
import { qrCodeResource } from '../../../../areas/qr/resource.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { Copy } from '../../../../platform/ui/components/overlay.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ConfirmForm, ConsoleForm } from '../../components/console-form.tsx';
import { textLink, withQuery } from '../../components/navigation.tsx';
import { doneNotice } from '../../components/notices.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { resourcePath } from '../../resources/resource-paths.ts';
import { qrBreadcrumbs } from '../breadcrumbs.ts';
import { texts } from '../texts/en.ts';
import { LogoPicture, logoSize, logosPath } from './logo-picture.tsx';

export interface LogosView {
  logos: readonly LogoView[];
  done: string | undefined;
}

const words = texts.logos;

const usage = ({ id, codes }: LogoView): Html =>
  codes === 0
    ? escapeHtml(words.unused)
    : textLink(
        withQuery(resourcePath(qrCodeResource), { logo: id }),
        words.used({ codes, count: formatNumber(codes) }),
      );

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
  <li id={logo.id}>
    <LogoPicture {...logo} />
    <div>
      <p>
        {escapeHtml(logoSize(logo))} · <Time at={logo.created_at} /> · {usage(logo)}
      </p>
      <Copy text={logo.id} label={words.id} />
      {logo.codes === 0 && deleteForm(logo)}
    </div>
  </li>
);

const uploadCard = (): Html => (
  <Card id="upload" title={words.upload}>
    <ConsoleForm
      action={logosPath}
      submit={{ label: words.submit, icon: 'upload' }}
      attributes={{ enctype: 'multipart/form-data' }}
    >
      <Field
        id="logo"
        type="file"
        label={words.file}
        hint={words.uploadHint}
        isRequired
        attributes={{ accept: 'image/png,image/jpeg,image/webp' }}
      />
    </ConsoleForm>
  </Card>
);

/** The logos for the center of codes, and a form to upload one. */
export function logosPage({ logos, done }: LogosView): ConsolePage {
  return {
    section: 'records',
    title: words.title,
    breadcrumbs: qrBreadcrumbs,
    notice: doneNotice(words.notices, done),
    body: (
      <>
        {uploadCard()}
        <Card id="logos" title={words.all} hint={logos.length === 0 ? undefined : words.hint}>
          {logos.length === 0 ? (
            <EmptyState icon="qr" text={words.none} />
          ) : (
            <ul class="logo-list">{logos.map(entry)}</ul>
          )}
        </Card>
      </>
    ),
  };
}
