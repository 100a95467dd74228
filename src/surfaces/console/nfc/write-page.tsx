import type { NfcTagView } from '../../../areas/nfc/schemas.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { doneNotice } from '../components/notices.tsx';
import type { ConsolePage } from '../layout.tsx';
import { addingSteps } from './new-tag-page.tsx';
import { tagPath, tagsPath } from './nfc-paths.ts';
import { encodingParts, type TagSheet } from './encoding-parts.tsx';
import { texts } from './texts/en.ts';

const words = texts.write;

export interface WriteView extends TagSheet {
  done: string | undefined;
}

const isNew = (done: string | undefined): boolean => done === 'created';

const frameOf = ({ id, name }: NfcTagView): Pick<ConsolePage, 'section' | 'breadcrumbs'> => ({
  section: 'nfc',
  breadcrumbs: [
    { href: tagsPath, text: texts.title },
    { href: tagPath(id), text: name },
  ],
});

/** How a tag gets onto its chip: with a phone, another program, or an encoder. */
export function writePage(view: WriteView): ConsolePage {
  const { tag, done } = view;
  return {
    ...frameOf(tag),
    title: words.title,
    notice: doneNotice(texts.notices, done),
    actions: (
      <Button
        label={words.done}
        href={tagPath(tag.id)}
        kind={isNew(done) ? 'primary' : 'secondary'}
      />
    ),
    body: (
      <>
        {isNew(done) && addingSteps(2)}
        {encodingParts(view)}
      </>
    ),
  };
}
