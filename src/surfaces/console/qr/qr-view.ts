import type { StatsView } from '../../../areas/qr/codes/schemas.ts';
import type { FormerTargetView } from '../../../areas/qr/codes/schemas.ts';
import { QrStyle } from '../../../areas/qr/drawing/style.ts';
import type { LogoView } from '../../../areas/qr/pictures/schemas.ts';
import type { QrCodeView } from '../../../areas/qr/schemas.ts';
import { consolePath } from '../../../lib/site-paths.ts';

export const qrPath = `${consolePath}qr`;

const plain = JSON.stringify(QrStyle.parse({}));

/** Whether a code looks different from black squares on white. */
export const hasStyle = ({ style }: QrCodeView): boolean =>
  JSON.stringify(QrStyle.parse(style)) !== plain;

export interface QrPageView {
  code: QrCodeView;
  /** The picture, as SVG. */
  svg: string;
  /** Undefined while the figures are unavailable, and for static codes. */
  stats: StatsView | undefined;
  period: string;
  logos: readonly LogoView[];
  former: readonly FormerTargetView[];
  done: string | undefined;
}
