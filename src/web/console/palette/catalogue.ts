/** Something to choose. */
export interface Option {
  name: string;
  hint?: string;
  icon: string;
  href: string;
  /** Other words that find it. */
  words?: string;
  /** Values of a form that is posted to `href`. */
  send?: Record<string, string>;
}

/** Options under a heading. */
export interface Group {
  title: string;
  places: Option[];
}

export interface Catalogue {
  groups: Group[];
  /** Where searches are posted. */
  search: string;
}

/** Reads what the page knows, from the block behind the dialog. */
export function catalogueOf(dialog: Element): Catalogue {
  const text = dialog.nextElementSibling?.textContent;
  return text ? (JSON.parse(text) as Catalogue) : { groups: [], search: '' };
}

/**
 * The options that contain every word of a text, those whose names begin with it first. An option
 * that only its other words find comes last.
 */
export function matching({ groups }: Catalogue, text: string): Group[] {
  const words = text.toLowerCase().split(/\s+/);
  const rank = ({ name, words: others = '' }: Option): number => {
    const own = name.toLowerCase();
    if (words.every((word) => own.includes(word)))
      return own.startsWith(text.toLowerCase()) ? 0 : 1;
    return words.every((word) => `${own} ${others.toLowerCase()}`.includes(word)) ? 2 : 3;
  };
  return groups
    .map(({ title, places }) => ({
      title,
      places: places.filter((each) => rank(each) < 3).sort((a, b) => rank(a) - rank(b)),
    }))
    .filter(({ places }) => places.length > 0);
}
