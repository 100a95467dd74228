import { levelFor, qrLevels } from '../../../../areas/qr/drawing/matrix.ts';
import { QrStyle } from '../../../../areas/qr/drawing/style.ts';
import { type FormValues, FormError, textOf } from '../../forms.ts';
import { texts } from '../texts/en.ts';

/** Colors of codes that cameras read well on white, with their names. */
export const presetColors = [
  ['#000000', texts.style.colors.black],
  ['#334155', texts.style.colors.slate],
  ['#1d4ed8', texts.style.colors.blue],
  ['#6d28d9', texts.style.colors.violet],
  ['#be185d', texts.style.colors.pink],
  ['#b91c1c', texts.style.colors.red],
  ['#c2410c', texts.style.colors.orange],
  ['#15803d', texts.style.colors.green],
  ['#0f766e', texts.style.colors.teal],
] as const;

/** A style as its form has it: a color of one's own beside the presets, and a level or none. */
export interface StyleChoice {
  color: string;
  ownColor: string;
  background: 'white' | 'transparent' | 'own';
  ownBackground: string;
  hasEyeColor: boolean;
  eyeColor: string;
  shape: string;
  frame: string;
  dot: string;
  /** Empty: none. */
  logo: string;
  /** `auto`, or a level of error correction. */
  level: string;
  margin: string;
}

const isPreset = (color: string): boolean => presetColors.some(([preset]) => preset === color);
const white = '#ffffff';

/** How a style stands in its form. `text` is what the picture contains. */
export function choiceOf(style: QrStyle, text: string | undefined): StyleChoice {
  const { foreground, background, level, logo } = style;
  const usual = text === undefined ? level : levelFor(text, { forLogo: logo !== null });
  const isOwn = background !== white && background !== 'transparent';
  return {
    color: isPreset(foreground) ? foreground : 'own',
    ownColor: isPreset(foreground) ? '#7c3aed' : foreground,
    background: isOwn ? 'own' : background === white ? 'white' : 'transparent',
    ownBackground: isOwn ? background : '#fef3c7',
    hasEyeColor: style.eye_color !== null,
    eyeColor: style.eye_color ?? foreground,
    shape: style.shape,
    frame: style.eye_frame,
    dot: style.eye_dot,
    logo: logo ?? '',
    level: level === usual ? 'auto' : level,
    margin: String(style.margin),
  };
}

/** The choices of a form that was sent; `fallback` for what it does not have. */
export function choiceIn(values: FormValues, fallback: StyleChoice): StyleChoice {
  const given = (name: string, otherwise: string) => textOf(values, `style.${name}`) ?? otherwise;
  const background = given('background', fallback.background);
  // An unchecked box and an empty choice are not sent, or sent empty.
  const isSent = textOf(values, 'style.shape') !== undefined;
  return {
    color: given('color', fallback.color),
    ownColor: given('own_color', fallback.ownColor),
    background: background === 'own' || background === 'transparent' ? background : 'white',
    ownBackground: given('own_background', fallback.ownBackground),
    hasEyeColor: isSent ? textOf(values, 'style.has_eye_color') === 'true' : fallback.hasEyeColor,
    eyeColor: given('eye_color', fallback.eyeColor),
    shape: given('shape', fallback.shape),
    frame: given('frame', fallback.frame),
    dot: given('dot', fallback.dot),
    logo: isSent ? (textOf(values, 'style.logo') ?? '') : fallback.logo,
    level: given('level', fallback.level),
    margin: given('margin', fallback.margin),
  };
}

/** The style that the choices stand for, for a picture of `text`. Throws `console.form_invalid`. */
export function styleOf(choice: StyleChoice, text: string): QrStyle {
  const { color, background, logo, level } = choice;
  const backgrounds = { white, transparent: 'transparent', own: choice.ownBackground };
  const hasLogo = logo !== '';
  const { success, data } = QrStyle.safeParse({
    foreground: color === 'own' ? choice.ownColor : color,
    background: backgrounds[background],
    level: qrLevels.find((each) => each === level) ?? levelFor(text, { forLogo: hasLogo }),
    margin: Number(choice.margin),
    shape: choice.shape,
    eye_frame: choice.frame,
    eye_dot: choice.dot,
    eye_color: choice.hasEyeColor ? choice.eyeColor : null,
    logo: hasLogo ? logo : null,
  });
  if (!success) throw new FormError(texts.problems.style);
  return data;
}

/** The fields of a form with these choices. */
export const styleValuesOf = (choice: StyleChoice): FormValues => ({
  'style.color': choice.color,
  'style.own_color': choice.ownColor,
  'style.background': choice.background,
  'style.own_background': choice.ownBackground,
  'style.has_eye_color': choice.hasEyeColor ? 'true' : '',
  'style.eye_color': choice.eyeColor,
  'style.shape': choice.shape,
  'style.frame': choice.frame,
  'style.dot': choice.dot,
  'style.logo': choice.logo,
  'style.level': choice.level,
  'style.margin': choice.margin,
});
