import { type BrandView, maxFooterLinks } from '../../../areas/settings/schemas.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { Assets } from '../../../platform/ui/assets.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Field, FieldSet } from '../../../platform/ui/components/form.tsx';
import { ActionButton, ConsoleForm } from '../components/console-form.tsx';
import { doneNotice } from '../components/notices.tsx';
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
  <FieldSet legend={words.links}>
    <div class="brand-links">
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
  </FieldSet>
);

const brandForm = (view: BrandView): Html => (
  <Card id="brand" title={words.form} hint={texts.rule.saved}>
    <ConsoleForm
      action={`${path}/brand`}
      submit={{ label: words.submit }}
      attributes={{ 'data-brand': `${path}/colors` }}
    >
      <Field
        id="name"
        label={words.name}
        value={view.name ?? ''}
        maxLength={50}
        attributes={{ placeholder: view.effective.name }}
      />
      <Field
        id="accent"
        type="color"
        label={words.accent}
        hint={words.accentHint}
        value={view.effective.accent}
      />
      <p class="hint" id="accent-note" aria-live="polite" safe>
        {accentNote(view.effective.accent)}
      </p>
      <Field
        id="footer_text"
        label={words.footer}
        hint={words.footerHint}
        value={view.footer_text ?? ''}
        maxLength={160}
      />
      {linkFields(view)}
    </ConsoleForm>
  </Card>
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
        <Field
          id="logo"
          type="file"
          label={words.logoFile}
          isRequired
          attributes={{ accept: 'image/png,image/svg+xml,image/jpeg,image/webp' }}
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
          {brandForm(view)}
          {logoCard(view)}
        </div>
        {brandPreview(view, assets)}
      </div>
    ),
  });
