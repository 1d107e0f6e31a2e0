// The browser tests look at the console in Chromium; the names are those of test/support/chromium-path.ts.
import { ensureProgram } from './install-debian.mjs';

ensureProgram(
  ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
  'chromium-headless-shell',
);
