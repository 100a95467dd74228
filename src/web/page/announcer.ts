import { element } from './elements.ts';

/** Adds a live region: screen readers read its text out when it changes. */
export function createAnnouncer(): (text: string) => void {
  const region = element('p', { role: 'status', class: 'visually-hidden' });
  document.body.append(region);
  return (text) => {
    region.textContent = text;
  };
}
