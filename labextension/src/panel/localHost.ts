const LOCAL = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/**
 * Whether a page's host is the machine that the page is read on, as far as its name tells.
 */
export function isLocalHost(hostname: string): boolean {
  return LOCAL.test(hostname);
}
