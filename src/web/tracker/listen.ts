/** Calls `act` for each of the events, before anybody else hears of them. */
export function listen(where: EventTarget, names: string, act: (event: never) => void): void {
  for (const name of names.split(' ')) where.addEventListener(name, act as EventListener, true);
}
