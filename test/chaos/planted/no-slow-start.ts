import { replaceInModule } from '#test/chaos/planted/replace-in-module';

/** Planted fault, loaded before a worker's main file: a session begins with as many requests as its consumer allows. */
replaceInModule('/apps/worker/src/session/slots.js', 'const FIRST_WINDOW = 4', 'const FIRST_WINDOW = 1000');
