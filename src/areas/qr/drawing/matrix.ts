import { create } from 'qrcode/lib/core/qrcode.js';

/** Levels of error correction, from 7 % to 30 % of the code. */
export const qrLevels = ['L', 'M', 'Q', 'H'] as const;
export type QrLevel = (typeof qrLevels)[number];

/** How a text is packed: digits; capitals, digits and ` $%*+-./:`; or UTF-8. */
type QrMode = 'numeric' | 'alphanumeric' | 'byte';

/** The modules of a code, without a margin. Plain data, so that threads can send it. */
export interface QrMatrix {
  text: string;
  level: QrLevel;
  /** 1 to 40. */
  version: number;
  /** Modules on a side: 17 + 4 × version. */
  size: number;
  /** Row by row; 1 is dark. */
  modules: Uint8Array;
  /** Row by row; 1 is part of a function pattern, or of the format or version information. */
  reserved: Uint8Array;
}

/** Why a text fits no code of this level: it has `length` of at most `capacity`. */
interface QrTooLong {
  level: QrLevel;
  forLogo: boolean;
  mode: QrMode;
  /** Digits, characters or bytes, as the mode counts. */
  length: number;
  capacity: number;
}

export type QrEncoding = { fits: true; matrix: QrMatrix } | ({ fits: false } & QrTooLong);

type Capacities = Record<QrLevel, Record<QrMode, number>>;

/** What a code of version 40 holds (ISO/IEC 18004, table 7). */
const capacities: Capacities = {
  L: { numeric: 7089, alphanumeric: 4296, byte: 2953 },
  M: { numeric: 5596, alphanumeric: 3391, byte: 2331 },
  Q: { numeric: 3993, alphanumeric: 2420, byte: 1663 },
  H: { numeric: 3057, alphanumeric: 1852, byte: 1273 },
};

/** The same for version 20, the last one with room for a logo. `L` has no logo. */
const logoCapacities: Capacities = {
  L: { numeric: 0, alphanumeric: 0, byte: 0 },
  M: { numeric: 1600, alphanumeric: 970, byte: 666 },
  Q: { numeric: 1159, alphanumeric: 702, byte: 482 },
  H: { numeric: 919, alphanumeric: 557, byte: 382 },
};

/**
 * The smallest version with room for a logo. Version 1 is too small, and those from 7 to 13 have an
 * alignment pattern in the center, which must not be covered: ZBar then looks for it in the logo.
 */
function versionForLogo(version: number): number {
  if (version < 2) return 2;
  return version < 7 ? version : Math.max(14, version);
}

function modeOf(text: string): QrMode {
  if (/^\d+$/.test(text)) return 'numeric';
  return /^[0-9A-Z $%*+\-./:]+$/.test(text) ? 'alphanumeric' : 'byte';
}

/**
 * Returns the code of a text (not empty, well-formed Unicode) in the smallest version, or what its
 * level would hold. With `forLogo`, the version has room for a logo (see `logoBoxOf`).
 *
 * The text is one segment: the shortest mix of modes takes the package four to twelve times as
 * long, and saves next to nothing in an address.
 */
export function encodeQr(
  text: string,
  level: QrLevel,
  { forLogo = false }: { forLogo?: boolean } = {},
): QrEncoding {
  const mode = modeOf(text);
  const length = mode === 'byte' ? Buffer.byteLength(text) : text.length;
  const capacity = (forLogo ? logoCapacities : capacities)[level][mode];
  if (length > capacity) return { fits: false, level, forLogo, mode, length, capacity };
  const segment =
    mode === 'byte' ? { data: new TextEncoder().encode(text), mode } : { data: text, mode };
  // The declared types leave out that data of mode `byte` may be bytes.
  const segments = [segment] as Parameters<typeof create>[0];
  let code = create(segments, { errorCorrectionLevel: level });
  const version = forLogo ? versionForLogo(code.version) : code.version;
  if (version !== code.version) code = create(segments, { errorCorrectionLevel: level, version });
  const { size, data: modules, reservedBit: reserved } = code.modules;
  return { fits: true, matrix: { text, level, version, size, modules, reserved } };
}

/**
 * The level that suits a text: with a logo the highest one that keeps the code below version 7,
 * because it gives the logo most room; without a logo `M`, or `L` where `M` holds too little.
 */
export function levelFor(text: string, { forLogo }: { forLogo: boolean }): QrLevel {
  const bytes = Buffer.byteLength(text);
  if (forLogo) return bytes <= 58 ? 'H' : bytes <= 74 ? 'Q' : 'M';
  return bytes <= capacities.M.byte ? 'M' : 'L';
}

/** Whether the module in this column and row is dark. Outside of the code, all are light. */
export const isDark = ({ size, modules }: QrMatrix, x: number, y: number): boolean =>
  x >= 0 && y >= 0 && x < size && y < size && modules[y * size + x] === 1;

/**
 * Whether the module belongs to a function pattern (finder, timing, alignment), or to the format
 * or version information.
 */
export const isReserved = ({ size, reserved }: QrMatrix, x: number, y: number): boolean =>
  x >= 0 && y >= 0 && x < size && y < size && reserved[y * size + x] === 1;
