/** Texts of the page that writes NFC tags. */
export const texts = {
  title: 'Write to a tag',
  details: 'What is written',
  name: 'Name',
  chip: 'Chip',
  url: 'URL',
  size: 'Size',
  sizeOf: (p: { bytes: string; capacity: string }) => `${p.bytes} of ${p.capacity} bytes`,
  memory: 'Memory, in hex',
  write: 'Write with this phone',
  lead: 'Hold the tag to the back of the phone until the page says that it’s done.',
  unsupported:
    'This browser can’t write NFC tags. Open this page in Chrome on Android, or write the memory ' +
    'above with another program.',
  mirror:
    'This tag adds its UID and counter. The page writes the URL; turn on the chip’s mirror ' +
    'with another program.',
  sun:
    'This tag signs its messages. The page writes the URL; no browser can set the keys and ' +
    'settings of an NTAG 424. Use an encoder with the tag’s encoding sheet.',
  button: 'Write to a tag',
};
