/** Makes an element with text or others in it. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

/** A place whose text screen readers read out when it changes. */
export function createAnnouncer(): (text: string) => void {
  const place = element('p', { role: 'status', class: 'spoken' });
  document.body.append(place);
  return (text) => {
    place.textContent = text;
  };
}
