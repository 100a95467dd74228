import { languageOf } from '../../../../areas/analytics/figures/display-names.ts';
import type { TargetRule } from '../../../../areas/qr/schemas.ts';
import { devices } from '../../../../areas/qr/tables.ts';
import { TargetRule as RuleSchema } from '../../../../areas/qr/schemas.ts';
import { countries, countryCode } from '../../../../lib/places/countries.ts';
import { countryName } from '../../../../lib/places/country-names.ts';
import { languages } from '../../../../lib/places/languages.ts';
import { readableUrl } from '../../../../lib/net/readable-url.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { Field, FieldSet, SelectField } from '../../../../platform/ui/components/form.tsx';
import { type FormValues, textOf } from '../../forms.ts';
import { targetOf } from '../contents/content-form.ts';
import { texts } from '../texts/en.ts';

const words = texts.rules;

/** The most rules of a code. */
export const maxRules = 20;

type Named = readonly [code: string, name: string];

/** Any, all that have a name, and the chosen one if it has none. */
const choicesOf = (all: readonly Named[], chosen: Named | undefined): readonly Named[] => [
  ['', words.any],
  ...(chosen === undefined || all.some(([code]) => code === chosen[0]) ? [] : [chosen]),
  ...all,
];

const named = (
  code: string | undefined,
  nameOf: (code: string) => string | undefined,
): Named | undefined => (code === undefined ? undefined : [code, nameOf(code) ?? code]);

/** The fields read as a sentence: if the device is …, then lead to …. */
function ruleRow(at: number, rule: TargetRule | undefined): Html {
  const id = (member: string) => `rule-${at}-${member}`;
  const name = (member: string) => `rules.${at}.${member}`;
  return (
    <div class="rule-row">
      <SelectField
        id={id('device')}
        name={name('device')}
        label={words.device}
        value={rule?.device ?? ''}
        options={[['', words.any], ...devices.map((each) => [each, words.devices[each]] as const)]}
      />
      <SelectField
        id={id('country')}
        name={name('country')}
        label={words.country}
        value={rule?.country ?? ''}
        options={choicesOf(countries(), named(rule?.country, countryName))}
      />
      <SelectField
        id={id('language')}
        name={name('language')}
        label={words.language}
        value={rule?.language ?? ''}
        options={choicesOf(languages(), named(rule?.language, languageOf))}
      />
      <Field
        id={id('url')}
        name={name('url')}
        label={words.target}
        value={rule === undefined ? undefined : readableUrl(rule.url)}
        maxLength={2048}
        attributes={{ inputmode: 'url' }}
      />
    </div>
  );
}

/** The fields of one rule. */
export const oneRuleFields = (rule: TargetRule | undefined): Html => ruleRow(0, rule);

/** Empty rows for the rules of a new code. */
export const newRuleFields = (count: number): Html => (
  <>
    {Array.from({ length: count }, (_, at) => (
      <FieldSet legend={words.rule({ number: at + 1 })}>{ruleRow(at, undefined)}</FieldSet>
    ))}
  </>
);

/** The rules of a form without its empty rows, and what is wrong with them, by field. */
export function rulesIn(
  values: FormValues,
  ownOrigin: string,
): { rules: TargetRule[]; problems: Map<string, string> } {
  const rules: TargetRule[] = [];
  const problems = new Map<string, string>();
  for (let at = 0; at < maxRules; at += 1) {
    const text = (member: string) => textOf(values, `rules.${at}.${member}`);
    const [device, place, language, url] = [
      text('device'),
      text('country'),
      text('language'),
      text('url'),
    ];
    if ((device ?? place ?? language ?? url) === undefined) continue;
    const target = targetOf(url, ownOrigin);
    if ('problem' in target) problems.set(`rules.${at}.url`, target.problem);
    const country = place === undefined ? undefined : countryCode(place);
    if (place !== undefined && country === undefined)
      problems.set(`rules.${at}.country`, words.unknownCountry);
    const { success, data } = RuleSchema.safeParse({
      device,
      country,
      language: language?.toLowerCase(),
      url: 'url' in target ? target.url : '',
    });
    if (success) rules.push(data);
    else if ((device ?? place ?? language) === undefined)
      problems.set(`rules.${at}.device`, words.noCondition);
    else if (language !== undefined && !/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(language))
      problems.set(`rules.${at}.language`, words.unknownLanguage);
  }
  return { rules, problems };
}

/** A rule in words: “iPhone and iPad · Germany”. */
export const ruleName = ({ device, country, language }: Omit<TargetRule, 'url'>): string =>
  [
    device === undefined ? undefined : words.devices[device],
    country === undefined ? undefined : countryName(country),
    language === undefined ? undefined : words.speaking({ language: languageOf(language) }),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
