import { element } from '../page/elements.ts';
import { focusOnSlash } from '../page/slash-key.ts';
import { installCopying } from './copying.ts';
import { installSearch } from './search-form.ts';
import { installTabs } from './tabs.ts';
import { installTryIt } from './try-it.ts';

/** Adds a live region: screen readers read its text out when it changes. */
function createAnnouncer(): (text: string) => void {
  const region = element('p', { role: 'status', class: 'spoken' });
  document.body.append(region);
  return (text) => {
    region.textContent = text;
  };
}

const announce = createAnnouncer();
installTabs();
installCopying(announce);
for (const form of document.querySelectorAll<HTMLFormElement>('form.find'))
  installSearch(form, announce);
focusOnSlash(() => document.querySelector<HTMLElement>('form.find input'));
// The page is complete without this feature.
installTryIt().catch(() => undefined);
