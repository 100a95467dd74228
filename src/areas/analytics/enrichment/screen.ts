/** A size in CSS pixels, each side 1 to 65,535. */
export interface ScreenSize {
  width: number;
  height: number;
}

/** Parses a screen or viewport size such as `1920x1080`; null if invalid. Never throws. */
export function parseScreen(value: string): ScreenSize | null {
  if (value.length > 11) return null;
  const match = /^(\d{1,5})[x×](\d{1,5})$/i.exec(value);
  if (match === null) return null;
  const width = Number(match[1]);
  const height = Number(match[2]);
  return isSide(width) && isSide(height) ? { width, height } : null;
}

function isSide(pixels: number): boolean {
  return pixels >= 1 && pixels <= 65_535;
}
