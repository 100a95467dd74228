import type { Html } from '../../../lib/text/html.ts';
import type { ComponentStatus, Indicator } from '../model.ts';

/** Selects the colour and the icon of a status. */
export type Tone = 'ok' | 'minor' | 'major' | 'critical' | 'work' | 'none';

const componentTones: Readonly<Record<ComponentStatus | 'no_data', Tone>> = {
  operational: 'ok',
  degraded_performance: 'minor',
  partial_outage: 'major',
  major_outage: 'critical',
  under_maintenance: 'work',
  no_data: 'none',
};

/** The tone of a component status. */
export const toneOf = (status: ComponentStatus | 'no_data'): Tone => componentTones[status];

/** The tones of the overall indicator and of incident impacts. */
export const indicatorTones: Readonly<Record<Indicator, Tone>> = {
  none: 'ok',
  minor: 'minor',
  major: 'major',
  critical: 'critical',
  maintenance: 'work',
};

const shapes: Readonly<Record<Tone, Html>> = {
  ok: <path d="M4 10l4 4 8-9" />,
  minor: <path d="M10 3v9M10 15v2" />,
  major: <path d="M10 2 1 18h18zM10 8v4M10 15v1" />,
  critical: <path d="M4 4l12 12M16 4 4 16" />,
  work: (
    <>
      <path d="M10 5v5l4 3" />
      <circle cx="10" cy="10" r="8" />
    </>
  ),
  none: <path d="M4 10h12" />,
};

/** The SVG symbols that `icon` refers to, once for each page. */
export const iconShapes = (tones: Iterable<Tone>): Html => (
  <svg class="trap" width="0" height="0">
    {[...new Set(tones)].map((tone) => (
      <symbol id={`i-${tone}`} viewBox="0 0 20 20">
        {shapes[tone]}
      </symbol>
    ))}
  </svg>
);

/** A decorative icon beside a text with the same meaning. */
export const icon = (tone: Tone): Html => (
  <svg class="icon" aria-hidden="true">
    <use href={`#i-${tone}`} />
  </svg>
);
