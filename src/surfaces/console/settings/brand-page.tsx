import { type BrandView, maxFooterLinks } from '../../../areas/settings/schemas.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { Assets } from '../../../platform/ui/assets.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { FileDrop } from '../../../platform/ui/components/file-drop.tsx';
import { Field } from '../../../platform/ui/components/form.tsx';
import { ActionButton, ConsoleForm } from '../components/console-form.tsx';
import { doneNotice } from '../components/notices.tsx';
import { SaveBar } from '../components/save-bar.tsx';
import type { ConsolePage } from '../layout.tsx';
import { accentNote, brandPreview } from './brand-preview.tsx';
import { settingsFrame, settingsPath } from './settings-frame.tsx';
import { texts } from './texts/en.ts';

const words = texts.brand;
const path = settingsPath('brand');

/** Rows of links that the form shows: those that there are, and one more. */
const linkRows = ({ footer_links: links }: BrandView): number =>
  Math.min(maxFooterLinks, Math.max(2, links.length + 1));

const linkFields = (view: BrandView): Html => (
  <Card id="links" title={words.links} hint={words.linksHint}>
    <div class="brand-links">
      <span aria-hidden="true">{escapeHtml(words.label)}</span>
      <span aria-hidden="true">{escapeHtml(words.url)}</span>
      {Array.from({ length: linkRows(view) }, (_, at) => (
        <>
          <Field
            id={`link-label-${at}`}
            label={words.linkLabel({ number: at + 1 })}
            isLabelHidden
            value={view.footer_links[at]?.label}
            maxLength={40}
            attributes={{ placeholder: words.labelPlaceholder }}
          />
          <Field
            id={`link-url-${at}`}
            label={words.linkUrl({ number: at + 1 })}
            isLabelHidden
            value={view.footer_links[at]?.url}
            maxLength={500}
            attributes={{ placeholder: words.urlPlaceholder, inputmode: 'url' }}
          />
        </>
      ))}
    </div>
    <Field
      id="footer_text"
      label={words.footer}
      hint={words.footerHint}
      value={view.footer_text ?? ''}
      maxLength={160}
    />
  </Card>
);

/** A color as a field for its hex value, and a swatch that opens the browser's picker. */
const accentField = ({ effective: { accent } }: BrandView): Html => (
  <div class="color-field">
    <Field
      id="accent"
      label={words.accent}
      hint={words.accentHint}
      value={accent}
      maxLength={7}
      isRequired
      attributes={{
        pattern: '#[0-9A-Fa-f]{6}',
        title: words.accentFormat,
        spellcheck: 'false',
      }}
    />
    <input
      class="own-color"
      id="accent-picker"
      type="color"
      value={accent}
      aria-label={words.accentPicker}
    />
    <p class="hint" id="accent-note" aria-live="polite" safe>
      {accentNote(accent)}
    </p>
  </div>
);

const brandForm = (view: BrandView): Html => (
  <form
    class="settings-form"
    method="post"
    action={`${path}/brand`}
    data-send
    data-brand={`${path}/colors`}
  >
    <Card id="brand" title={words.form}>
      <Field
        id="name"
        label={words.name}
        value={view.name ?? ''}
        maxLength={50}
        attributes={{ placeholder: view.effective.name }}
      />
      {accentField(view)}
    </Card>
    {linkFields(view)}
    <SaveBar label={words.submit} note={texts.rule.saved} />
  </form>
);

function logoCard({ logo }: BrandView): Html {
  return (
    <Card id="logo-card" title={words.logo} hint={words.logoHint}>
      {logo === null ? (
        <p class="hint">{escapeHtml(words.noLogo)}</p>
      ) : (
        <div class="brand-logo">
          <img
            class="logo"
            src={logo.url.replace(new URL(logo.url).origin, '')}
            alt={words.currentLogo}
            height="56"
          />
          <ActionButton action={`${path}/logo/remove`} label={words.remove} kind="ghost" />
        </div>
      )}
      <ConsoleForm
        action={`${path}/logo`}
        submit={{
          label: logo === null ? words.upload : words.replace,
          icon: 'upload',
          kind: 'secondary',
        }}
        attributes={{ enctype: 'multipart/form-data' }}
      >
        <FileDrop
          id="logo"
          name="logo"
          label={words.drop}
          accept="image/png,image/svg+xml,image/jpeg,image/webp"
        />
      </ConsoleForm>
    </Card>
  );
}

/** The brand: a form, and beside it what it looks like. */
export const brandPage = (
  view: BrandView,
  { assets, done }: { assets: Pick<Assets, 'path'>; done: string | undefined },
): ConsolePage =>
  settingsFrame({
    id: 'brand',
    lead: words.lead,
    notice: doneNotice(words.notices, done),
    children: (
      <div class="brand-columns">
        <div>
          {logoCard(view)}
          {brandForm(view)}
        </div>
        {brandPreview(view, assets)}
      </div>
    ),
  });
