import type { LogoView } from '../../../../areas/qr/pictures/schemas.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { FileDrop } from '../../../../platform/ui/components/file-drop.tsx';
import { Menu } from '../../../../platform/ui/components/overlay.tsx';
import { WordForm } from '../../components/console-form.tsx';
import { FormAbout, TitledPoints } from '../../components/form-about.tsx';
import { formPage } from '../../components/form-page.tsx';
import { DrawerItem } from '../../components/drawer-link.tsx';
import { MenuLink } from '../../components/menu-link.tsx';
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
const cardsId = 'logos';

const deleteLogoPath = ({ id }: LogoView): string => `${logosPath}/${id}/delete`;
const codesPath = ({ id }: LogoView): string => withQuery(qrPath, { logo: id });

const usage = (logo: LogoView): Html =>
  logo.codes === 0
    ? escapeHtml(words.unused)
    : textLink(codesPath(logo), words.used({ codes: logo.codes, count: formatNumber(logo.codes) }));

/** What can be done with a logo: it can be deleted while no code has it. */
const logoMenu = (logo: LogoView): Html => (
  <Menu
    id={`menu-${logo.id}`}
    label={words.menu({ name: logoTitle(logo) })}
    isIconOnly
    items={[
      logo.codes === 0 ? (
        <DrawerItem href={deleteLogoPath(logo)} icon="trash" label={words.delete} />
      ) : (
        <MenuLink href={codesPath(logo)} icon="qr" label={words.show} />
      ),
    ]}
  />
);

const entry = (logo: LogoView): Html => (
  <li id={logo.id} class="tile logo-card">
    <div class="logo-face">{pictureOfLogo(logo, 96)}</div>
    <div class="logo-facts">
      <strong>{escapeHtml(logoTitle(logo))}</strong>
      <span>{usage(logo)}</span>
      <span class="hint">{escapeHtml(logoSize(logo))}</span>
    </div>
    {logoMenu(logo)}
  </li>
);

/** Deletes a logo that no code has, after a word was typed. */
export const deleteLogoPage = (logo: LogoView): ConsolePage =>
  formPage({
    section: 'qr',
    title: words.delete,
    breadcrumbs: [...qrBreadcrumbs, { href: logosPath, text: words.title }],
    about: (
      <FormAbout
        title={logoTitle(logo)}
        picture={pictureOfLogo(logo, 48)}
        detail={logoSize(logo)}
      />
    ),
    children: (
      <WordForm
        id="confirm-delete"
        action={deleteLogoPath(logo)}
        word={words.word}
        points={words.deletePoints}
        warning={words.warning}
        submit={words.delete}
        cancel={logosPath}
      />
    ),
  });

/** Logos as cards. The script replaces them by their id after an upload. */
export const logoCards = (logos: readonly LogoView[]): Html => (
  <div id={cardsId}>
    {logos.length === 0 ? (
      <section class="tile" aria-label={words.title}>
        <EmptyState icon="image" text={words.none} />
      </section>
    ) : (
      <ul class="logo-cards">{logos.map(entry)}</ul>
    )}
  </div>
);

/** A file is sent as soon as it is dropped; without a script a button sends it. */
const upload = (): Html => (
  <form
    class="upload-form"
    method="post"
    action={logosPath}
    enctype="multipart/form-data"
    data-send
  >
    <FileDrop
      id="logo"
      name="logo"
      label={words.drop}
      accept="image/png,image/jpeg,image/webp"
      uploadTo={withQuery(logosPath, { part: 'cards' })}
      into={cardsId}
      without={<Button label={words.submit} size="small" />}
    />
    <p class="hint" safe>
      {words.uploadHint}
    </p>
  </form>
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
        <p class="lead" safe>
          {words.lead}
        </p>
        <div class="logos-layout">
          <Card id="upload" title={words.upload}>
            {upload()}
            <TitledPoints title={words.use.title} items={words.use.points} />
          </Card>
          {logoCards(logos)}
        </div>
      </>
    ),
  };
}
