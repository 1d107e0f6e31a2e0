/** Whether a URL's host is the machine itself, where plain http will do; `hostname` as `URL` has it. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
