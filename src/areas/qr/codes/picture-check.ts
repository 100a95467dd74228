import type { QrStyle } from '../drawing/style.ts';

/** Throws `qr.unreadable` with the reason when a decoder can't read the picture. */
export type PictureCheck = (text: string, style: QrStyle) => Promise<void>;
