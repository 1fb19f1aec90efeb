// The time that the page shows: one clock for animation, plots and readouts.

const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];
/** How long a run should take to watch, in seconds. */
const WATCHED = 6;

export class Player {
  time: number;
  playing = false;
  loop = true;
  readonly speeds = SPEEDS;
  speed: number;
  private readonly timeListeners: (() => void)[] = [];
  private readonly stateListeners: (() => void)[] = [];
  private lastFrame = 0;

  constructor(
    readonly begin: number,
    readonly end: number,
  ) {
    this.time = begin;
    const wanted = this.duration / WATCHED;
    const away = (speed: number) => Math.abs(Math.log(speed / wanted));
    this.speed = wanted > 0 ? SPEEDS.reduce((best, speed) => (away(speed) < away(best) ? speed : best)) : 1;
  }

  get duration(): number {
    return this.end - this.begin;
  }

  /** Calls back now and whenever the time changes. */
  onTime(listener: () => void) {
    this.timeListeners.push(listener);
    listener();
  }

  /** Calls back now and whenever it starts or stops. */
  onState(listener: () => void) {
    this.stateListeners.push(listener);
    listener();
  }

  seek(time: number) {
    this.time = Math.min(Math.max(time, this.begin), this.end);
    for (const listener of this.timeListeners) listener();
  }

  toggle() {
    if (this.playing) return this.stop();
    if (this.duration <= 0) return;
    if (this.time >= this.end) this.seek(this.begin);
    this.playing = true;
    this.lastFrame = performance.now();
    requestAnimationFrame(this.frame);
    for (const listener of this.stateListeners) listener();
  }

  stop() {
    this.playing = false;
    for (const listener of this.stateListeners) listener();
  }

  private frame = (now: number) => {
    if (!this.playing) return;
    const passed = Math.max(now - this.lastFrame, 0) / 1e3;
    this.lastFrame = now;
    const next = this.time + passed * this.speed;
    if (next < this.end) this.seek(next);
    else if (this.loop) this.seek(this.begin + ((next - this.begin) % this.duration));
    else {
      this.seek(this.end);
      return this.stop();
    }
    requestAnimationFrame(this.frame);
  };
}
