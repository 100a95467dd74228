import type { z } from 'zod';
import { deviceTimes } from '../../../areas/identity/devices/approval/policy.ts';
import type { DashboardView } from '../../../areas/identity/devices/dashboard/schemas.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { rich } from '../../../lib/text/rich.ts';
import { formatWait } from '../../../platform/i18n/durations.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Stats } from '../../../platform/ui/components/stat.tsx';
import { Facts } from '../../../platform/ui/components/table.tsx';
import { count } from '../components/number-format.ts';
import { textLink, withQuery } from '../components/navigation.tsx';
import type { ConsolePage } from '../layout.tsx';
import type { Setting } from '../operations/settings.ts';
import { sectionPath } from '../sections.ts';
import { settingsFrame } from './settings-frame.tsx';
import { texts } from './texts/en.ts';

const words = texts.devices;
const guide = '/developer/guides/device-security';

interface ChoiceText {
  title: string;
  hint: string;
  values: Readonly<Record<string, { name: string; hint: string }>>;
}

type ChoiceValue = readonly [value: string, text: ChoiceText['values'][string]];
type States = z.input<typeof DashboardView>['states'];

/** Values of a variable in words. */
const valueList = (variable: string, values: readonly ChoiceValue[], isUsed = false): Html => (
  <ul class="variables">
    {values.map(([value, { name, hint }]) => (
      <li>
        <div>
          <p>
            <strong>{escapeHtml(name)}</strong>
          </p>
          <p class="hint">{escapeHtml(hint)}</p>
        </div>
        <div class="variable-value">
          {isUsed && <Badge text={words.inUse} tone={value === 'none' ? 'warn' : 'ok'} />}
          <code>{escapeHtml(`${variable}=${value}`)}</code>
        </div>
      </li>
    ))}
  </ul>
);

/** The value of a variable that holds, and, folded, the others. */
function choiceCard(
  settings: readonly Setting[],
  { id, variable, text }: { id: string; variable: string; text: ChoiceText },
): Html {
  const now = settings.find(({ name }) => name === variable)?.value;
  const all = Object.entries(text.values);
  const [used, others] = [
    all.filter(([value]) => value === now),
    all.filter(([value]) => value !== now),
  ];
  return (
    <Card id={id} title={text.title} hint={text.hint}>
      {valueList(variable, used, true)}
      <Disclosure id={`${id}-others`} summary={words.others({ count: others.length })}>
        {valueList(variable, others)}
        <p class="hint">
          {rich(words.change, { variable: () => <code>{escapeHtml(variable)}</code> })}
        </p>
      </Disclosure>
    </Card>
  );
}

const tiles = (states: States): Html => {
  const home = sectionPath('devices');
  const tile = (state: 'pending' | 'cleared' | 'suspended') => ({
    label: words.tiles[state],
    value: count(states[state]),
    href: withQuery(home, { state }),
  });
  return (
    <Stats
      label={words.tiles.label}
      all={[
        { ...tile('pending'), href: home, tone: states.pending > 0 ? 'warn' : undefined },
        tile('cleared'),
        { ...tile('suspended'), tone: states.suspended > 0 ? 'bad' : undefined },
      ]}
    />
  );
};

const approvalCard = (): Html => {
  const { request, unused, absolute } = deviceTimes;
  const { approval } = words;
  const ends = { unused: formatWait(unused / 1000), most: formatWait(absolute / 1000) };
  return (
    <Card id="approval" title={approval.title} actions={textLink(guide, approval.guide)}>
      <Facts
        facts={[
          { name: approval.ask, value: escapeHtml(approval.askText) },
          { name: approval.decide, value: escapeHtml(approval.decideText) },
          {
            name: approval.wait,
            value: escapeHtml(approval.waitText({ time: formatWait(request / 1000) })),
          },
          { name: approval.ends, value: escapeHtml(approval.endsText(ends)) },
          { name: approval.risk, value: escapeHtml(approval.riskText) },
        ]}
      />
    </Card>
  );
};

export interface DeviceSettingsView {
  settings: readonly Setting[];
  states: States;
}

/** What admins need before they may change anything, and how devices get approved. */
export const deviceSettingsPage = ({ settings, states }: DeviceSettingsView): ConsolePage =>
  settingsFrame({
    id: 'devices',
    lead: words.lead,
    children: (
      <>
        {tiles(states)}
        {choiceCard(settings, { id: 'binding', variable: 'DEVICE_BINDING', text: words.binding })}
        {approvalCard()}
        {choiceCard(settings, { id: 'first', variable: 'DEVICE_FIRST', text: words.first })}
      </>
    ),
  });
