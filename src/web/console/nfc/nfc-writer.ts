import { texts } from './texts/en.ts';

const timeLimitMs = 60_000;

const failures: Readonly<Partial<Record<string, string>>> = {
  NotAllowedError: texts.denied,
  NotSupportedError: texts.unsupported,
  AbortError: texts.late,
};

const sentenceOf = (error: unknown): string =>
  (error instanceof Error ? failures[error.name] : undefined) ?? texts.failed;

function urlOf({ message }: NDEFReadingEvent): string | undefined {
  const record = message.records.find(({ recordType }) => recordType === 'url');
  return record?.data && new TextDecoder().decode(record.data);
}

/** A chip with a mirror shows its fields in place of the zeros. */
function isSame(written: string, read: string): boolean {
  const [start = '', query] = written.split('?');
  return query === undefined
    ? read === written
    : read.startsWith(`${start}?`) && read.length === written.length;
}

/** Resolves with the URL on the next tag. Rejects when the signal ends. */
function readUrl(reader: NDEFReader, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    reader.addEventListener('reading', (event) => resolve(urlOf(event as NDEFReadingEvent)), {
      once: true,
    });
    reader.addEventListener('readingerror', () => reject(new Error()), { once: true });
    reader.scan({ signal }).catch(reject);
  });
}

async function write(
  Reader: new () => NDEFReader,
  url: string,
  say: (text: string) => void,
): Promise<void> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeLimitMs);
  const { signal } = ending;
  try {
    say(texts.waiting);
    await new Reader().write({ records: [{ recordType: 'url', data: url }] }, { signal });
    say(texts.written);
    const read = await readUrl(new Reader(), signal);
    say(read !== undefined && isSame(url, read) ? texts.checked : texts.different);
  } catch (error) {
    say(sentenceOf(error));
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

/** Shows the button that writes a tag, where the browser knows Web NFC. */
export function installNfcWriter(): void {
  const part = document.querySelector<HTMLElement>('#nfc-writer');
  const button = part?.querySelector('button');
  const status = part?.querySelector('[role=status]');
  const { NDEFReader: Reader } = window;
  if (!part || !button || !status || !Reader) return;
  part.hidden = false;
  document.querySelector('#nfc-unsupported')?.remove();
  button.addEventListener('click', () => {
    button.disabled = true;
    const say = (text: string) => {
      status.textContent = text;
    };
    void write(Reader, part.dataset.url ?? '', say).then(() => {
      button.disabled = false;
    });
  });
}
