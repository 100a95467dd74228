import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Icon, type IconName } from '../icon.tsx';

export interface ChoiceCard {
  href: string;
  icon: IconName;
  title: string;
  /** One sentence. */
  text: string;
  /** What one gets, in a few words each. */
  points?: readonly string[];
  /** What one does not get, after them. */
  limits?: readonly string[];
}

const pointItem = (icon: 'check' | 'x', text: string): Html => (
  <li class={icon === 'x' ? 'choice-limit' : undefined}>
    <Icon name={icon} />
    {escapeHtml(text)}
  </li>
);

/** Two or three things to choose from, each a link as large as a card. */
export const ChoiceCards = ({ choices }: { choices: readonly ChoiceCard[] }): Html => (
  <ul class="choice-cards">
    {choices.map(({ href, icon, title, text, points = [], limits = [] }) => (
      <li>
        <Icon name={icon} />
        <h2>
          <a href={href}>{escapeHtml(title)}</a>
        </h2>
        <p>{escapeHtml(text)}</p>
        {points.length + limits.length > 0 && (
          <ul>
            {points.map((point) => pointItem('check', point))}
            {limits.map((limit) => pointItem('x', limit))}
          </ul>
        )}
      </li>
    ))}
  </ul>
);
