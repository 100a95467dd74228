import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Field, SelectField } from '../../../../platform/ui/components/form.tsx';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { type FormValues, textOf } from '../../forms.ts';
import { propertyFilter } from '../page-query.ts';
import { texts } from '../texts/en.ts';

const { fields: words, kinds } = texts.goals;

const suggestions = 'known-steps';

/** A path or the name of an event, with how often it was in the last 30 days. */
export interface KnownStep {
  value: string;
  times: number;
}

/** Paths and names of events that the site has, to choose from. */
export const knownSteps = (known: readonly KnownStep[]): Html => (
  <datalist id={suggestions}>
    {known.map(({ value, times }) => (
      <option value={value} label={words.known({ value, times })}></option>
    ))}
  </datalist>
);

/** What the value is, by the kind that is chosen. The style shows one of the two. */
const valueLabel = (
  <>
    <span class="of-page">{escapeHtml(words.path)}</span>
    <span class="of-event">{escapeHtml(words.event)}</span>
  </>
);

/** Fields of a goal, or of a step of a funnel (with its number, from 1). `stepOf` reads them. */
export function stepFields(number?: number): Html {
  const suffix = number ?? '';
  return (
    <div class="step-fields">
      <SelectField
        id={`step-kind${suffix}`}
        name={`kind${suffix}`}
        label={words.kind}
        options={[
          ['page', kinds.page],
          ['event', kinds.event],
        ]}
      />
      <Field
        id={`step-value${suffix}`}
        name={`value${suffix}`}
        label={words.value}
        content={valueLabel}
        maxLength={500}
        isRequired={number === undefined || number <= 2}
        attributes={{ list: suggestions }}
      />
      <Disclosure summary={words.filter}>
        <div class="field-row">
          <Field
            id={`step-property${suffix}`}
            name={`property${suffix}`}
            label={words.property}
            maxLength={300}
            attributes={{ placeholder: words.propertyExample }}
          />
          <Field
            id={`step-is${suffix}`}
            name={`is${suffix}`}
            label={words.is}
            maxLength={500}
            attributes={{ placeholder: words.isExample }}
          />
        </div>
      </Disclosure>
    </div>
  );
}

/** A step from the form: of a goal, or of a funnel with its number. Undefined if it is empty. */
export function stepOf(values: FormValues, number?: number): object | undefined {
  const field = (name: string) => textOf(values, `${name}${number ?? ''}`);
  const value = field('value');
  const property = field('property');
  if (value === undefined) return undefined;
  const filters =
    property === undefined ? {} : { filters: [propertyFilter(property, field('is'))] };
  return { kind: field('kind'), value, ...filters };
}
