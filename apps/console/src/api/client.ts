import { createClient } from '#libs/client';

/** The api that served this page; the browser adds the session. */
export const api = createClient({ baseUrl: window.location.origin });
