import type { Html } from '../../../../lib/text/html.ts';
import { Choices } from '../../../../platform/ui/components/choices.tsx';
import {
  CheckField,
  Field,
  type InputOptions,
  SelectField,
  TextField,
} from '../../../../platform/ui/components/form.tsx';
import { texts } from '../texts/en.ts';
import { type ContentType, contentTypes, typeIcons } from './content-types.ts';

const words = texts.content;

type Labels = Readonly<Record<string, string>>;

/** Fields of one type: their names begin with it. */
function fieldsOfType(type: Exclude<ContentType, 'url'>) {
  const { fields }: { fields: Labels } = words[type];
  const common = (member: string) => ({
    id: `new-${type}-${member}`,
    name: `${type}.${member}`,
    label: fields[member] ?? member,
  });
  return {
    common,
    input: (member: string, settings: Partial<InputOptions> = {}): Html => (
      <Field {...common(member)} {...settings} />
    ),
    area: (member: string, maxLength: number): Html => (
      <TextField {...common(member)} rows={3} maxLength={maxLength} />
    ),
  };
}

const pair = (first: Html, second: Html): Html => (
  <div class="field-pair">
    {first}
    {second}
  </div>
);

const fieldGroups: Readonly<Record<ContentType, () => Html>> = {
  url: () => (
    <Field
      id="new-url"
      name="url"
      label={words.url.label}
      hint={words.url.hint}
      maxLength={2048}
      attributes={{ inputmode: 'url', placeholder: words.url.placeholder, spellcheck: 'false' }}
    />
  ),
  wifi() {
    const { input, common } = fieldsOfType('wifi');
    return (
      <>
        {input('ssid', { maxLength: 32 })}
        {pair(
          input('password', { maxLength: 64, attributes: { spellcheck: 'false' } }),
          <SelectField
            {...common('auth')}
            options={[
              ['WPA', words.wifi.auth.WPA],
              ['WEP', words.wifi.auth.WEP],
              ['nopass', words.wifi.auth.nopass],
            ]}
          />,
        )}
        <CheckField {...common('hidden')} />
      </>
    );
  },
  vcard() {
    const { input } = fieldsOfType('vcard');
    return (
      <>
        {pair(input('first_name'), input('last_name'))}
        {input('organization')}
        {pair(
          input('phone', { type: 'tel', maxLength: 32 }),
          input('email', { attributes: { inputmode: 'email' } }),
        )}
        {input('website', { maxLength: 2048, attributes: { inputmode: 'url' } })}
      </>
    );
  },
  email() {
    const { input, area } = fieldsOfType('email');
    return (
      <>
        {input('to', { attributes: { inputmode: 'email' } })}
        {input('subject')}
        {area('body', 1000)}
      </>
    );
  },
  sms() {
    const { input, area } = fieldsOfType('sms');
    return (
      <>
        {input('number', { type: 'tel', maxLength: 32 })}
        {area('text', 918)}
      </>
    );
  },
  geo() {
    const { input } = fieldsOfType('geo');
    return pair(
      input('latitude', { attributes: { inputmode: 'decimal', placeholder: '51.5007' } }),
      input('longitude', { attributes: { inputmode: 'decimal', placeholder: '-0.1246' } }),
    );
  },
  event() {
    const { input } = fieldsOfType('event');
    const time = { type: 'datetime-local', attributes: { 'data-local-time': true } } as const;
    return (
      <>
        {input('title')}
        {pair(input('starts_at', time), input('ends_at', time))}
        <p class="hint zone-note" data-zone-note safe>
          {texts.times.utc}
        </p>
        {input('location')}
      </>
    );
  },
  text: () => fieldsOfType('text').area('text', 2953),
};

/** A row of chips for the types, and the fields of each: those of the chosen one are shown. */
export const contentFields = (chosen: ContentType): Html => (
  <>
    <Choices
      name="type"
      legend={words.legend}
      isLegendHidden
      look="chips"
      value={chosen}
      choices={contentTypes.map((type) => ({
        value: type,
        label: words[type].name,
        icon: typeIcons[type],
      }))}
    />
    {contentTypes.map((type) => (
      <div class={`of-type of-${type}`}>{fieldGroups[type]()}</div>
    ))}
  </>
);
