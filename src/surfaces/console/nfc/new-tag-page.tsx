import { type Chip, chips, isMirrorChip } from '../../../areas/nfc/chips.ts';
import type { Html } from '../../../lib/text/html.ts';
import { ChoiceCards } from '../../../platform/ui/components/choice-cards.tsx';
import { CheckField, FieldSet, SelectField } from '../../../platform/ui/components/form.tsx';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { Stepper } from '../../../platform/ui/components/stepper.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import type { ConsolePage } from '../layout.tsx';
import { newTagPath, tagsPath } from './nfc-paths.ts';
import {
  forwardField,
  identityFields,
  nameField,
  signingFields,
  siteField,
  tapFields,
} from './tag-fields.tsx';
import { texts } from './texts/en.ts';

const words = texts.new;

/** Where the steps of adding a tag stand. */
export const addingSteps = (current: 0 | 1 | 2): Html => (
  <Stepper
    label={texts.steps.label}
    current={current}
    steps={[
      { text: texts.steps.chip, href: current === 1 ? newTagPath : undefined },
      { text: texts.steps.target },
      { text: texts.steps.write },
    ]}
  />
);

const frame = {
  section: 'nfc',
  title: words.title,
  breadcrumbs: [{ href: tagsPath, text: texts.title }],
} as const;

/** Step 1: the chip. */
export const chooseChipPage = (): ConsolePage => ({
  ...frame,
  body: (
    <>
      {addingSteps(0)}
      <h2 class="step-title" safe>
        {words.question}
      </h2>
      <ChoiceCards
        choices={[
          { href: `${newTagPath}?chip=ntag213`, icon: 'tag', ...words.sticker },
          { href: `${newTagPath}?chip=ntag424`, icon: 'shield', ...words.signed },
        ]}
      />
    </>
  ),
});

/** The chips of the same kind. */
const chipField = (chip: Chip): Html => (
  <SelectField
    id="chip"
    label={words.chip}
    options={Object.entries(words.chips).filter(
      ([name]) => name in chips && isSticker(name) === isMirrorChip(chip),
    )}
    value={chip}
  />
);
const isSticker = (name: string): boolean => !name.startsWith('ntag424');

const protectionField = (): Html => (
  <FieldSet legend={words.protection}>
    {(['plain', 'mirror'] as const).map((mode) => (
      <CheckField
        id={`mode-${mode}`}
        name="mode"
        type="radio"
        value={mode}
        label={words.protections[mode]}
        isChecked={mode === 'plain'}
      />
    ))}
  </FieldSet>
);

/** Step 2: the name, and where a tap leads. */
export function tagTargetPage(chip: Chip, sites: readonly string[]): ConsolePage {
  const isStickerChip = isMirrorChip(chip);
  return {
    ...frame,
    body: (
      <>
        {addingSteps(1)}
        <div class="tile form-page">
          <ConsoleForm
            action={tagsPath}
            values={{ active: 'true', ...(!isStickerChip && { mode: 'sun' }) }}
            submit={{ label: words.submit }}
          >
            {nameField()}
            {tapFields()}
            <Disclosure summary={words.more}>
              {chipField(chip)}
              {isStickerChip && protectionField()}
              {siteField(sites)}
              {forwardField(true)}
              {identityFields()}
            </Disclosure>
            {!isStickerChip && <Disclosure summary={words.advanced}>{signingFields()}</Disclosure>}
          </ConsoleForm>
        </div>
      </>
    ),
  };
}
