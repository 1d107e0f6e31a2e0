// The browser tests need Chromium, under one of the names in test/support/chromium-path.ts.
import { ensureProgram } from './install-debian.mjs';

ensureProgram(['chromium', 'chromium-browser', 'google-chrome'], 'chromium');
