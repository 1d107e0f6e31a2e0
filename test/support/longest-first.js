import { sep } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Long files that mostly wait, and long files that mostly compute: in turn, so that neither stand in a row. */
const IN_TURN = ['e2e', 'browser'];
/** Then these; what is in none of them takes a second or two. */
const AFTERWARDS = ['integration', 'api'];

/**
 * Short files last. Jest itself goes by the times of earlier runs, and in a fresh clone by the files' sizes: the run would
 * end with two idle workers beside a third that waits a minute for a lease to run out.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rest = new Set(tests);
    const take = (folder) => {
      const taken = [...rest].filter(({ path }) => path.includes(`${sep}test${sep}${folder}${sep}`));
      for (const test of taken) rest.delete(test);
      return taken;
    };
    const [waiting, computing] = IN_TURN.map(take);
    const long = waiting.flatMap((test, index) => [test, ...computing.slice(index, index + 1)]);
    return [...long, ...computing.slice(waiting.length), ...AFTERWARDS.flatMap(take), ...rest];
  }
}
