import { sep } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Long files that mostly wait, and long files that mostly compute: in turn, so that neither stand in a row. */
const IN_TURN = ['e2e', 'browser'];
/** Then, the longest first; what is in none of these takes a second or two. */
const AFTERWARDS = ['integration', 'api'];

/**
 * The order of the files where Jest has no times of an earlier run, as in every fresh clone. It would go by the files'
 * sizes, and the run would end with two idle workers beside a third that waits a minute for a lease to run out.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rest = new Set(super.sort(tests));
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
