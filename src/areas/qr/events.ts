/** The event of a scan. */
export const scanEvent = 'qr_scan';
