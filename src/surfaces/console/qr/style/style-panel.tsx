import type { LogoView } from '../../../../areas/qr/pictures/schemas.ts';
import { eyeShapes, moduleShapes } from '../../../../areas/qr/drawing/style.ts';
import { qrLevels } from '../../../../areas/qr/drawing/matrix.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { type Choice, Choices, ColorInput } from '../../../../platform/ui/components/choices.tsx';
import { FileDrop } from '../../../../platform/ui/components/file-drop.tsx';
import { CheckField, Field, SelectField } from '../../../../platform/ui/components/form.tsx';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { withQuery } from '../../components/navigation.tsx';
import { logosPath, logoTitle, pictureOfLogo } from '../logos/logo-picture.tsx';
import { previewPath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import { presetColors, type StyleChoice } from './style-form.ts';

const words = texts.style;

const dot = (color: string): Html => (
  <svg class="color-dot" viewBox="0 0 24 24" aria-hidden="true">
    <circle cx="12" cy="12" r="11" fill={color} />
  </svg>
);

const ownColor = (name: string, label: string, value: string): Html => (
  <ColorInput name={name} label={label} value={value} />
);

const glyph = (path: string): Html => (
  <svg class="glyph" viewBox="0 0 24 24" fill="currentColor" fill-rule="evenodd" aria-hidden="true">
    <path d={path} />
  </svg>
);

const shapePaths = {
  square: 'M4 4h8v8h8v8h-8v-8h-8z',
  rounded:
    'M7 4h2a3 3 0 0 1 3 3v5h5a3 3 0 0 1 3 3v2a3 3 0 0 1-3 3h-2' +
    'a3 3 0 0 1-3-3v-5H7a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3z',
  dots: 'M8 4a4 4 0 1 1 0 8a4 4 0 0 1 0-8zM16 12a4 4 0 1 1 0 8a4 4 0 0 1 0-8z',
} as const;

const framePaths = {
  square: 'M3 3h18v18h-18zM6 6v12h12v-12z',
  rounded:
    'M8 3h8a5 5 0 0 1 5 5v8a5 5 0 0 1-5 5H8a5 5 0 0 1-5-5V8a5 5 0 0 1 5-5z' +
    'M8 6a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h8a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2z',
  circle: 'M12 3a9 9 0 1 1 0 18a9 9 0 0 1 0-18zM12 6a6 6 0 1 0 0 12a6 6 0 0 0 0-12z',
} as const;

const dotPaths = {
  square: 'M7 7h10v10h-10z',
  rounded: 'M10 7h4a3 3 0 0 1 3 3v4a3 3 0 0 1-3 3h-4a3 3 0 0 1-3-3v-4a3 3 0 0 1 3-3z',
  circle: 'M12 7a5 5 0 1 1 0 10a5 5 0 0 1 0-10z',
} as const;

const colorChoices = ({ ownColor: own }: StyleChoice): Choice[] => [
  ...presetColors.map(([value, label]) => ({ value, label, face: dot(value) })),
  {
    value: 'own',
    label: words.ownColor,
    face: dot(own),
    extra: ownColor('style.own_color', words.ownColor, own),
  },
];

const backgroundChoices = ({ ownBackground: own }: StyleChoice): Choice[] => [
  { value: 'white', label: words.backgrounds.white },
  { value: 'transparent', label: words.backgrounds.transparent },
  {
    value: 'own',
    label: words.backgrounds.own,
    extra: ownColor('style.own_background', words.backgrounds.own, own),
  },
];

const logoFace = (logo: LogoView): Html => pictureOfLogo(logo, 40);

/** The logos to choose from, and a place to drop another one. The script replaces it by its id. */
export const logoChoices = (logos: readonly LogoView[], chosen: string): Html => (
  <div id="logo-choices">
    <Choices
      name="style.logo"
      legend={words.logo}
      look="tiles"
      value={chosen}
      choices={[
        { value: '', label: words.noLogo, icon: 'x' },
        ...logos.map((logo) => ({
          value: logo.id,
          label: logoTitle(logo),
          face: logoFace(logo),
        })),
      ]}
    />
  </div>
);

const dropZone = (): Html => (
  <FileDrop
    id="logo-file"
    name="logo_file"
    label={words.drop}
    accept="image/png,image/jpeg,image/webp"
    uploadTo={withQuery(logosPath, { part: 'choices' })}
    into="logo-choices"
    without={
      <Button
        label={words.upload}
        size="small"
        attributes={{ formaction: previewPath, formenctype: 'multipart/form-data' }}
      />
    }
  />
);

const moreStyle = (choice: StyleChoice): Html => (
  <Disclosure summary={words.more} id="more-style">
    <div class="field-pair">
      <SelectField
        id="style-level"
        name="style.level"
        label={words.level}
        hint={words.levelHint}
        value={choice.level}
        options={[
          ['auto', words.levels.auto],
          ...qrLevels.map((each) => [each, words.levels[each]] as const),
        ]}
      />
      <Field
        id="style-margin"
        name="style.margin"
        type="number"
        label={words.margin}
        hint={words.marginHint}
        value={choice.margin}
        attributes={{ min: 0, max: 16 }}
      />
    </div>
    <div class="own-row">
      <CheckField
        id="style-has-eye-color"
        name="style.has_eye_color"
        label={words.eyeColor}
        isChecked={choice.hasEyeColor}
      />
      {ownColor('style.eye_color', words.eyeColor, choice.eyeColor)}
    </div>
  </Disclosure>
);

export interface StylePanelOptions {
  choice: StyleChoice;
  logos: readonly LogoView[];
}

/** How a code looks: colors, shapes, corners and logo. Its fields begin with `style.`. */
export const stylePanel = ({ choice, logos }: StylePanelOptions): Html => (
  <div class="style-panel">
    <Choices
      name="style.color"
      legend={words.color}
      look="dots"
      value={choice.color}
      choices={colorChoices(choice)}
    />
    <Choices
      name="style.background"
      legend={words.background}
      look="tiles"
      value={choice.background}
      choices={backgroundChoices(choice)}
    />
    <Choices
      name="style.shape"
      legend={words.shape}
      look="tiles"
      value={choice.shape}
      choices={moduleShapes.map((value) => ({
        value,
        label: words.shapes[value],
        face: glyph(shapePaths[value]),
      }))}
    />
    <Choices
      name="style.frame"
      legend={words.frame}
      look="tiles"
      value={choice.frame}
      choices={eyeShapes.map((value) => ({
        value,
        label: words.eyes[value],
        face: glyph(framePaths[value]),
      }))}
    />
    <Choices
      name="style.dot"
      legend={words.dot}
      look="tiles"
      value={choice.dot}
      choices={eyeShapes.map((value) => ({
        value,
        label: words.eyes[value],
        face: glyph(dotPaths[value]),
      }))}
    />
    {logoChoices(logos, choice.logo)}
    {dropZone()}
    {moreStyle(choice)}
  </div>
);
