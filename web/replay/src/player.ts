// Which instant is shown, and how it moves on. No page in here.

export const speeds = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]; // seconds of the run in a second

export class Player {
  readonly times: number[]; // s, rising
  readonly timed: boolean; // false: the frames have no useful times (a path of equilibria), and play at 30 a second
  loaded = 1; // frames there are
  playing = false;
  loop = true;
  speed: number;
  onChange = (_what: 'time' | 'state') => {};
  private now = 0; // s

  constructor(times: number[]) {
    this.timed = times.every((time, k) => k === 0 || time > times[k - 1]!);
    this.times = this.timed ? times : times.map((_, k) => k / 30);
    this.now = this.times[0]!;
    this.speed = this.fittingSpeed();
  }

  get frames(): number {
    return this.times.length;
  }

  // The last stored frame that is not after the shown instant, and how much of the way to the next one has passed.
  get frame(): number {
    let [low, high] = [0, this.loaded - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle]! <= this.now) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  get part(): number {
    const frame = this.frame;
    if (frame + 1 >= this.loaded) return 0;
    const [a, b] = [this.times[frame]!, this.times[frame + 1]!];
    return Math.min(Math.max((this.now - a) / (b - a), 0), 1);
  }

  get time(): number {
    return Math.min(this.now, this.times[this.loaded - 1]!);
  }

  // A stored frame; one that is not there (yet) gives the nearest one that is.
  seek(frame: number): void {
    const index = Math.min(Math.max(Math.round(Number.isNaN(frame) ? 0 : frame), 0), this.loaded - 1);
    this.now = this.times[index]!;
    this.onChange('time');
  }

  play(): void {
    if (this.frames < 2) return;
    if (this.atEnd() && this.loaded === this.frames) this.now = this.times[0]!;
    this.set(() => (this.playing = true));
  }

  pause(): void {
    this.set(() => (this.playing = false));
  }

  set(change: () => void): void {
    change();
    this.onChange('state');
  }

  faster(steps: number): void {
    const index = speeds.indexOf(this.speed);
    this.set(() => (this.speed = speeds[Math.min(Math.max(index + steps, 0), speeds.length - 1)]!));
  }

  // `seconds` of real time have passed.
  advance(seconds: number): void {
    if (!this.playing) return;
    const end = this.times[this.loaded - 1]!;
    const complete = this.loaded === this.frames;
    this.now += seconds * this.speed;
    if (this.now >= end && !complete) this.now = end; // waits for the rest
    else if (this.now >= end && this.loop) this.now = this.wrapped(end);
    else if (this.now >= end) {
      this.now = end;
      this.pause();
    }
    this.onChange('time');
  }

  private atEnd(): boolean {
    return this.now >= this.times[this.loaded - 1]!;
  }

  // The last frame stays for a moment before the first one follows: a jump without one looks like a fault.
  private wrapped(end: number): number {
    const start = this.times[0]!;
    const pause = 0.4 * this.speed;
    const over = this.now - end;
    return over < pause ? this.now : start + ((over - pause) % Math.max(end - start, 1e-9));
  }

  // Real time, unless that is over in a moment or lasts for minutes.
  private fittingSpeed(): number {
    const duration = this.times.at(-1)! - this.times[0]!;
    if (duration === 0 || (duration >= 1 && duration <= 60)) return 1;
    const wanted = duration < 1 ? duration / 2 : duration / 30;
    return speeds.reduce(
        (best, speed) => (Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(best / wanted)) ? speed : best), 1);
  }
}
