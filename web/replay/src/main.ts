import '../../common/theme.css';
import './replay.css';
import {element} from '../../common/dom';
import {count} from '../../common/numbers';
import {Themes} from '../../common/theme';
import {actions, type Commands} from './actions';
import {wishIn} from './address';
import {DataError, decode, readHeader, Run, type View} from './data';
import type {Triple} from './fit';
import {Keys} from './keys';
import {Legend} from './legend';
import {Player} from './player';
import {Stage} from './scene';
import {notice, openings, Ui} from './ui';
import {Values} from './values';

const themes = new Themes(element<HTMLButtonElement>('theme'));
const wish = wishIn(location.hash);
const calm = wish.still || matchMedia('(prefers-reduced-motion: reduce)').matches;
document.body.classList.toggle('still', wish.still);
if (wish.theme) themes.choose(wish.theme);

class Replay implements Commands {
  error: string | null = null;
  ready: Promise<void>;
  private readonly player: Player;
  private readonly stage: Stage;
  private readonly ui: Ui;
  private readonly legend: Legend;
  private readonly values: Values;
  private colored = 'rod';
  private waiting = false;
  private before = 0; // ms, when the last picture was drawn

  constructor(private readonly run: Run) {
    this.player = new Player(run.header.times);
    this.stage = new Stage(element<HTMLCanvasElement>('view'), run, openings);
    this.legend = new Legend(run.header, {
      color: (name) => this.setColor(name), look: () => this.nextLook(), contacts: () => this.toggleContacts(),
    });
    this.ui = new Ui(run.header, this.player, this.stage.tubes.segments);
    this.values = new Values(run, element('view'), this.stage, {changed: () => this.request(), say: (text) => this.ui.say(text)});
    this.describeCanvas();
    this.connect();
    this.showColor();
    this.ready = this.load();
  }

  get frames() { return this.player.frames; }
  get frame() { return this.player.frame; }
  get time() { return this.player.time; }
  get playing() { return this.player.playing; }
  get speed() { return this.player.speed; }
  get loop() { return this.player.loop; }
  get color() { return this.colored; }
  get theme() { return themes.theme; }
  seek(frame: number) { this.player.seek(frame); this.drawNow(); }
  play() { this.player.play(); }
  pause() { this.player.pause(); }
  project(at: number | Triple) { return this.stage.project(typeof at === 'number' ? this.position(at) : at); } // a node, or m
  position(node: number) { return this.run.position(node, this.player.frame, this.player.part); }
  stats() { return this.stage.stats(); }
  background() { return this.stage.backgroundColor(); }

  setColor(name: string): void {
    this.colored = this.run.header.fields.some((field) => field.name === name) ? name : 'rod';
    this.showColor();
    this.ui.say(`Colour: ${this.colored}`);
  }

  private showColor(): void {
    const field = this.run.header.fields.findIndex((field) => field.name === this.colored);
    const span: [number, number] = field >= 0 && this.run.loaded === this.run.frames ? this.run.span(field) : [0, 255];
    this.stage.tubes.colorBy(field, span);
    this.legend.show(this.colored, span);
    this.request();
  }

  // Blocks come one after the other; the first one is enough for a picture, and playing waits for what is not there yet.
  private async load(): Promise<void> {
    const {run, player} = this;
    const data = document.getElementById('writhe-data');
    try {
      await decode(run, data?.textContent ?? '', () => {
        const first = player.loaded !== run.loaded && run.loaded === run.header.blocks[0]!.frames;
        player.loaded = run.loaded;
        this.ui.loading(run.loaded < run.frames ? run.loaded / run.frames : null);
        this.ui.time();
        if (first) this.begin();
      }, () => new Promise((resolve) => setTimeout(resolve)));
    } catch (error) {
      this.fail(error);
      if (run.loaded === 0) return;
    }
    data?.remove(); // the text is as large as the file
    const color = wish.color ?? run.header.color;
    if (color) this.setColor(color);
    this.showColor();
    if (!wish.contacts && this.stage.contacts.any) this.toggleContacts();
    if (!this.stage.touched) this.stage.fit(false, wish.view ?? undefined);
    if (wish.frame !== null) this.player.seek(wish.frame < 0 ? this.frames + wish.frame : wish.frame);
    this.drawNow();
  }

  private begin(): void {
    this.stage.resize();
    this.request();
    if (this.frames > 1 && !calm && wish.frame === null) this.player.play();
  }

  private fail(error: unknown): void {
    this.error = error instanceof DataError ? error.message : `The run in this page cannot be shown: ${String(error)}`;
    this.player.pause();
    this.ui.loading(null);
    if (this.run.loaded > 0) notice(`Only ${count(this.run.loaded, 'frame')} of ${this.frames} can be shown`, this.error, true);
    else fatal(this.error);
  }

