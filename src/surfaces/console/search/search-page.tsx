import { consolePath } from '../../../lib/site-paths.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { Icon } from '../../../platform/ui/icon.tsx';
import type { ConsolePage } from '../layout.tsx';
import type { Viewer } from '../viewer.ts';
import { actionsFor, isNamed, type Place, placesFor } from './places.ts';
import type { FoundGroup } from './search.ts';
import { texts } from './texts/en.ts';

const path = `${consolePath}search`;

const searchField = (text: string): Html => (
  <form class="search-page-form" method="post" role="search" action={path} data-send>
    <label class="visually-hidden" for="q" safe>
      {texts.label}
    </label>
    <input
      class="control"
      id="q"
      name="q"
      type="search"
      value={text}
      placeholder={texts.placeholder}
      autocomplete="off"
      maxlength={200}
    />
    <Button label={texts.submit} icon="search" kind="primary" />
  </form>
);

const results = ({ title, icon, found }: FoundGroup, number: number): Html => (
  <Card id={`found-${number}`} title={title}>
    <ul class="found">
      {found.map(({ name, hint, href }) => (
        <li>
          <a href={href}>
            <Icon name={icon} />
            <span safe>{name}</span>
            {hint !== '' && (
              <span class="hint" safe>
                {hint}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  </Card>
);

const placeItem = ({ name, icon, href, send }: Place): Html => (
  <li>
    {send === undefined ? (
      <a href={href}>
        <Icon name={icon} />
        <span safe>{name}</span>
      </a>
    ) : (
      <form method="post" action={href}>
        {Object.entries(send).map(([key, value]) => (
          <input type="hidden" name={key} value={value} />
        ))}
        <button type="submit">
          <Icon name={icon} />
          <span safe>{name}</span>
        </button>
      </form>
    )}
  </li>
);

const places = (id: string, title: string, all: readonly Place[]): Html | undefined =>
  all.length === 0 ? undefined : (
    <Card id={id} title={title}>
      <ul class="found">{all.map(placeItem)}</ul>
    </Card>
  );

/**
 * The page of the search, which finds what the palette finds; without a text, everything that can
 * be done and opened. `found` has no actions and pages.
 */
export function searchPage(
  text: string,
  found: readonly FoundGroup[],
  { roles, isAdmin }: Viewer,
): ConsolePage {
  const isNamedSo = (place: Place): boolean => text === '' || isNamed(place, text);
  const [allActions, allPages] = [actionsFor(roles), placesFor(roles)];
  const isEmpty = found.length === 0 && ![...allActions, ...allPages].some(isNamedSo);
  // Where nothing was found, everything there is leads on.
  const isShown = (place: Place): boolean => isEmpty || isNamedSo(place);
  const [actions, pages] = [allActions.filter(isShown), allPages.filter(isShown)];
  return {
    section: undefined,
    title: text === '' ? texts.title : texts.found({ text }),
    body: (
      <>
        {searchField(text)}
        {isEmpty && (
          <EmptyState icon="search" text={texts.nothing({ text })}>
            <p>{escapeHtml(isAdmin ? texts.hintForAdmins : texts.hintForViewers)}</p>
          </EmptyState>
        )}
        <div class="search-results">
          {places('actions', texts.groups.actions, actions)}
          {places('pages', texts.groups.pages, pages)}
          {found.map(results)}
        </div>
      </>
    ),
  };
}
