import { isMirrorChip } from '../../../areas/nfc/chips.ts';
import type { EncodingView, NfcTagView } from '../../../areas/nfc/schemas.ts';
import type { Sheet } from '../../../areas/nfc/sheet.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Field, Form } from '../../../platform/ui/components/form.tsx';
import { Copy, Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { Facts } from '../../../platform/ui/components/table.tsx';
import { sheetPath } from './nfc-paths.ts';
import { aboutTag } from './tag-words.tsx';
import { texts } from './texts/en.ts';

const words = texts.write;

/** A tag and how it is encoded. */
export interface TagSheet {
  tag: NfcTagView;
  sheet: Sheet & { capacity: number };
  /** A QR code of the page that writes the tag, as a `data:` URL. */
  picture: string;
}

const copied = (label: string, text: string): Html => (
  <div class="form-field">
    <p class="copy-label">{escapeHtml(label)}</p>
    <Copy label={label} text={text} />
  </div>
);

type MirrorSettings = NonNullable<EncodingView['mirror_settings']>;

const mirrorFacts = (settings: MirrorSettings): Html => (
  <>
    <p class="hint">{escapeHtml(words.mirror)}</p>
    <Facts
      facts={[
        {
          name: words.mirrorFacts.page,
          value: escapeHtml(String(settings.configuration_page)),
        },
        { name: words.mirrorFacts.mirror, value: <code safe>{settings.mirror}</code> },
        { name: words.mirrorFacts.start, value: <code safe>{settings.mirror_page}</code> },
        { name: words.mirrorFacts.access, value: <code safe>{settings.access}</code> },
      ]}
    />
  </>
);

/** The address and the bytes, for programs that write chips. */
function memoryCard({ sheet }: TagSheet): Html {
  const { url, memory, capacity, mirror_settings: mirror, file_settings: file } = sheet;
  const size = { bytes: formatNumber(memory.length), capacity: formatNumber(capacity) };
  return (
    <Card id="memory" title={words.other} hint={words.otherHint}>
      {copied(words.url, url)}
      <p class="hint">{escapeHtml(words.sizeOf(size))}</p>
      <Disclosure id="bytes" summary={words.bytes}>
        {copied(words.memory, memory.toString('hex').toUpperCase())}
        {file && copied(words.command, file.change_file_settings)}
        {mirror && mirrorFacts(mirror)}
      </Disclosure>
    </Card>
  );
}

/** Keys that are made from the UID need it, until the first tap tells. */
const keysForm = ({ id, uid, key_source: source }: NfcTagView): Html => (
  <Form
    method="get"
    action={sheetPath(id, 'keys')}
    submit={{ label: words.downloadKeys, icon: 'lock', kind: 'secondary' }}
  >
    {uid === null && source === 'derived' && (
      <Field
        id="uid"
        label={texts.new.uid}
        hint={words.uidHint}
        maxLength={14}
        attributes={{ pattern: '[0-9A-Fa-f]{14}', spellcheck: 'false' }}
      />
    )}
  </Form>
);

const stepList = (steps: readonly string[]): Html => (
  <ol class="points">
    {steps.map((step) => (
      <li safe>{step}</li>
    ))}
  </ol>
);

/** The sheet for an encoder: chips that sign are set up with keys, which no phone writes. */
const sheetCard = ({ tag }: TagSheet): Html => (
  <Card id="sheet" title={words.sheet} hint={words.sheetHint}>
    <p>{escapeHtml(words.sheetLead)}</p>
    {stepList(words.steps.encoder)}
    <Button
      label={words.download}
      href={sheetPath(tag.id, 'sheet')}
      icon="download"
      kind="primary"
      attributes={{ download: true }}
    />
  </Card>
);

/** The same sheet with the secret keys, apart: few need them in a file. */
const keysCard = (tag: NfcTagView): Html => (
  <Card id="keys" title={words.keys} hint={words.keysHint}>
    {keysForm(tag)}
  </Card>
);

/** The code that opens this page on a phone, unless the script finds that it can write itself. */
const onPhone = ({ picture }: TagSheet): Html => (
  <div id="nfc-unsupported" class="scan-to-open">
    <img class="qr" src={picture} width="200" height="200" alt={words.image} />
    <div>
      {stepList(words.steps.phone)}
      <p class="hint">{escapeHtml(words.scanHint)}</p>
    </div>
  </div>
);

/** The script shows the button where the browser knows Web NFC. */
const writerCard = (view: TagSheet): Html => (
  <Card id="write" title={words.phone}>
    {onPhone(view)}
    <div id="nfc-writer" data-url={view.sheet.url} hidden>
      <p>{escapeHtml(words.lead)}</p>
      <Button label={words.button} kind="primary" type="button" size="large" />
      <p role="status"></p>
    </div>
  </Card>
);

/** All ways to get a tag onto its chip; the usual one for the chip comes first. */
export function encodingParts(view: TagSheet): Html {
  return (
    <div class="columns">
      {isMirrorChip(view.tag.chip) ? (
        writerCard(view)
      ) : (
        <div>
          {sheetCard(view)}
          {view.tag.mode === 'sun' && keysCard(view.tag)}
        </div>
      )}
      <div>
        <section class="tile" aria-label={texts.detail.head}>
          {aboutTag(view.tag)}
        </section>
        {memoryCard(view)}
      </div>
    </div>
  );
}
