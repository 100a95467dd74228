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
}

/** Two or three things to choose from, each a link as large as a card. */
export const ChoiceCards = ({ choices }: { choices: readonly ChoiceCard[] }): Html => (
  <ul class="choice-cards">
    {choices.map(({ href, icon, title, text, points = [] }) => (
      <li>
        <Icon name={icon} />
        <h2>
          <a href={href}>{escapeHtml(title)}</a>
        </h2>
        <p>{escapeHtml(text)}</p>
        {points.length > 0 && (
          <ul>
            {points.map((point) => (
              <li>
                <Icon name="check" />
                {escapeHtml(point)}
              </li>
            ))}
          </ul>
        )}
      </li>
    ))}
  </ul>
);