  private describeCanvas(): void {
    const {header} = this.run;
    const names = header.rods.length <= 5 ? ` (${header.rods.map((rod) => rod.name).join(', ')})` : '';
    const links = header.links.length > 0 ? ` and ${count(header.links.length, 'link')}` : '';
    const stands = header.obstacles.length > 0 ? ` among ${count(header.obstacles.length, 'obstacle')}` : '';
    const rods = `${count(header.rods.length, 'rod')}${names}${links}${stands} in three dimensions`;
    const words = `${header.title}: ${rods}, ${count(this.frames, 'frame')}, simulated by ${header.method}`;
    element('view').setAttribute('aria-label', words);
  }

  private connect(): void {
    const {player, stage, ui} = this;
    player.onChange = (what) => {
      if (what === 'state') {
        ui.state();
        this.before = performance.now();
      }
      ui.time();
      this.request();
    };
    const paint = () => {
      const background = [...getComputedStyle(document.body).backgroundColor.matchAll(/\d+/g)].slice(0, 3).map(Number);
      stage.theme({background: background as [number, number, number], dark: themes.theme === 'dark'});
      this.request();
    };
    themes.onChange = paint;
    paint();
    stage.onMove = () => this.request();
    element('view').addEventListener('webglcontextrestored', () => this.request());
    new ResizeObserver(() => {
      stage.resize();
      this.drawNow();
    }).observe(element('view'));
    document.addEventListener('visibilitychange', () => (this.before = performance.now()));
    for (const view of ['iso', 'xy', 'xz', 'yz'] as const) element(view).addEventListener('click', () => this.look(view));
    element('fit').addEventListener('click', () => this.look());
    new Keys(actions(this, player, stage, this.values, themes));
  }

  look(view?: View): void {
    this.stage.fit(!calm, view);
    this.ui.viewed(view ?? null);
  }

  step(frames: number): void {
    this.player.pause();
    this.player.seek(this.player.frame + frames);
    this.ui.say(`Frame ${this.player.frame + 1}`);
  }

  say(text: string): void {
    this.ui.say(text);
  }

  nextColor(): void {
    const names = ['rod', ...this.run.header.fields.map((field) => field.name)];
    this.setColor(names[(names.indexOf(this.colored) + 1) % names.length]!);
  }

  nextLook(): void {
    const look = this.stage.obstacles.next();
    this.legend.look(look);
    this.ui.say(`Obstacles: ${look}`);
    this.request();
  }

  toggleContacts(): void {
    const shown = this.stage.contacts.toggle();
    this.legend.contacts(shown);
    this.ui.say(`Forces of contact: ${shown ? 'shown' : 'hidden'}`);
    if (this.run.loaded > 0) this.drawNow();
  }

  // One picture a display frame, and only while something moves.
  private request(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame((now) => {
      this.waiting = false;
      if (this.player.playing) this.player.advance(Math.min(Math.max(now - this.before, 0), 250) / 1000);
      this.before = now;
      if (this.draw(now) || this.player.playing) this.request();
    });
  }

  private drawNow(): void {
    this.draw(performance.now());
  }

  private draw(now: number): boolean {
    if (this.run.loaded === 0) return false;
    this.stage.show(this.player.frame, this.player.part);
    const more = this.stage.draw(now);
    this.ui.measure(this.stage);
    this.values.update(this.player);
    return more;
  }
}

function fatal(text: string, title = 'This run cannot be shown'): void {
  notice(title, text);
  for (const id of ['view', 'bar', 'legend', 'measure']) element(id).hidden = true;
}

declare global {
  interface Window {
    writheReplay?: Replay | {ready: Promise<void>; error: string};
  }
}

const emptyPage = 'This page plays a run of Writhe, but it holds none.';
const noWebGl = 'This page draws with WebGL 2, which this browser does not offer or has switched off.';

function start(): void {
  const header = document.getElementById('writhe-run');
  const nothing = (title: string, error: string) => {
    fatal(error, title);
    window.writheReplay = {ready: Promise.resolve(), error};
  };
  if (!header) return nothing('No run in here', `${emptyPage} Make one with: writhe run SCENE --html FILE`);
  try {
    const run = new Run(readHeader(header.textContent ?? ''));
    window.writheReplay = new Replay(run);
  } catch (error) {
    if (error instanceof DataError) nothing('This run cannot be shown', error.message);
    else if (error instanceof Error && error.message === 'no WebGL 2') {
      nothing('No 3D graphics', `${noWebGl} Open it in a current browser with graphics acceleration.`);
    } else {
      nothing('This run cannot be shown', `Something unforeseen went wrong: ${String(error)}`);
    }
  }
}

start();
