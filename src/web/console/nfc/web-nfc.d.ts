// Web NFC (W3C Community Group Draft), as far as it is used. Only Chrome on Android has it.

interface NDEFRecord {
  readonly recordType: string;
  readonly data?: DataView;
}

interface NDEFReadingEvent extends Event {
  readonly message: { readonly records: readonly NDEFRecord[] };
}

interface NDEFReader extends EventTarget {
  write: (
    message: { records: readonly { recordType: string; data: string }[] },
    options?: { signal?: AbortSignal },
  ) => Promise<void>;
  scan: (options?: { signal?: AbortSignal }) => Promise<void>;
}

interface Window {
  NDEFReader?: new () => NDEFReader;
}
