/** The state of the loop of an NTAG 424 DNA TagTamper. */
export type TamperStatus = 'closed' | 'open' | 'opened_before' | 'unset' | 'none' | 'unknown';

/**
 * Reads the state of the tamper loop from the start of file data: whether it was ever open, and
 * whether it is now (NT4H2421Tx data sheet, section 9.3.5). `NT` is a chip without a loop.
 */
export function tamperStatusOf(fileData: Buffer): TamperStatus {
  const states: Readonly<Record<string, TamperStatus>> = {
    CC: 'closed',
    OO: 'open',
    OC: 'opened_before',
    II: 'unset',
    NT: 'none',
  };
  return states[fileData.toString('latin1', 0, 2)] ?? 'unknown';
}

/** Whether the loop was opened. */
export const wasOpened = (tamper: TamperStatus | undefined): boolean =>
  tamper === 'open' || tamper === 'opened_before';
