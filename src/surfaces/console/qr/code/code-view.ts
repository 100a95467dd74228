import type { FormerTargetView, StatsView } from '../../../../areas/qr/codes/schemas.ts';
import type { LogoView } from '../../../../areas/qr/pictures/schemas.ts';
import type { QrCodeView } from '../../../../areas/qr/schemas.ts';
import type { Html } from '../../../../lib/text/html.ts';
import type { CodeTab } from '../qr-paths.ts';

/** What the page of a code shows, whichever tab. */
export interface CodeView {
  code: QrCodeView;
  tab: CodeTab;
  /** The picture, as SVG. Undefined if it can't be drawn at the moment. */
  svg: string | undefined;
  done: string | undefined;
}

export interface ScansView extends CodeView {
  /** Undefined while the figures are unavailable, and for static codes. */
  stats: StatsView | undefined;
  period: string;
}

export interface TargetsView extends CodeView {
  former: readonly FormerTargetView[];
}

export interface StyleView extends CodeView {
  logos: readonly LogoView[];
  preview: Html;
}

export interface SettingsView extends CodeView {
  sites: readonly string[];
}
