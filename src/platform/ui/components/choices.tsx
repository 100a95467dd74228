import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Icon, type IconName } from '../icon.tsx';

export interface Choice {
  value: string;
  label: string;
  icon?: IconName;
  /** A second line, for `cards`. */
  hint?: string;
  /** A drawing of the choice, before the label. */
  face?: Html;
  /** What the form has for it besides, such as a field for a color of one's own. */
  extra?: Html;
}

export interface ChoicesOptions {
  /** The name of the field. */
  name: string;
  legend: string;
  choices: readonly Choice[];
  /** The chosen one. */
  value: string;
  /**
   * `chips`: kinds of a thing, as words with icons. `tiles`: drawings with small words. `dots`:
   * colors, whose words are for screen readers. `cards`: drawings with a name and a hint.
   */
  look: 'chips' | 'tiles' | 'dots' | 'cards';
  isLegendHidden?: boolean;
}

/** One of several, chosen by what it looks like. Radio buttons, so that it needs no script. */
export const Choices = (options: ChoicesOptions): Html => {
  const { name, legend, choices, value: chosen, look, isLegendHidden = false } = options;
  return (
    <fieldset class={`choices choices-${look}`}>
      <legend class={isLegendHidden ? 'visually-hidden' : undefined}>{escapeHtml(legend)}</legend>
      <div class="choices-row">
        {choices.map(({ value, label, hint, icon, face, extra }) => (
          <>
            <label class="choice" title={look === 'dots' ? label : undefined}>
              <input type="radio" name={name} value={value} checked={value === chosen} />
              {icon && <Icon name={icon} />}
              {face}
              <span class={look === 'dots' ? 'visually-hidden' : undefined}>
                {escapeHtml(label)}
                {hint !== undefined && <small>{escapeHtml(hint)}</small>}
              </span>
            </label>
            {extra}
          </>
        ))}
      </div>
    </fieldset>
  );
};

export interface ColorInputOptions {
  name: string;
  /** For screen readers. */
  label: string;
  /** `#rrggbb`. */
  value: string;
}

/** A color of one's own, beside the choice that stands for it: the script chooses that one. */
export const ColorInput = ({ name, label, value }: ColorInputOptions): Html => (
  <input class="own-color" type="color" name={name} value={value} aria-label={label} />
);
