import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
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

export const badge = (text: string, tone: Tone = 'quiet'): Html => (
  <span class={`badge ${tone}`} safe>
    {text}
  </span>
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
export function panel({ id, title, body, actions, live = false, hint }: PanelOptions): Html {
  const label = { id, 'aria-labelledby': `${id}-title`, 'data-live': live };
  return (
    <section class="panel" {...label}>
      <div class="panel-head">
        <h2 id={`${id}-title`} safe>
          {title}
        </h2>
        {actions}
      </div>
      {hint === undefined ? undefined : (
        <p class="hint" safe>
          {hint}
        </p>
      )}
      {body}
    </section>
  );
}

/** A block of text to copy. The script adds a copy button. */
export const copyBlock = (text: string): Html => (
  <div data-copy>
    <pre tabindex="0">
      <code safe>{text}</code>
    </pre>
  </div>
);

export interface EmptyStateOptions {
  text: string;
  /** The API call that would fill the list. */
  call?: string | undefined;
  link?: { href: string; text: string };
}

/** A placeholder for an empty list: why it is empty, and how to fill it. */
export function emptyState({ text, call, link }: EmptyStateOptions): Html {
  const example = call === undefined ? undefined : copyBlock(call);
  const more =
    link === undefined ? undefined : (
      <p>
        <a href={link.href} safe>
          {link.text}
        </a>
      </p>
    );
  return (
    <div class="empty">
      <p safe>{text}</p>
      {example}
      {more}
    </div>
  );
}

export type Fact = readonly [name: string, value: Html | number];

/** A description list. `undefined` is left out. */
export const facts = (all: readonly (Fact | undefined)[]): Html => (
  <dl>
    {all
      .filter((fact) => fact !== undefined)
      .map(([name, value]) => (
        <div>
          <dt safe>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** A key figure. */
export interface Card {
  name: string;
  value: Html;
  /** Below it: how it has changed, or what it means. */
  note?: Html | undefined;
  href?: string | undefined;
  tone?: Tone | undefined;
}

function cardItem({ name, value, note, href, tone }: Card): Html {
  const title =
    href === undefined ? (
      escapeHtml(name)
    ) : (
      <a href={href} safe>
        {name}
      </a>
    );
  const below = note === undefined ? undefined : <span class="note">{note}</span>;
  const content = (
    <>
      <span class="name">{title}</span> <strong>{value}</strong>
      {below}
    </>
  );
  return <li {...{ class: tone }}>{content}</li>;
}

/** Figures side by side, below a heading for screen readers. */
export const cards = (id: string, label: string, all: readonly Card[]): Html => (
  <>
    <h2 class="visually-hidden" safe>
      {label}
    </h2>
    <ul class="cards" id={id} data-live>
      {all.map(cardItem)}
    </ul>
  </>
);

/** A notice about a completed action. `undo`: a form that reverts it. */
export const notice = (text: string, undo?: Html): Html => (
  <div class="line">
    <span safe>{text}</span> {undo}
  </div>
);

/** A notice about a refused action. */
export const errorNotice = (text: string): Html => (
  <p class="error" safe>
    {text}
  </p>
);

/** Sentences of notices, by the value of `done` in addresses. */
export type Sentences = Readonly<Partial<Record<string, string>>>;

/** Undefined for unknown names. They come from URLs, so `constructor` must not match. */
export const sentenceOf = (sentences: Sentences, done: string | undefined): string | undefined =>
  done !== undefined && Object.hasOwn(sentences, done) ? sentences[done] : undefined;
