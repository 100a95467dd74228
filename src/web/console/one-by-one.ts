import { element } from '../page/elements.ts';

/** The parts that are always shown: a funnel has at least two steps. */
const shownAtFirst = 2;

const isFilled = (part: Element): boolean =>
  [...part.querySelectorAll('input')].some(({ value }) => value !== '');

/** Shows the parts of a form one by one, by a button that is named in `data-one-by-one`. */
export function showOneByOne(within: ParentNode): void {
  for (const list of within.querySelectorAll<HTMLElement>('[data-one-by-one]')) {
    const parts = [...list.children].filter((each) => each instanceof HTMLFieldSetElement);
    for (const part of parts.slice(shownAtFirst)) part.hidden = !isFilled(part);
    const attributes = { type: 'button', class: 'btn btn-secondary btn-small' };
    const add = element('button', attributes, list.dataset.oneByOne ?? '');
    add.onclick = () => {
      const next = parts.find(({ hidden }) => hidden);
      if (next) next.hidden = false;
      next?.querySelector('select')?.focus();
      add.hidden = parts.every(({ hidden }) => !hidden);
    };
    list.append(add);
  }
}
