import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { type BrandView, maxFooterLinks } from '../../../areas/settings/schemas.ts';
import { contrast } from '../../../lib/colors.ts';
import { isAccentAdjusted } from '../../../platform/brand/accent.ts';
import type { Assets } from '../../../platform/ui/assets.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Choices } from '../../../platform/ui/components/choices.tsx';
import { texts } from './texts/en.ts';

const words = texts.brand;

/** What is said of an accent: whether white text on it can be read. */
export function accentNote(accent: string): string {
  const measured = Math.floor(contrast(accent, '#ffffff') * 10) / 10;
  return (isAccentAdjusted(accent) ? words.isAdjusted : words.isReadable)({ contrast: measured });
}

const previews = ['site', 'email', 'qr', 'status'] as const;
type PreviewName = (typeof previews)[number];

const button = (text: string): Html => (
  <span class="btn btn-primary" safe>
    {text}
  </span>
);

/** What stands between the name and the footer of each page. */
const bodies: Readonly<Record<PreviewName, () => Html>> = {
  site: () => (
    <>
      <p class="brand-sample-title" safe>
        {words.samples.site}
      </p>
      <p class="brand-sample-row">
        {button(words.button)}
        <span class="brand-sample-link" safe>
          {words.link}
        </span>
      </p>
    </>
  ),
  email: () => (
    <>
      <p class="brand-sample-title" safe>
        {words.samples.email}
      </p>
      <p class="brand-sample-code">482 913</p>
      <p class="brand-sample-row">{button(words.signIn)}</p>
    </>
  ),
  qr: () => (
    <>
      <p class="brand-sample-title" safe>
        {words.samples.qr}
      </p>
      <p class="brand-sample-field" safe>
        {words.password}
      </p>
      <p class="brand-sample-row">{button(words.open)}</p>
    </>
  ),
  status: () => (
    <>
      <p class="brand-sample-row">
        <Badge text={words.samples.status} tone="ok" />
      </p>
      <p class="brand-sample-row">{button(words.subscribe)}</p>
    </>
  ),
};

/** The pages and mails in one scheme. Their colours follow `color-scheme`, which each half sets. */
function sample(
  { effective, logo, footer_text: footer, footer_links: links }: BrandView,
  { scheme, picture }: { scheme: 'light' | 'dark'; picture: string },
): Html {
  const isWide = logo !== null && logo.width > logo.height * 1.8;
  return (
    <div class={`brand-sample ${scheme}`}>
      <p class="hint" safe>
        {words[scheme]}
      </p>
      <div class="brand-sample-page">
        <p class="brand">
          <img class={logo === null ? undefined : 'own'} src={picture} alt="" height="24" />
          {isWide ? undefined : (
            <span data-preview="name" safe>
              {effective.name}
            </span>
          )}
        </p>
        {previews.map((name) => (
          <div class={`brand-of brand-of-${name}`}>{bodies[name]()}</div>
        ))}
        <p class="hint" data-preview="footer_text" safe>
          {footer ?? ''}
        </p>
        <p class="brand-sample-links">
          {Array.from({ length: maxFooterLinks }, (_, at) => (
            <span class="brand-sample-link" data-preview={`link-label-${at}`} safe>
              {links[at]?.label ?? ''}
            </span>
          ))}
        </p>
      </div>
    </div>
  );
}

/** Samples in light and dark, which the script changes while one types. */
export function brandPreview(view: BrandView, assets: Pick<Assets, 'path'>): Html {
  const picture = view.logo === null ? assets.path('icon.svg') : new URL(view.logo.url).href;
  const path = view.logo === null ? picture : picture.replace(new URL(picture).origin, '');
  return (
    <section class="tile brand-preview" id="preview" aria-labelledby="preview-title">
      <h2 id="preview-title">{escapeHtml(words.preview)}</h2>
      <Choices
        name="preview"
        legend={words.previewOf}
        isLegendHidden
        look="chips"
        value="site"
        choices={previews.map((value) => ({ value, label: words.previews[value] }))}
      />
      {sample(view, { scheme: 'light', picture: path })}
      {sample(view, { scheme: 'dark', picture: path })}
    </section>
  );
}
