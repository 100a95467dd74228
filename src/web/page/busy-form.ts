/** Shows a form that needs a script, and does `act` when it is sent, one at a time. */
export function installForm(form: HTMLFormElement, act: () => Promise<void>): void {
  const button = form.querySelector('button');
  const send = async () => {
    if (button === null || button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    await act();
    button.ariaDisabled = null;
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  form.hidden = false;
}
