import { QrStyle } from '../../../../areas/qr/drawing/style.ts';
import type { QrCodeView } from '../../../../areas/qr/schemas.ts';

const plain = JSON.stringify(QrStyle.parse({}));

/** Whether a code looks different from black squares on white. */
export const hasStyle = ({ style }: QrCodeView): boolean =>
  JSON.stringify(QrStyle.parse(style)) !== plain;
