import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import type { Setting } from '../operations/settings.ts';
import { texts } from './texts/en.ts';
import { variableNames } from './texts/variables.ts';
import { valueText } from './variable-value.ts';

const words = texts.variables;

function valueOf(setting: Setting): Html {
  const { value, isSecret } = setting;
  if (value === undefined || (isSecret && value !== ''))
    return <span class="hint">{escapeHtml(words.isSecret)}</span>;
  return value === '' ? (
    <span class="hint">{escapeHtml(words.notSet)}</span>
  ) : (
    <span class="variable-text">{escapeHtml(valueText(setting))}</span>
  );
}

const row = (setting: Setting): Html => (
  <li>
    <div>
      <p title={setting.description.replaceAll('`', '')} safe>
        {variableNames[setting.name] ?? setting.name}
      </p>
      <code class="variable-name" safe>
        {setting.name}
      </code>
    </div>
    <div class="variable-value">
      {valueOf(setting)}
      <Badge
        text={setting.isSet ? words.environment : words.standard}
        tone={setting.isSet ? 'info' : 'neutral'}
      />
    </div>
  </li>
);

const list = (settings: readonly Setting[]): Html => <ul class="variables">{settings.map(row)}</ul>;

/** Settings of the environment: those that differ from the default, and the others folded. */
export function variablesCard(settings: readonly Setting[]): Html {
  const set = settings.filter(({ isSet }) => isSet);
  const others = settings.filter(({ isSet }) => !isSet);
  return (
    <Card id="environment" title={words.title} hint={words.hint}>
      {set.length > 0 && list(set)}
      {others.length > 0 && (
        <Disclosure summary={words.defaults({ count: others.length })}>{list(others)}</Disclosure>
      )}
    </Card>
  );
}

/** Settings of the environment that people come to read, none of them folded. */
export const limitsCard = (settings: readonly Setting[]): Html => (
  <Card id="environment" title={words.limits} hint={words.hint}>
    {list(settings)}
  </Card>
);
