// The script of pages that take a token from the fragment of a link, which browsers never send:
// puts it into the form, sends the form, and removes the token from the address.
const form = document.querySelector<HTMLFormElement>('form[data-open]');
const field = form?.querySelector<HTMLInputElement>('input[name="token"]');
const token = location.hash.slice(1);
if (form && field && token !== '') {
  history.replaceState(null, '', location.pathname);
  field.value = token;
  form.submit();
}
