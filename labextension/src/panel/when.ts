/** The language of the page, in which JupyterLab writes dates too. */
function language(): string {
  return document.documentElement.lang || 'en';
}

/** The time of something of today, the date of anything else. */
export function dayOrTime(at: string, now: Date): string {
  const date = new Date(at);
  return date.toDateString() === now.toDateString()
    ? date.toLocaleTimeString(language(), { timeStyle: 'short' })
    : day(at);
}

/** The date, short. */
export function day(at: string): string {
  return new Date(at).toLocaleDateString(language(), { dateStyle: 'medium' });
}

/** Date and time in full. */
export function dateAndTime(at: string): string {
  return new Date(at).toLocaleString(language(), {
    dateStyle: 'full',
    timeStyle: 'medium'
  });
}
