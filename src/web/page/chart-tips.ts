import { element } from './elements.ts';

/** Height of the `viewBox` of charts. */
const boxHeight = 260;
const boxWidth = 1000;
/** Between the cursor and the tip, and between the tip and the edge of the window; in pixels. */
const [gap, edge] = [12, 8];

const place = (target: HTMLElement, left: number, top: number): void => {
  target.style.left = `${left}px`;
  target.style.top = `${top}px`;
};

const plotAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('.chart .plot') : null;

/** The chart around a plot, with what the tip says: the rows of its own table. */
function readChart(plot: HTMLElement) {
  const figure = plot.closest<HTMLElement>('.chart');
  const drawing = plot.querySelector('svg[role]');
  if (!figure || !drawing) return undefined;
  const rows = [...figure.querySelectorAll('tbody tr')];
  const names = [...figure.querySelectorAll('thead th')].map((each) => each.textContent);
  const keys = [...figure.querySelectorAll('figcaption .key:not(.partial)')];
  const line = drawing.querySelector('.line:not(.second, .before, .dot, .ring, .so-far)');
  const { open, steps = '' } = figure.dataset;
  const box = drawing.getBoundingClientRect();
  return { rows, names, keys, box, path: line?.getAttribute('d') ?? '', open, steps };
}

type Chart = NonNullable<ReturnType<typeof readChart>>;

const shareOf = (step: number, { rows }: Chart): number =>
  rows.length <= 1 ? 0.5 : step / (rows.length - 1);

/** The height of the first line at a step, as a share; undefined where it has no point. */
function heightAt(step: number, chart: Chart): number | undefined {
  const at = Math.round(shareOf(step, chart) * boxWidth);
  const found = new RegExp(`[ML]${at} (\\d+)`).exec(chart.path)?.[1];
  return found === undefined ? undefined : Number(found) / boxHeight;
}

function stepAt(clientX: number, { box, rows }: Chart): number {
  const share = (clientX - box.left) / box.width;
  return Math.max(0, Math.min(rows.length - 1, Math.round(share * (rows.length - 1))));
}

/** The name of a step, and its values. */
function contentOf(step: number, { rows, names, keys }: Chart): HTMLElement[] {
  const [name, ...cells] = rows[step]?.children ?? [];
  const values = cells.map((cell, at) => {
    const { textContent: text } = cell;
    if (!cell.matches('.cell-number')) return element('p', { class: 'note' }, text);
    const key = keys[at]?.className ?? '';
    const term = element('dt', { class: key }, names[at + 1] ?? '');
    return element('div', {}, term, element('dd', {}, text));
  });
  const notes = values.filter((each) => each instanceof HTMLParagraphElement);
  const figures = values.filter((each) => !(each instanceof HTMLParagraphElement));
  return [
    element('strong', {}, name?.textContent ?? ''),
    element('dl', {}, ...figures),
    ...notes.filter(({ textContent }) => textContent !== ''),
  ];
}

function createTip() {
  const cursor = element('div', { class: 'chart-cursor' });
  const dot = element('div', { class: 'chart-dot' });
  const tip = element('div', { class: 'chart-tip' });
  const all = [cursor, dot, tip];
  const said = element('p', { class: 'visually-hidden', role: 'status' });
  // In a landmark, as everything on a page.
  const host = document.querySelector('main') ?? document.body;
  host.append(said);

  function hide(): void {
    for (const each of all) each.remove();
  }

  function show(step: number, chart: Chart, isSaid: boolean): void {
    const { box } = chart;
    host.append(...all);
    tip.replaceChildren(...contentOf(step, chart));
    if (isSaid) said.textContent = tip.innerText;
    const [left, top] = [box.left + shareOf(step, chart) * box.width, box.top];
    place(cursor, left + scrollX, top + scrollY);
    cursor.style.height = `${box.height}px`;
    const height = heightAt(step, chart);
    if (height === undefined) dot.remove();
    place(dot, left + scrollX, top + scrollY + (height ?? 0) * box.height);
    const { offsetWidth: width } = tip;
    const right = left + gap + width + edge > document.documentElement.clientWidth;
    place(tip, Math.max(edge, right ? left - gap - width : left + gap) + scrollX, top + scrollY);
  }

  return { hide, show };
}

const moves: Readonly<Partial<Record<string, (step: number, last: number) => number>>> = {
  ArrowLeft: (step) => Math.max(0, step - 1),
  ArrowRight: (step, last) => Math.min(last, step + 1),
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * Shows the values of a chart's step: beside the pointer, where it is tapped, and with the arrow
 * keys. Escape hides them; Enter, or a click of a mouse, opens the step where it leads somewhere.
 * `reached`: the event that this was loaded for, whose chart is answered at once.
 */
export function installChartTips(reached?: Event): void {
  const { show, hide } = createTip();
  let step = 0;
  let isPinned = false;

  function showAt(plot: HTMLElement, next: (chart: Chart) => number, isSaid = false): void {
    const chart = readChart(plot);
    if (!chart || chart.rows.length === 0) return;
    step = Math.min(next(chart), chart.rows.length - 1);
    show(step, chart, isSaid);
  }

  function open(plot: HTMLElement): void {
    const chart = readChart(plot);
    const place = chart?.steps.split(' ')[step];
    if (chart?.open !== undefined && place) location.assign(chart.open.split('{}').join(place));
  }

  function unpin(): void {
    isPinned = false;
    hide();
  }

  document.addEventListener('pointermove', ({ target, clientX, pointerType }) => {
    const plot = plotAt(target);
    if (plot) showAt(plot, (chart) => stepAt(clientX, chart));
    else if (!isPinned && pointerType === 'mouse') hide();
  });
  document.addEventListener('pointerdown', ({ target, clientX, pointerType }) => {
    const plot = plotAt(target);
    if (!plot) {
      unpin();
      return;
    }
    isPinned = pointerType !== 'mouse';
    showAt(plot, (chart) => stepAt(clientX, chart));
  });
  document.addEventListener('click', (event) => {
    const plot = plotAt(event.target);
    if (plot && !isPinned) open(plot);
  });
  function showFocused(target: EventTarget | null): void {
    const plot = plotAt(target);
    if (!plot?.matches(':focus-visible')) return;
    isPinned = true;
    showAt(plot, ({ rows }) => rows.length - 1, true);
  }

  document.addEventListener('focusin', ({ target }) => showFocused(target));
  document.addEventListener('focusout', ({ target }) => {
    if (plotAt(target)) unpin();
  });
  document.addEventListener('keydown', (event) => {
    const plot = plotAt(event.target);
    if (!plot || event.target !== plot) return;
    if (event.key === 'Escape') unpin();
    if (event.key === 'Enter') open(plot);
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    isPinned = true;
    showAt(plot, ({ rows }) => move(step, rows.length - 1), true);
  });
  showFocused(document.activeElement);
  const plot = plotAt(reached?.target ?? null);
  if (plot?.matches(':hover') && reached instanceof PointerEvent)
    showAt(plot, (chart) => stepAt(reached.clientX, chart));
}
