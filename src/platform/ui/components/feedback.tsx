import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Icon, type IconName } from '../icon.tsx';
import type { Tone } from './badge.tsx';

const toneIcons: Readonly<Record<Tone, IconName>> = {
  neutral: 'info',
  info: 'info',
  ok: 'success',
  warn: 'alert',
  bad: 'error',
};

export interface BannerOptions {
  text: string;
  tone?: Tone;
  /** A link or a form. */
  action?: Content;
  /** Replaces the text where it is more than text, such as a sentence with a link. */
  content?: Html | undefined;
  /** `status` is read out when the page opens, `alert` at once. */
  role?: 'status' | 'alert' | undefined;
}

/** A line across the page about its state. */
export const Banner = (options: BannerOptions): Html => {
  const { text, tone = 'neutral', action, content, role } = options;
  return (
    <div class={`bar-note bar-note-${tone}`} role={role}>
      <Icon name={toneIcons[tone]} />
      <span>{content ?? escapeHtml(text)}</span>
      {action}
    </div>
  );
};

export interface ToastOptions extends BannerOptions {
  /** A form that reverts the action. */
  undo?: Html | undefined;
}

/** What was just done. It stands in a region with `role="status"`, so that it is read out. */
export const Toast = ({ text, tone = 'ok', undo }: ToastOptions): Html => (
  <div class={`toast bar-note bar-note-${tone}`}>
    <Icon name={toneIcons[tone]} />
    <span>{escapeHtml(text)}</span>
    {undo}
  </div>
);

export interface EmptyStateOptions {
  icon: IconName;
  /** One sentence: why nothing is here, and what fills it. */
  text: string;
  /** One button or link. */
  action?: Html | undefined;
  /** Such as the API call that would fill the list. */
  children?: Content;
}

/** Stands where a list would be. */
export const EmptyState = ({ icon, text, action, children }: EmptyStateOptions): Html => (
  <div class="empty-state">
    <Icon name={icon} />
    <p>{escapeHtml(text)}</p>
    {children}
    {action}
  </div>
);

/** A grey shape while content loads. It does not move. */
export const Skeleton = ({ label, lines = 3 }: { label: string; lines?: number }): Html => (
  <div class="skeleton" role="status">
    <span class="visually-hidden">{escapeHtml(label)}</span>
    {Array.from({ length: lines }, () => (
      <span class="skeleton-line" aria-hidden="true"></span>
    ))}
  </div>
);
