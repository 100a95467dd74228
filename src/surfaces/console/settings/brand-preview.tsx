import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { BrandView } from '../../../areas/settings/schemas.ts';
import { contrast } from '../../../lib/colors.ts';
import { isAccentAdjusted } from '../../../platform/brand/accent.ts';
import type { Assets } from '../../../platform/ui/assets.ts';
import { texts } from './texts/en.ts';

const words = texts.brand;

/** What is said of an accent: whether white text on it can be read. */
export function accentNote(accent: string): string {
  const measured = Math.floor(contrast(accent, '#ffffff') * 10) / 10;
  return (isAccentAdjusted(accent) ? words.isAdjusted : words.isReadable)({ contrast: measured });
}

/** A page and an email in the brand. Its colours follow `color-scheme`, which each half sets. */
function sample(
  { effective, logo, footer_text: footer }: BrandView,
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
        <p class="brand-sample-title" safe>
          {words.mailTitle}
        </p>
        <p class="brand-sample-row">
          <span class="btn btn-primary" safe>
            {words.button}
          </span>
          <span class="brand-sample-link" safe>
            {words.link}
          </span>
        </p>
        <p class="hint" data-preview="footer_text" safe>
          {footer ?? ''}
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
      {sample(view, { scheme: 'light', picture: path })}
      {sample(view, { scheme: 'dark', picture: path })}
    </section>
  );
}
