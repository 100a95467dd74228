import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Badge, type Tone as BadgeTone } from '../../../platform/ui/components/badge.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState, Toast } from '../../../platform/ui/components/feedback.tsx';
import { Copy } from '../../../platform/ui/components/overlay.tsx';
import { Stats } from '../../../platform/ui/components/stat.tsx';
import { Facts } from '../../../platform/ui/components/table.tsx';
import type { IconName } from '../../../platform/ui/icon.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import { texts } from '../texts/en.ts';

/** A time, or what is shown without one. */
export function time(
  at: Date | string | number | null | undefined,
  none: string = texts.time.never,
): Html {
  return at == null ? escapeHtml(none) : <Time at={at} />;
}

/** The colour of a state, which is always given in words too. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

const badgeTones: Readonly<Record<Tone, BadgeTone>> = {
  good: 'ok',
  warn: 'warn',
  bad: 'bad',
  info: 'info',
  quiet: 'neutral',
};

export const badge = (text: string, tone: Tone = 'quiet'): Html => (
  <Badge text={text} tone={badgeTones[tone]} />
);

export interface PanelOptions {
  id: string;
  title: string;
  body: Content;
  /** Links and buttons beside the heading. */
  actions?: Html | undefined;
  /** The script replaces the panel when it has changed. */
  live?: boolean;
  hint?: string | undefined;
}

/** A part of a page with a heading of its own. */
export const panel = ({ id, title, body, actions, live = false, hint }: PanelOptions): Html => (
  <Card id={id} title={title} actions={actions} isLive={live} hint={hint}>
    {body}
  </Card>
);

/** A block of text to copy. The script adds a copy button. */
export const copyBlock = (text: string): Html => <Copy text={text} label={texts.copy} />;

export interface EmptyStateOptions {
  text: string;
  icon?: IconName;
  /** The API call that would fill the list. */
  call?: string | undefined;
  link?: { href: string; text: string };
}

/** A placeholder for an empty list: why it is empty, and how to fill it. */
export const emptyState = ({ text, icon = 'list', call, link }: EmptyStateOptions): Html => (
  <EmptyState
    icon={icon}
    text={text}
    action={link && <Button label={link.text} href={link.href} />}
  >
    {call !== undefined && copyBlock(call)}
  </EmptyState>
);

export type Fact = readonly [name: string, value: Html | number];

/** A description list. `undefined` is left out. */
export const facts = (all: readonly (Fact | undefined)[]): Html => (
  <Facts facts={all.map((fact) => fact && { name: fact[0], value: fact[1] })} />
);

/** A key figure. */
export interface Figure {
  name: string;
  value: Html;
  /** Below it: how it has changed, or what it means. */
  note?: Html | undefined;
  href?: string | undefined;
  tone?: Tone | undefined;
}

/** Figures side by side, below a heading for screen readers. */
export const cards = (id: string, label: string, all: readonly Figure[]): Html => (
  <Stats
    id={id}
    label={label}
    isLive
    all={all.map(({ name, value, note, href, tone }) => ({
      label: name,
      value: '',
      content: value,
      noteContent: note,
      href,
      tone: tone === 'warn' || tone === 'bad' ? tone : undefined,
    }))}
  />
);

/** A notice about a completed action. `undo`: a form that reverts it. */
export const notice = (text: string, undo?: Html): Html => <Toast text={text} undo={undo} />;

/** A notice about a refused action. */
export const errorNotice = (text: string): Html => <Toast text={text} tone="bad" />;

/** Sentences of notices, by the value of `done` in addresses. */
export type Sentences = Readonly<Partial<Record<string, string>>>;

/** Undefined for unknown names. They come from URLs, so `constructor` must not match. */
export const sentenceOf = (sentences: Sentences, done: string | undefined): string | undefined =>
  done !== undefined && Object.hasOwn(sentences, done) ? sentences[done] : undefined;
