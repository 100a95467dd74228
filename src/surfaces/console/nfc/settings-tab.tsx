import { isMirrorChip } from '../../../areas/nfc/chips.ts';
import type { NfcTagView } from '../../../areas/nfc/schemas.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Facts } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import { tagPath } from './nfc-paths.ts';
import { forwardField, nameField, siteField, tapFields } from './tag-fields.tsx';
import { chipNames, protectionNames } from './tag-words.tsx';
import { texts } from './texts/en.ts';

const words = texts.settings;

function keysOf({ key_source: source, key_version: version }: NfcTagView): string | undefined {
  if (source === 'given') return words.ownKeys;
  return version === null ? undefined : words.keyVersion({ version: String(version) });
}

/** The UID, or why it is not known. */
function uidOf({ uid, taps, mirrored }: NfcTagView): Html {
  if (uid !== null) return <code safe>{uid}</code>;
  if (mirrored === 'counter') return <>{escapeHtml(words.hiddenUid)}</>;
  return <>{escapeHtml(taps === 0 ? words.unknownUid : words.missingUid)}</>;
}

function chipCard(tag: NfcTagView): Html {
  const { facts } = words;
  const keys = keysOf(tag);
  const hasUid = tag.uid !== null || !isMirrorChip(tag.chip);
  return (
    <Card id="chip" title={words.chip} hint={words.chipHint}>
      <Facts
        facts={[
          { name: facts.chip, value: escapeHtml(chipNames[tag.chip]) },
          { name: facts.protection, value: escapeHtml(protectionNames[tag.mode]) },
          keys === undefined ? undefined : { name: facts.keys, value: escapeHtml(keys) },
          hasUid ? { name: facts.uid, value: uidOf(tag) } : undefined,
          { name: facts.created, value: <Time at={tag.created_at} /> },
        ]}
      />
    </Card>
  );
}

export interface SettingsView {
  tag: NfcTagView;
  /** The sites that may count the taps. */
  sites: readonly string[];
}

/** The settings of a tag, and what its chip has. */
export const settingsTab = ({ tag, sites }: SettingsView): Html => (
  <div class="columns">
    <Card id="settings" title={words.title}>
      <ConsoleForm action={tagPath(tag.id, 'settings')} submit={{ label: words.save }}>
        {nameField(tag.name)}
        {tapFields(tag)}
        {siteField(sites, tag.site_id)}
        {forwardField(tag.forward_query)}
      </ConsoleForm>
    </Card>
    {chipCard(tag)}
  </div>
);
