import { escapeHtml, type Html } from '../../../lib/text/html.ts';

export interface SwitchOptions {
  /** The state in words: `Active`, `Paused`. */
  label: string;
  /** What is switched, for screen readers. */
  name: string;
  isOn: boolean;
}

/** The button of a form that turns something on or off at once. */
export const Switch = ({ label, name, isOn }: SwitchOptions): Html => (
  <button class="switch" type="submit" role="switch" aria-checked={isOn ? 'true' : 'false'}>
    <span class="switch-track" aria-hidden="true"></span>
    <span class="visually-hidden">{escapeHtml(name)}: </span>
    {escapeHtml(label)}
  </button>
);
