/** Whether a URL's host is this machine, for which http is permitted; `hostname` as in `URL`. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
