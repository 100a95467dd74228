import { z } from 'zod';
import { qrLevels } from './matrix.ts';

export const moduleShapes = ['square', 'rounded', 'dots'] as const;
export const eyeShapes = ['square', 'rounded', 'circle'] as const;

const hexColor = /^#[0-9a-f]{6}$/i;
const color = () => z.string().regex(hexColor, 'must be a color such as `#1a2b3c`');

const members = {
  foreground: color()
    .describe('Color of the code, as `#rrggbb`. It must be clearly darker than the background.')
    .meta({ examples: ['#000000'] }),
  background: z
    .string()
    .regex(/^(?:#[\da-f]{6}|transparent)$/i, 'must be a color such as `#1a2b3c`, or `transparent`')
    .describe('Color behind the code, as `#rrggbb`, or `transparent` for use on a light surface.')
    .meta({ examples: ['#ffffff'] }),
  level: z
    .enum(qrLevels)
    .describe(
      'Error correction: how much of the code may be damaged. `L` 7 %, `M` 15 %, `Q` 25 %, ' +
        '`H` 30 %. A higher level makes a denser code. A logo needs at least `M`.',
    )
    .meta({ examples: ['M'] }),
  margin: z
    .int()
    .min(0)
    .max(16)
    .describe('Empty space around the code, in modules, 0 to 16. The standard requires 4.')
    .meta({ examples: [4] }),
  shape: z.enum(moduleShapes).describe('Shape of the modules.'),
  eye_frame: z.enum(eyeShapes).describe('Shape of the frames in three corners.'),
  eye_dot: z.enum(eyeShapes).describe('Shape of the dots inside the frames.'),
  eye_color: color()
    .nullable()
    .describe('Color of the frames and their dots, as `#rrggbb`. Null for the foreground.')
    .meta({ examples: [null] }),
  logo: z
    .string()
    .max(64)
    .nullable()
    .describe('Id of an uploaded logo for the center, or null for none.')
    .meta({ examples: [null] }),
};

/** A style in the documentation. */
export const styleExample = {
  foreground: '#1a2b6b',
  background: '#ffffff',
  level: 'M' as const,
  margin: 4,
  shape: 'rounded' as const,
  eye_frame: 'rounded' as const,
  eye_dot: 'square' as const,
  eye_color: null,
  logo: null,
};

/** How a code looks, as responses show it: every member is there. */
export const QrStyleView = z.object(members).meta({
  id: 'QrStyle',
  examples: [styleExample],
});

/** How a code looks, as requests set it: what is left out has a default. */
export const QrStyle = z
  .object({
    foreground: members.foreground.default('#000000'),
    background: members.background.default('#ffffff'),
    level: members.level.default('M'),
    margin: members.margin.default(4),
    shape: members.shape.default('square'),
    eye_frame: members.eye_frame.default('square'),
    eye_dot: members.eye_dot.default('square'),
    eye_color: members.eye_color.default(null),
    logo: members.logo.default(null),
  })
  .meta({
    id: 'UpdateQrStyle',
    examples: [{ foreground: '#1a2b6b', shape: 'rounded', eye_frame: 'rounded' }],
  });
export type QrStyle = z.output<typeof QrStyle>;

/** Members of a style to change; the others stay. */
export const QrStyleChanges = z
  .strictObject(members)
  .partial()
  .meta({ id: 'QrStyleChanges', examples: [{ shape: 'dots' }] });
