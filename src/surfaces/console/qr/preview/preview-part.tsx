import type { Preview as DrawnPreview } from '../../../../areas/qr/pictures/previews.ts';
import { readableUrl } from '../../../../lib/net/readable-url.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { Preview } from '../../../../platform/ui/components/split-form.tsx';
import type { GivenContent } from '../contents/content-form.ts';
import { texts } from '../texts/en.ts';

const words = texts.preview;

/** The id of the part that the script replaces. */
export const previewId = 'preview';

/** A picture as a `data:` URL. */
export const dataUrl = (svg: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;

/** Where a code leads, if that is not what was typed. */
const noteOf = (given: GivenContent | undefined): string | undefined =>
  given?.kind === 'url' && given.hasAddedScheme
    ? words.leadsTo({ url: readableUrl(given.url) })
    : undefined;

/** A drawn code with the verdict of the decoders. `given`: what the fields say, for a new code. */
export function previewPart(
  { svg, problem, contrast }: DrawnPreview,
  given: GivenContent | undefined,
): Html {
  const note = noteOf(given);
  const isSample = given?.kind === 'wrong' && problem === undefined;
  const ratio = formatNumber(Math.floor(contrast * 10) / 10, { decimals: 1 });
  return (
    <Preview
      id={previewId}
      picture={svg === undefined ? undefined : dataUrl(svg)}
      alt={words.alt}
      isSample={isSample}
      verdict={problem ?? (isSample ? words.incomplete : words.readsWell({ ratio }))}
      tone={problem !== undefined ? 'bad' : isSample ? 'neutral' : 'ok'}
    >
      {note !== undefined && <p class="hint preview-note">{escapeHtml(note)}</p>}
    </Preview>
  );
}

/** Stands in the place of a picture that can't be drawn at the moment. */
export const noPreview = (text: string): Html => (
  <Preview id={previewId} picture={undefined} alt="" verdict={text} tone="bad" />
);
