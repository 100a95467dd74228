import { isMirrorChip } from '../../../areas/nfc/chips.ts';
import type { NfcTagView } from '../../../areas/nfc/schemas.ts';
import { texts as areaTexts } from '../../../areas/nfc/texts/en.ts';
import { readableUrl } from '../../../lib/net/readable-url.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Icon } from '../../../platform/ui/icon.tsx';
import { FormAbout } from '../components/form-about.tsx';
import { OptionalTime } from '../components/optional-time.tsx';
import { texts } from './texts/en.ts';

/** Names of chips and of kinds of copy protection. */
export const { chip: chipNames, mode: protectionNames } = areaTexts.tags.values;

/** What a tag is, for people: `Sticker · NTAG213`. */
export function kindOf({ chip }: Pick<NfcTagView, 'chip'>): string {
  const name = { chip: chipNames[chip] };
  return isMirrorChip(chip) ? texts.kinds.sticker(name) : texts.kinds.signed(name);
}

/** Whether a tap leads to the target. */
export const opensTarget = ({ action }: Pick<NfcTagView, 'action'>): boolean =>
  action === 'redirect' || action === 'token';

/** Where a tag leads: its target as people read it, or what it shows. */
export function leadsTo(tag: Pick<NfcTagView, 'action' | 'target' | 'title'>): string {
  if (tag.action === 'json') return texts.json;
  if (!opensTarget(tag) || tag.target === null) return tag.title ?? texts.page;
  return readableUrl(tag.target).replace(/^https?:\/\//, '');
}

/** Whether a tag works. */
export const stateBadge = ({ active }: Pick<NfcTagView, 'active'>): Html =>
  active ? (
    <Badge text={texts.states.active} tone="ok" />
  ) : (
    <Badge text={texts.states.paused} tone="neutral" />
  );

/** A picture of the kind of a tag. */
export const tagFace = ({ chip }: NfcTagView): Html => (
  <div class="tag-face">
    <Icon name={isMirrorChip(chip) ? 'tag' : 'shield'} />
  </div>
);

/** Which tag a form is about. */
export const aboutTag = (tag: NfcTagView): Html => (
  <FormAbout
    title={tag.name}
    picture={tagFace(tag)}
    detail={kindOf(tag)}
    facts={[
      { name: texts.detail.target, value: escapeHtml(leadsTo(tag)) },
      { name: texts.detail.about.taps, value: escapeHtml(formatNumber(tag.taps)) },
      {
        name: texts.detail.about.last,
        value: <OptionalTime at={tag.last_tapped_at} none={texts.never} />,
      },
    ]}
  />
);
