const sameDay = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const otherDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Shows the times below `part` in the zone of the person; the exact instant is their title. */
export function localTimes(part: ParentNode): void {
  const today = new Date().toDateString();
  for (const element of part.querySelectorAll('time')) {
    const at = new Date(element.dateTime);
    if (Number.isNaN(at.getTime()) || element.hasAttribute('data-plain')) continue;
    element.title = element.dateTime;
    element.textContent = (at.toDateString() === today ? sameDay : otherDay).format(at);
  }
}

/** Offers the person's own time zone beside inputs of one below `part`. */
export function offerOwnZone(part: ParentNode): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (const input of part.querySelectorAll<HTMLInputElement>('input[data-own-zone]')) {
    if (input.value === timeZone) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'link';
    button.textContent = `Use ${timeZone}`;
    button.onclick = () => {
      input.value = timeZone;
      input.focus();
      button.remove();
    };
    input.after(button);
  }
}
