import 'reflect-metadata';
import { processEnvironment, runProcess } from '#libs/config';
import { startStandalone } from './start-standalone.js';

/** `npm start`: everything in one process, Node being all that is needed. */
async function main(): Promise<void> {
  const standalone = await startStandalone(processEnvironment());
  process.stdout.write(
    `\nThe dispatcher listens on ${standalone.url} (documentation: ${standalone.url}/docs); data in ${standalone.folder}\n` +
      (standalone.isNewKey
        ? `Admin API key, shown this once: ${standalone.adminApiKey}\n\n`
        : 'The admin API key was shown at the first start.\n\n'),
  );
  const stop = (signal: string): void => {
    standalone.logger.info({ signal }, 'stopping');
    standalone.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        standalone.logger.error({ fault: String(error) }, 'did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

runProcess(main);
