/**
 * The lowest contrast of a code's colors on their background: that of graphics in WCAG 2.2, 1.4.11.
 * ZXing and ZBar read all random pairs of colors from 2.5 on; cameras need some reserve.
 */
export const minContrast = 3;

/** The relative luminance of a color `#rrggbb`, 0 to 1 (WCAG 2.2). */
function luminance(color: string): number {
  const linear = (at: number): number => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5);
}

/**
 * Returns the contrast of a dark color on a light one, both `#rrggbb`: 1 to 21 (WCAG 2.2), below 1
 * if the first one is the lighter of both.
 */
export const contrastOn = (dark: string, light: string): number =>
  (luminance(light) + 0.05) / (luminance(dark) + 0.05);
