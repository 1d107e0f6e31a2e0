// The browser tests open the console in Chromium; test/support/chromium-path.ts has the same names.
import { ensureProgram } from './install-debian.mjs';

ensureProgram(
  ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
  'chromium-headless-shell',
);
