/** The texts that the script adds to the page that writes NFC tags. */
export const texts = {
  waiting: 'Hold the tag to the back of the phone.',
  written: 'Written. Lift the tag, then hold it to the phone again so that we can check it.',
  checked: 'Done. The tag has the URL.',
  different: 'The tag has a different URL. Write to it again.',
  denied: 'This browser isn’t allowed to use NFC. Allow NFC for this site, then try again.',
  unsupported: 'This phone has no NFC, or NFC is switched off in its settings.',
  failed:
    'We couldn’t write to the tag. It may be locked or too small, or it was lifted too early.',
  late: 'No tag was found within a minute. Try again.',
};
