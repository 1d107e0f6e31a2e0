// Preloaded into a process whose clock a test sets wrong (NODE_OPTIONS=--import): moves `Date`, not the monotonic clock.
const shiftMs = Number(process.env['CLOCK_SHIFT_MS']);
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
