import 'reflect-metadata';
import { processEnvironment, runProcess } from '#libs/config';
import { startStandalone } from './start-standalone.js';

/** Starts the api, a worker and PostgreSQL (`npm start`); only Node is needed. */
async function start(): Promise<() => Promise<void>> {
  const standalone = await startStandalone(processEnvironment());
  process.stdout.write(
    `\nThe dispatcher listens on ${standalone.url} (documentation: ${standalone.url}/docs); data in ${standalone.folder}\n` +
      (standalone.isNewKey
        ? `Admin API key, shown this once: ${standalone.adminApiKey}\n\n`
        : 'The admin API key was shown at the first start.\n\n'),
  );
  return () => standalone.stop();
}

runProcess(start);
