import type { Html } from '../../../lib/text/html.ts';
import { Badge, type Tone as BadgeTone } from '../../../platform/ui/components/badge.tsx';
import { Icon, type IconName } from '../../../platform/ui/icon.tsx';
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

const icons: Readonly<Record<Tone, IconName>> = {
  ok: 'success',
  minor: 'alert',
  major: 'alert',
  critical: 'error',
  work: 'clock',
  none: 'info',
};

/** A decorative icon beside a text with the same meaning. */
export const icon = (tone: Tone): Html => <Icon name={icons[tone]} />;

const badgeTones: Readonly<Record<Tone, BadgeTone>> = {
  ok: 'ok',
  minor: 'warn',
  major: 'warn',
  critical: 'bad',
  work: 'info',
  none: 'neutral',
};

/** A phase in a word. */
export const PhaseBadge = ({ text, tone }: { text: string; tone: Tone }): Html => (
  <Badge text={text} tone={badgeTones[tone]} />
);
