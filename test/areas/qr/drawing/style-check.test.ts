import { expect, it } from 'vitest';
import { contrastOn } from '../../../../src/areas/qr/drawing/contrast.ts';
import { QrStyle, QrStyleChanges, QrStyleView } from '../../../../src/areas/qr/drawing/style.ts';
import { checkStyle } from '../../../../src/areas/qr/drawing/style-check.ts';

const check = (style: object) => checkStyle(QrStyle.parse(style));

it('the contrast is that of WCAG', () => {
  expect(contrastOn('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrastOn('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2);
  expect(contrastOn('#ffffff', '#000000')).toBeLessThan(1);
});

it('a style without members is black on white, with the margin of the standard', () => {
  expect(QrStyle.parse({})).toEqual({
    foreground: '#000000',
    background: '#ffffff',
    level: 'M',
    margin: 4,
    shape: 'square',
    eye_frame: 'square',
    eye_dot: 'square',
    eye_color: null,
    logo: null,
  });
  expect(check({})).toBeUndefined();
});

it('responses show every member', () => {
  expect(QrStyleView.parse(QrStyle.parse({}))).toEqual(QrStyle.parse({}));
  expect(QrStyleView.safeParse({}).success).toBe(false);
});

it('changes have no defaults: what is left out stays', () => {
  expect(QrStyleChanges.parse({ margin: 2 })).toEqual({ margin: 2 });
});

it('pale and inverted codes are refused, with the ratio', () => {
  const pale = { reason: 'contrast', member: 'foreground', ratio: 1.6, least: 3 };
  expect(check({ foreground: '#cccccc' })).toEqual(pale);
  const inverted = { foreground: '#ffffff', background: '#000000' };
  expect(check(inverted)).toMatchObject({ reason: 'contrast', ratio: 0 });
  expect(check({ eye_color: '#ffff00' })).toMatchObject({ member: 'eye_color' });
  const yellow = { foreground: '#ffff00', background: 'transparent' };
  expect(check(yellow)).toMatchObject({ member: 'foreground' });
  expect(check({ foreground: '#1a2b6b', background: 'transparent' })).toBeUndefined();
});

it('a logo needs more error correction than level L has', () => {
  expect(check({ logo: 'id', level: 'L' })).toEqual({ reason: 'logo_level' });
  expect(check({ logo: 'id', level: 'M' })).toBeUndefined();
});

it('colors that could carry markup are refused', () => {
  for (const foreground of ['red', '#fff', '#00000g', '#000000"/><script>', 'url(#a)', '#000000\n'])
    expect(QrStyle.safeParse({ foreground }).success, foreground).toBe(false);
});
