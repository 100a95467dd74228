import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Icon, type IconName } from '../icon.tsx';
import { texts } from '../texts/en.ts';
import type { Tone } from './badge.tsx';
import { Button } from './button.tsx';

/** Larger counts are shown as this and a plus. */
const maxCount = 999;

export interface NavLink {
  href: string;
  text: string;
  isCurrent?: boolean;
  icon?: IconName;
  /** A number beside the text, such as of devices that wait. None for 0. */
  count?: number | undefined;
  /** What the number counts, for screen readers: `waiting`. */
  countLabel?: string | undefined;
  /** The colour of the number. Default: `neutral`. */
  countTone?: 'neutral' | 'bad';
  /** A coloured dot beside the text, with what it means. */
  dot?: { tone: Tone; label: string } | undefined;
  /** Links below it, such as the parts of the current page. */
  children?: readonly NavLink[];
}

const hidden = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : <span class="visually-hidden">{escapeHtml(` ${text}`)}</span>;

function navItem(link: NavLink): Html {
  const { href, text, isCurrent = false, icon, count = 0, children = [], dot } = link;
  return (
    <li>
      <a href={href} aria-current={isCurrent ? 'page' : undefined}>
        {icon && <Icon name={icon} />}
        {escapeHtml(text)}
        {count > 0 && (
          <span class={link.countTone === 'bad' ? 'count count-bad' : 'count'}>
            {count > maxCount ? `${maxCount}+` : count}
            {hidden(link.countLabel)}
          </span>
        )}
        {dot && <span class={`nav-dot nav-dot-${dot.tone}`}>{hidden(dot.label)}</span>}
      </a>
      {children.length > 0 && <ul>{children.map(navItem)}</ul>}
    </li>
  );
}

export interface NavGroup {
  title: string;
  links: readonly NavLink[];
}

export interface NavOptions {
  label: string;
  links?: readonly NavLink[];
  /** Links under titles, after `links`. */
  groups?: readonly NavGroup[];
}

/** Links of a site or a console, one below the other. */
export const Nav = ({ label, links, groups = [] }: NavOptions): Html => (
  <nav class="nav" aria-label={label}>
    {links && <ul>{links.map(navItem)}</ul>}
    {groups.map((group) => (
      <>
        <p>{escapeHtml(group.title)}</p>
        <ul>{group.links.map(navItem)}</ul>
      </>
    ))}
  </nav>
);

export interface TabsOptions {
  label: string;
  links: readonly NavLink[];
  /** A choice within a view, such as of the period: small, beside other controls. */
  isCompact?: boolean;
}

/** Links between views of the same thing. They scroll on narrow screens and never wrap. */
export const Tabs = ({ label, links, isCompact = false }: TabsOptions): Html => (
  <nav class={isCompact ? 'tab-bar tab-bar-compact' : 'tab-bar'} aria-label={label}>
    <ul>{links.map(navItem)}</ul>
  </nav>
);

export interface PagerOptions {
  /** Such as `1–25 of 412`. */
  summary: string;
  previous?: string | undefined;
  next?: string | undefined;
  previousLabel: string;
  nextLabel: string;
  label: string;
}

/** Links to the pages before and after. A missing one is disabled, so that nothing moves. */
export function Pager(options: PagerOptions): Html {
  const { summary, previous, next, previousLabel, nextLabel, label } = options;
  const step = (href: string | undefined, text: string, icon: IconName, rel?: 'next') => (
    <Button
      label={text}
      icon={icon}
      size="small"
      type="button"
      isDisabled={href === undefined}
      {...(href === undefined ? {} : { href, attributes: { rel } })}
    />
  );
  return (
    <nav class="pages" aria-label={label}>
      <span>{escapeHtml(summary)}</span>
      {step(previous, previousLabel, 'chevron-left')}
      {step(next, nextLabel, 'chevron-right', 'next')}
    </nav>
  );
}

export interface PageHeadOptions {
  title: string;
  /** Before the title, such as the picture of the person whom the page is about. */
  face?: Html | undefined;
  /** A line below the title. */
  lead?: Html | undefined;
  /** From the start to the page above. */
  breadcrumbs?: readonly NavLink[] | undefined;
  /** A badge beside the title. */
  state?: Html | undefined;
  actions?: Content;
}

/** The heading of a page. */
export function PageHead(options: PageHeadOptions): Html {
  const { title, face, lead, breadcrumbs = [], state, actions } = options;
  return (
    <div class="page-head">
      {breadcrumbs.length > 0 && (
        <nav class="breadcrumbs" aria-label={texts.navigation.breadcrumbs}>
          <ol>{breadcrumbs.map(navItem)}</ol>
        </nav>
      )}
      <div class="page-title">
        {face}
        <h1>{escapeHtml(title)}</h1>
        {state}
        {lead !== undefined && <p class="page-lead">{lead}</p>}
        {actions !== undefined && <div class="btn-row">{actions}</div>}
      </div>
    </div>
  );
}
