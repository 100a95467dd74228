import { describe, expect, it } from 'vitest';
import {
  encodeQr,
  isDark,
  isReserved,
  type QrLevel,
  qrLevels,
  type QrMatrix,
} from '../../../../src/areas/qr/drawing/matrix.ts';
import { logoBoxOf } from '../../../../src/areas/qr/drawing/logo-box.ts';

function matrixOf(text: string, level: QrLevel, forLogo = false): QrMatrix {
  const encoding = encodeQr(text, level, { forLogo });
  if (!encoding.fits) throw new Error('too long');
  return encoding.matrix;
}

const largest = {
  L: { numeric: 7089, alphanumeric: 4296, byte: 2953 },
  M: { numeric: 5596, alphanumeric: 3391, byte: 2331 },
  Q: { numeric: 3993, alphanumeric: 2420, byte: 1663 },
  H: { numeric: 3057, alphanumeric: 1852, byte: 1273 },
};
const letter = { numeric: '7', alphanumeric: 'A', byte: 'a' };
const modes = ['numeric', 'alphanumeric', 'byte'] as const;

describe('a code', () => {
  it('is surrounded by light modules that belong to no pattern', () => {
    const matrix = matrixOf('https://example.com', 'M');
    const outside = [-1, matrix.size];
    const around = Array.from({ length: matrix.size + 2 }, (_, at) => at - 1).flatMap((at) =>
      outside.flatMap((edge): [number, number][] => [
        [edge, at],
        [at, edge],
      ]),
    );
    const found = around.filter(([x, y]) => isDark(matrix, x, y) || isReserved(matrix, x, y));
    expect(found).toEqual([]);
  });

  it('holds what the standard says, and one more is refused with the capacity', () => {
    for (const level of qrLevels)
      for (const mode of modes) {
        const capacity = largest[level][mode];
        expect(matrixOf(letter[mode].repeat(capacity), level).version).toBe(40);
        const length = capacity + 1;
        const refusal = { fits: false, level, forLogo: false, mode, length, capacity };
        expect(encodeQr(letter[mode].repeat(length), level)).toEqual(refusal);
      }
  });

  it('counts bytes of UTF-8, not characters', () => {
    expect(encodeQr('é'.repeat(1166), 'M')).toMatchObject({ fits: false, length: 2332 });
    expect(encodeQr('é'.repeat(1165), 'M').fits).toBe(true);
  });

  it('has the smallest version, and knows its function patterns', () => {
    const matrix = matrixOf('https://svc.example/q/4k7mz1q9xw', 'M');
    expect(matrix).toMatchObject({ version: 3, size: 29, level: 'M' });
    expect(isDark(matrix, 0, 0)).toBe(true);
    expect(isDark(matrix, 1, 1)).toBe(false);
    expect(isDark(matrix, -1, 0)).toBe(false);
    expect(isReserved(matrix, 0, 0)).toBe(true);
    expect(isReserved(matrix, 12, 6)).toBe(true);
    expect(isReserved(matrix, 22, 22)).toBe(true);
    expect(isReserved(matrix, 14, 14)).toBe(false);
  });

  it('refuses a huge text without working on it', () => {
    const began = performance.now();
    expect(encodeQr('aB1'.repeat(300_000), 'L').fits).toBe(false);
    expect(performance.now() - began).toBeLessThan(500);
  });
});

describe('a code for a logo', () => {
  it('has a version without an alignment pattern in the center', () => {
    expect(matrixOf('x', 'M', true).version).toBe(2);
    expect(matrixOf('x'.repeat(106), 'M', true).version).toBe(6);
    expect(matrixOf('x'.repeat(107), 'M', true).version).toBe(14);
    for (const [level, capacity] of [
      ['M', 666],
      ['Q', 482],
      ['H', 382],
    ] as const) {
      expect(matrixOf('x'.repeat(capacity), level, true).version).toBe(20);
      const refused = encodeQr('x'.repeat(capacity + 1), level, { forLogo: true });
      expect(refused).toMatchObject({ fits: false, forLogo: true, capacity });
    }
  });

  it('has a place for it in the center that covers no function pattern', () => {
    for (const level of ['M', 'Q', 'H'] as const)
      for (const length of [4, 20, 40, 55, 110, 200, 300, 380]) {
        const matrix = matrixOf('x'.repeat(length), level, true);
        const box = logoBoxOf(matrix);
        if (box === undefined) throw new Error(`no place in version ${matrix.version}`);
        expect(2 * box.x + box.side).toBe(matrix.size);
        expect(box.y).toBe(box.x);
        const covered = [];
        for (let y = box.y; y < box.y + box.side; y += 1)
          for (let x = box.x; x < box.x + box.side; x += 1)
            if (isReserved(matrix, x, y)) covered.push([x, y]);
        expect(covered).toEqual([]);
      }
  });

  it('has none at level L', () => {
    expect(encodeQr('x', 'L', { forLogo: true }).fits).toBe(false);
    expect(logoBoxOf(matrixOf('x', 'L'))).toBeUndefined();
  });
});
