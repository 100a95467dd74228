import { contrastOn, minContrast } from './contrast.ts';
import type { QrStyle } from './style.ts';

/** Why codes of a style would not be readable, whatever they contain. */
export type StyleProblem =
  /** `member` is too light on the background, or lighter: most decoders skip inverted codes. */
  | { reason: 'contrast'; member: 'foreground' | 'eye_color'; ratio: number; least: number }
  /** Level L cannot make up for what a logo hides. */
  | { reason: 'logo_level' };

/**
 * Returns what makes codes of this style unreadable, as far as that can be told without drawing
 * one. The ratio is that of WCAG 2.2, rounded down to tenths, below 1 if the color is lighter than
 * the background. A transparent background counts as white.
 */
export function checkStyle(style: QrStyle): StyleProblem | undefined {
  const background = style.background === 'transparent' ? '#ffffff' : style.background;
  for (const member of ['foreground', 'eye_color'] as const) {
    const contrast = contrastOn(style[member] ?? style.foreground, background);
    if (contrast < minContrast)
      return {
        reason: 'contrast',
        member,
        ratio: Math.floor(contrast * 10) / 10,
        least: minContrast,
      };
  }
  return style.logo !== null && style.level === 'L' ? { reason: 'logo_level' } : undefined;
}
