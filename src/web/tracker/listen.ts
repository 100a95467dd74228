/** Calls `listener` for each of the events, in the capture phase. */
export function listen(target: EventTarget, names: string, listener: (event: never) => void): void {
  for (const name of names.split(' '))
    target.addEventListener(name, listener as EventListener, true);
}
