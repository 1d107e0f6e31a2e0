// The browser tests look at the console in Chromium; the names are those that test/support/browser-session.ts looks for.
import { ensureProgram } from './install-debian.mjs';

ensureProgram(['chromium', 'chromium-browser', 'google-chrome'], 'chromium');
