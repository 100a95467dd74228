import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { CheckState } from '../../../areas/health/monitor.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Copy } from '../../../platform/ui/components/overlay.tsx';
import { type Column, Facts, Table } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import type { ConsolePage } from '../layout.tsx';
import { bytes, duration } from '../components/number-format.ts';
import { sectionPath } from '../sections.ts';
import { checkState } from './check-state.ts';
import type { Setting } from './settings.ts';
import { texts as shared } from '../texts/en.ts';
import { settingsFrame } from '../settings/settings-frame.tsx';
import { StateLines } from '../settings/state-lines.tsx';
import { texts } from '../settings/texts/en.ts';
import { variablesCard } from '../settings/variables.tsx';
import { texts as operations } from './texts/en.ts';

/** A store and its location. */
export interface StorePlace {
  name: string;
  kind: string;
  place: string;
}

export interface SettingsView {
  settings: readonly Setting[];
  release: {
    version: string;
    /** Empty if not set. */
    releaseId: string;
    node: string;
    platform: string;
    environment: string;
  };
  /** Unix ms. */
  startedAt: number;
  now: number;
  memory: number;
  stores: readonly StorePlace[];
  checks: readonly CheckState[];
}

const words = operations.settings;

const storeColumns: readonly Column<StorePlace>[] = [
  { title: words.stores.columns.store, text: ({ name }) => name },
  { title: words.stores.columns.kind, text: ({ kind }) => kind },
  {
    title: words.stores.columns.place,
    cell: ({ place }) => <code class="value">{escapeHtml(place)}</code>,
  },
];

const storesPanel = ({ stores }: SettingsView): Html => (
  <Card id="stores-in-use" title={words.stores.title} isLive>
    <Table caption={words.stores.caption} columns={storeColumns} rows={stores} />
  </Card>
);

/** Quotes a value for a file of `NAME=value` lines, if necessary. */
const quote = (value: string): string =>
  /^[\w.,:/@+%-]*$/.test(value) ? value : `"${value.replaceAll('"', '\\"')}"`;

/** The settings that differ from the defaults, as a `.env` file. Secrets are comments. */
function envText(settings: readonly Setting[]): string {
  const lines = settings
    .filter(({ isSet }) => isSet)
    .map(({ name, value, isWhole }) =>
      value !== undefined && isWhole ? `${name}=${quote(value)}` : `# ${name}=  (set; not shown)`,
    );
  return lines.length === 0 ? `${words.env.allDefault}\n` : `${lines.join('\n')}\n`;
}

function releasePanel({
  release: { version, releaseId, node, platform, environment },
  startedAt,
  now,
  memory,
}: SettingsView): Html {
  const { replica } = words;
  const facts = [
    { name: replica.version, value: escapeHtml(version) },
    { name: replica.release, value: escapeHtml(releaseId || replica.noRelease) },
    { name: replica.environment, value: escapeHtml(environment) },
    { name: replica.node, value: escapeHtml(node) },
    { name: replica.platform, value: escapeHtml(platform) },
    { name: replica.started, value: <Time at={startedAt} /> },
    { name: replica.uptime, value: escapeHtml(duration((now - startedAt) / 1000)) },
    { name: replica.memory, value: escapeHtml(bytes(memory)) },
  ];
  return (
    <Card id="release" title={replica.title} isLive>
      <Facts facts={facts} />
    </Card>
  );
}

/** The server of the settings: this replica, its stores, the rest of the variables. */
export function systemPage(view: SettingsView, own: readonly Setting[]): ConsolePage {
  return settingsFrame({
    id: 'system',
    lead: texts.system.lead,
    every: 30,
    children: (
      <>
        <StateLines
          lines={[
            {
              ...checkState(view.checks),
              link: { href: sectionPath('health'), text: texts.system.health },
            },
          ]}
        />
        {releasePanel(view)}
        {storesPanel(view)}
        {variablesCard(own)}
        <Card id="env" title={words.env.title} hint={words.env.hint}>
          <Copy text={envText(view.settings)} label={shared.copy} />
        </Card>
      </>
    ),
  });
}
