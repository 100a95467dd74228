/** The texts that the script adds to the page that writes NFC tags. */
export const texts = {
  waiting: 'Hold the tag to the back of the phone.',
  written: 'Written. Lift the tag and hold it to the phone again, so that it can be checked.',
  checked: 'Done. The tag has the URL.',
  different: 'The tag has another URL. Write to it again.',
  denied: 'The browser may not use NFC. Allow it for this site, then try again.',
  unsupported: 'This phone has no NFC, or NFC is switched off in its settings.',
  failed:
    'The tag could not be written. It may be locked or too small, or it was lifted too early.',
  late: 'No tag was there for a minute. Try again.',
};
