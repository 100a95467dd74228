const key = 'developer-language';

// Browsers may refuse access to their storage.
function remembered(): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function remember(language: string): void {
  try {
    localStorage.setItem(key, language);
  } catch {
    // The choice then lasts only as long as the page.
  }
}

const groups = () => [...document.querySelectorAll<HTMLElement>('.languages')];
const tabsOf = (group: HTMLElement) => [
  ...group.querySelectorAll<HTMLDetailsElement>(':scope > details'),
];

/** Opens the tab of the language in every group that has one. */
function choose(language: string): void {
  for (const tabs of groups().map(tabsOf)) {
    if (!tabs.some((tab) => tab.dataset.language === language)) continue;
    for (const tab of tabs) tab.open = tab.dataset.language === language;
  }
}

/**
 * Tabs are `details` elements that share a name. The script keeps them open when clicked again, and
 * selects the last chosen language in every group.
 */
export function installTabs(): void {
  for (const tab of groups().flatMap(tabsOf)) {
    const summary = tab.querySelector('summary');
    summary?.addEventListener('click', (event) => {
      event.preventDefault();
      const { language } = tab.dataset;
      if (language === undefined) return;
      const before = summary.getBoundingClientRect().top;
      choose(language);
      remember(language);
      // Samples above have grown or shrunk: keep the clicked tab in place.
      scrollBy(0, summary.getBoundingClientRect().top - before);
    });
  }
  const language = remembered();
  if (language !== undefined) choose(language);
}
