// Preloaded into a process whose clock a test sets wrong (--import): moves `Date`, not the monotonic clock. The shift in
// milliseconds is CLOCK_SHIFT_MS, or what the file CLOCK_SHIFT_FILE says at that moment: then the clock jumps.
import { readFileSync } from 'node:fs';

const { CLOCK_SHIFT_MS = '0', CLOCK_SHIFT_FILE } = process.env;
const LOOKS_EVERY_MS = 50;
let shiftMs = Number(CLOCK_SHIFT_MS);

if (CLOCK_SHIFT_FILE !== undefined) {
  // Not by a signal: it would end a process that has not begun to listen to it.
  const look = () => (shiftMs = Number(readFileSync(CLOCK_SHIFT_FILE, 'utf8')));
  look();
  setInterval(look, LOOKS_EVERY_MS).unref();
}

const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shiftMs);
    else super(...given);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};
