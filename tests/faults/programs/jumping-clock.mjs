// Loaded into every Node process of a scenario (NODE_OPTIONS): the calendar's clock is ahead by what the file says, in
// milliseconds, and follows it when it changes. Timers go on as they do when a real clock is set.
import { readFileSync } from 'node:fs';

const file = process.env.FAULTS_CLOCK ?? '';
const RealDate = globalThis.Date;
const realNow = RealDate.now.bind(RealDate);
let aheadMs = 0;
const read = () => {
  try {
    aheadMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    // There is no file yet: the clock is right.
  }
};
read();
setInterval(read, 50).unref();

globalThis.Date = class JumpingDate extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [realNow() + aheadMs] : args));
  }
  static now() {
    return realNow() + aheadMs;
  }
};
