export const texts = {
  title: 'Unsubscribe from report',
  question: 'Stop sending these reports to this email address?',
  button: 'Unsubscribe',
  doneTitle: 'Unsubscribed',
  done: 'This email address no longer receives these reports.',
  toStart: 'Go to start page',
};
