import type { NfcTagView } from '../../../areas/nfc/schemas.ts';
import type { Sheet } from '../../../areas/nfc/sheet.ts';
import { nfcTagResource } from '../../../areas/nfc/tags/resource.ts';
import { capitalized } from '../../../lib/text/case.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { CodeBlock } from '../../../platform/ui/components/code-block.tsx';
import { Banner } from '../../../platform/ui/components/feedback.tsx';
import { Facts } from '../../../platform/ui/components/table.tsx';
import type { ConsolePage } from '../layout.tsx';
import { valueLabel } from '../resources/entry-values.tsx';
import { resourcePath } from '../resources/resource-paths.ts';
import { texts } from './texts/en.ts';

export interface WriteView {
  tag: NfcTagView;
  sheet: Sheet & { capacity: number };
}

function details({ tag, sheet: { url, memory, capacity } }: WriteView): Html {
  const size = { bytes: formatNumber(memory.length), capacity: formatNumber(capacity) };
  return (
    <Card id="details" title={texts.details}>
      <Facts
        facts={[
          { name: texts.name, value: escapeHtml(tag.name) },
          { name: texts.chip, value: escapeHtml(valueLabel(nfcTagResource, 'chip', tag.chip)) },
          { name: texts.size, value: escapeHtml(texts.sizeOf(size)) },
        ]}
      />
      <CodeBlock caption={texts.url} code={url} />
      <CodeBlock caption={texts.memory} code={memory.toString('hex').toUpperCase()} />
    </Card>
  );
}

/** The script shows the button where the browser knows Web NFC. */
const writer = ({ tag: { mode }, sheet: { url } }: WriteView): Html => (
  <Card id="write" title={texts.write}>
    {mode === 'sun' && <Banner tone="warn" text={texts.sun} />}
    {mode === 'mirror' && <Banner tone="warn" text={texts.mirror} />}
    <p id="nfc-unsupported">{escapeHtml(texts.unsupported)}</p>
    <div id="nfc-writer" data-url={url} hidden>
      <p>{escapeHtml(texts.lead)}</p>
      <Button label={texts.button} kind="primary" type="button" />
      <p role="status"></p>
    </div>
  </Card>
);

/** What belongs on a tag, and a button that writes it, where the browser can. */
export const writePage = (view: WriteView): ConsolePage => ({
  section: 'records',
  title: texts.title,
  breadcrumbs: [
    { href: resourcePath(nfcTagResource), text: capitalized(nfcTagResource.texts.many) },
    { href: `${resourcePath(nfcTagResource)}/${view.tag.id}`, text: view.tag.name },
  ],
  body: (
    <>
      {details(view)}
      {writer(view)}
    </>
  ),
});
