import type { StyleProblem } from '../drawing/style-check.ts';
import type { QrDecoder } from './decoders.ts';

/** Why a code is not served: what is wrong, the decoder that could not read it, and what to do. */
export interface QrProblem {
  reason: 'contrast' | 'logo_too_large' | 'unreadable';
  /** Null if the style alone says so. */
  decoder: QrDecoder | null;
  advice: string;
}

const memberNames = { foreground: 'foreground', eye_color: 'eye color' } as const;

/** Returns the verdict on a style that no code can have. */
export function problemOfStyle(problem: StyleProblem): QrProblem {
  if (problem.reason === 'logo_level')
    return {
      reason: 'logo_too_large',
      decoder: null,
      advice: 'Set the level to M, Q or H: level L has no room for a logo.',
    };
  const { member, ratio, least } = problem;
  return {
    reason: 'contrast',
    decoder: null,
    advice:
      `The contrast of the ${memberNames[member]} on the background is ${ratio}, and must be ` +
      `${least} or more. Use a darker ${memberNames[member]} or a lighter background.`,
  };
}

/** Returns the verdict on a code that a decoder could not read, with its logo or without. */
export const problemOfReading = (decoder: QrDecoder, isLogo: boolean): QrProblem =>
  isLogo
    ? {
        reason: 'logo_too_large',
        decoder,
        advice: 'Use a higher level, a shorter text or a simpler logo.',
      }
    : {
        reason: 'unreadable',
        decoder,
        advice: 'Use square modules and eyes, more contrast or a shorter text.',
      };
