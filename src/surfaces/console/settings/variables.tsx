import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Copy } from '../../../platform/ui/components/overlay.tsx';
import type { Setting } from '../operations/settings.ts';
import { texts } from './texts/en.ts';

const words = texts.variables;

/** The first sentence of a description, which says what the setting is. */
const firstSentence = (description: string): string =>
  (/^.*?\.(?=\s|$)/s.exec(description.replaceAll('`', ''))?.[0] ?? description).replace(/\.$/, '');

function valueOf({ value, isSecret }: Setting): Html {
  if (value === undefined || (isSecret && value !== ''))
    return <span class="hint">{escapeHtml(words.isSecret)}</span>;
  return value === '' ? (
    <span class="hint">–</span>
  ) : (
    <code class="value">{escapeHtml(value)}</code>
  );
}

const row = (setting: Setting): Html => (
  <li>
    <div>
      <p title={setting.description.replaceAll('`', '')} safe>
        {firstSentence(setting.description)}
      </p>
      <Copy text={setting.name} label={words.copy} />
    </div>
    <div class="variable-value">
      {valueOf(setting)}
      {setting.isSet ? <Badge text={words.set} tone="info" /> : undefined}
    </div>
  </li>
);

/** Settings of the environment: what each is, its value, and the variable that changes it. */
export function variablesCard(settings: readonly Setting[]): Html {
  const set = settings.filter(({ isSet }) => isSet).length;
  return (
    <Card id="environment" title={words.title} hint={texts.rule.environment}>
      <p class="hint" safe>
        {words.count({ set, all: settings.length })}
      </p>
      <ul class="variables">{settings.map(row)}</ul>
    </Card>
  );
}
