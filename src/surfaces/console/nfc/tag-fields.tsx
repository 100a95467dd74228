import type { NfcTagView } from '../../../areas/nfc/schemas.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { readableUrl } from '../../../lib/net/readable-url.ts';
import {
  CheckField,
  Field,
  FieldSet,
  SelectField,
  TextField,
} from '../../../platform/ui/components/form.tsx';
import { opensTarget } from './tag-words.tsx';
import { texts } from './texts/en.ts';

const words = texts.new;

type Given = Pick<NfcTagView, 'action' | 'target' | 'title' | 'page_text'>;
const newTag: Given = { action: 'redirect', target: null, title: null, page_text: null };

/** The name, which only admins see. */
export const nameField = (name?: string): Html => (
  <Field
    id="name"
    label={words.name}
    hint={words.nameHint}
    value={name}
    maxLength={100}
    isRequired
  />
);

const urlField = (target: string | null): Html => (
  <Field
    id="target"
    label={words.target}
    hint={words.targetHint}
    value={target === null ? undefined : readableUrl(target)}
    maxLength={2048}
    attributes={{ inputmode: 'url', placeholder: words.targetExample }}
  />
);

/** The target of a tag that has one is edited at the head of its page alone. */
const targetField = (tag: Given): Html =>
  opensTarget(tag) && tag.target !== null ? (
    <>
      <input type="hidden" name="target" value={tag.target} />
      <p class="hint">{escapeHtml(words.targetAbove)}</p>
    </>
  ) : (
    urlField(tag.target)
  );

/**
 * What a tap gets: an address, or a page with a heading and a text. The style sheet shows the
 * fields of the choice alone.
 */
export function tapFields(tag: Given = newTag): Html {
  const isPage = tag.action === 'page';
  return (
    <FieldSet legend={words.action}>
      <div class="tap-choice">
        <CheckField
          id="action-target"
          name="action"
          type="radio"
          value={opensTarget(tag) ? tag.action : 'redirect'}
          label={words.opens}
          isChecked={!isPage}
        />
        <CheckField
          id="action-page"
          name="action"
          type="radio"
          value="page"
          label={words.shows}
          isChecked={isPage}
        />
        <div class="tap-target">{targetField(tag)}</div>
        <div class="tap-page">
          <Field
            id="title"
            label={words.pageTitle}
            value={tag.title ?? undefined}
            maxLength={100}
          />
          <TextField
            id="page_text"
            label={words.pageText}
            value={tag.page_text ?? undefined}
            maxLength={2000}
            rows={5}
          />
        </div>
      </div>
    </FieldSet>
  );
}

/** The site whose figures count the taps. Without one, the service itself is the default. */
export function siteField(sites: readonly string[], site?: string): Html {
  const all = [...new Set(site === undefined ? sites : [site, ...sites])];
  const options = all.map((each) => [each, each] as const);
  return (
    <SelectField
      id="site_id"
      label={words.site}
      options={site === undefined ? [['', words.ownSite], ...options] : options}
      value={site}
    />
  );
}

/** Whether the parameters of the address are added to the target. */
export const forwardField = (isOn: boolean): Html => (
  <CheckField id="forward_query" label={words.forward} isChecked={isOn} />
);

type SettingName = keyof typeof words.values;

const settingField = (name: SettingName, value: string): Html => (
  <SelectField
    id={name}
    label={words.keys[name]}
    options={Object.entries(words.values[name])}
    value={value}
  />
);

/** How an NTAG 424 signs: each choice shows what the service takes by itself. */
export const signingFields = (): Html => (
  <>
    <p class="hint">{escapeHtml(words.advancedHint)}</p>
    {settingField('encryption', 'aes')}
    {settingField('picc_data', 'encrypted')}
    {settingField('mirrored', 'uid_and_counter')}
    {settingField('file_data', '')}
    <Field
      id="file_data_length"
      type="number"
      label={words.keys.file_data_length}
      attributes={{ min: 0, max: 64 }}
    />
    {settingField('mac_input', '')}
    {settingField('key_source', 'derived')}
    <Field id="file_key" label={words.keys.file_key} hint={words.keyHint} maxLength={32} />
    <Field id="meta_key" label={words.keys.meta_key} hint={words.keyHint} maxLength={32} />
  </>
);

/** What rarely matters: the end of the address, and the UID. */
export const identityFields = (): Html => (
  <>
    <Field id="code" label={words.code} hint={words.codeHint} maxLength={32} />
    <Field id="uid" label={words.uid} hint={words.uidHint} maxLength={14} />
  </>
);
