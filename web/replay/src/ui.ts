// The controls around the picture: they show the player's state and pass on what the user wants.
import {element, make} from '../../common/dom';
import {count, lengthWithUnit, plain, roundStep} from '../../common/numbers';
import type {Header, View} from './data';
import type {Opening} from './fit';
import {speeds, type Player} from './player';
import type {Stage} from './scene';

const playIcon = 'M8 5.5v13l10.5-6.5z';
const pauseIcon = 'M7 5.5h3.5v13H7zM13.5 5.5H17v13h-3.5z';
const viewNames: Record<View, string> = {iso: 'from a corner', xy: 'along z', xz: 'along y', yz: 'along x'};

// A fault that leaves nothing to show (`banner` false), or one beside what can be shown.
export function notice(title: string, text: string, banner = false): void {
  const box = element('notice');
  box.classList.toggle('banner', banner);
  box.replaceChildren(make('strong', {}, title), text);
  box.hidden = false;
}

// What of the canvas is free: below the title and the legend or, where there is room, beside the legend. The camera takes what
// brings it nearer.
export function openings(): Opening[] {
  const box = element('stage').getBoundingClientRect();
  const legend = element('legend').getBoundingClientRect();
  const title = element('title').getBoundingClientRect();
  const narrow = box.width <= 720;
  const side = narrow ? 24 : 48;
  const free = (top: number, right: number): Opening => ({
    left: 1 - (2 * side) / box.width, right: 1 - (2 * right) / box.width,
    top: 1 - (2 * Math.min(top - box.top + 16, 0.45 * box.height)) / box.height,
    bottom: 1 - (2 * Math.min(56, 0.15 * box.height)) / box.height,
  });
  const below = free(Math.max(title.bottom, legend.bottom), side);
  if (legend.width === 0) return [free(title.bottom, side)]; // a picture alone, coloured by rod
  return narrow ? [below] : [below, free(title.bottom, box.right - legend.left + 16)];
}

export class Ui {
  private readonly play = element<HTMLButtonElement>('play');
  private readonly scrub = element<HTMLInputElement>('scrub');
  private readonly clock = element('clock');
  private readonly speed = element<HTMLSelectElement>('speed');
  private readonly loop = element<HTMLButtonElement>('loop');
  private readonly step: number; // s, between frames: decimals of the clock
  private clockText = '';
  private measured = '';

  constructor(header: Header, private readonly player: Player, segments: number) {
    this.step = player.times.slice(1).reduce((least, time, k) => Math.min(least, time - player.times[k]!), 1);
    document.title = `${header.title} · Writhe`;
    element('title').querySelector('h1')!.textContent = header.title;
    element('numbers').textContent = [
      header.method, count(header.rods.length, 'rod'), count(segments, 'segment'),
      ...(header.links.length > 0 ? [count(header.links.length, 'link')] : []),
      ...(header.obstacles.length > 0 ? [count(header.obstacles.length, 'obstacle')] : []), count(player.frames, 'frame'),
    ].join(' · ');
    element('about-links').hidden = header.links.length === 0;
    element('about-contacts').hidden = header.contact === undefined;
    element('program').textContent = `Written by Writhe ${header.program}.`;
    const bar = element('bar');
    bar.hidden = false;
    if (player.frames === 1) {
      bar.classList.add('still');
      for (const part of [this.play, ...bar.querySelectorAll<HTMLElement>('.time, .run, .rule')]) part.hidden = true;
      bar.setAttribute('aria-label', 'Views');
    }
    this.speed.append(...speeds.map((value) => make('option', {value: String(value)}, `${value}×`)));
    this.scrub.max = String(player.frames - 1);
    this.listen();
    this.state();
    this.time();
  }

  // What a screen reader hears; never once a frame.
  say(text: string): void {
    element('said').textContent = text;
  }

  state(): void {
    const {playing, speed, loop} = this.player;
    this.play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    this.play.title = `${playing ? 'Pause' : 'Play'} (space)`;
    this.play.querySelector('path')!.setAttribute('d', playing ? pauseIcon : playIcon);
    this.speed.value = String(speed);
    this.loop.setAttribute('aria-pressed', String(loop));
    if (!playing) this.describe();
  }

  time(): void {
    const {player, scrub} = this;
    const last = player.frames - 1;
    const at = last > 0 ? (player.frame + player.part) / last : 0;
    scrub.value = String(player.frame);
    scrub.style.setProperty('--done', `${100 * at}%`);
    scrub.style.setProperty('--there', `${last > 0 ? (100 * (player.loaded - 1)) / last : 100}%`);
    const text = player.timed ? this.seconds(player.time) : `${player.frame + 1}`;
    const end = player.timed ? `${this.seconds(player.times[last]!)} s` : `${player.frames}`;
    if (text !== this.clockText) {
      this.clockText = text;
      this.clock.replaceChildren(make('b', {}, text), make('span', {className: 'muted'}, ` / ${end}`));
      this.clock.style.minWidth = `${text.length + end.length + 3}ch`;
    }
    if (!player.playing) this.describe();
  }

  loading(part: number | null): void {
    const base = element('numbers').textContent!.split(' · reading')[0]!;
    element('numbers').textContent = part === null ? base : `${base} · reading ${Math.round(100 * part)}%`;
  }

  // Scale bar and axes, for where the camera now is.
  measure(stage: Stage): void {
    const key = `${innerWidth} ${stage.metresPerPixel()} ${stage.axes().join()}`;
    if (key === this.measured) return;
    this.measured = key;
    element('measure').hidden = false;
    const most = innerWidth <= 720 ? 70 : 120; // px
    const length = roundStep(most * stage.metresPerPixel());
    element('length').textContent = lengthWithUnit(length);
    element('ruler').title = `Cells of the floor: ${lengthWithUnit(stage.cell)}`;
    element('ruler').querySelector('div')!.style.width = `${length / stage.metresPerPixel()}px`;
    const axes = stage.axes().map(([x, y, z], k) => ({x: 22 * x, y: -22 * y, z, name: 'xyz'[k]!}));
    axes.sort((a, b) => a.z - b.z);
    element('axes').innerHTML = axes.map(({x, y, name}) => {
      const [tx, ty] = [x, y].map((value) => value * 1.38);
      const seen = Math.hypot(x, y) > 4; // an axis that points at the eye has no name
      return `<g class="${name}"><line x2="${x.toFixed(1)}" y2="${y.toFixed(1)}"/>` +
             (seen ? `<text x="${tx!.toFixed(1)}" y="${ty!.toFixed(1)}">${name}</text>` : '') + '</g>';
    }).join('');
  }

  viewed(view: View | null): void {
    this.say(view ? `View ${viewNames[view]}` : 'The whole motion');
  }

  private seconds(time: number): string {
    return plain(time, this.step);
  }

  private describe(): void {
    const {player, scrub} = this;
    const frame = `frame ${player.frame + 1} of ${player.frames}`;
    scrub.setAttribute('aria-valuetext', player.timed ? `${this.seconds(player.time)} s, ${frame}` : frame);
  }

  private listen(): void {
    const {player, scrub} = this;
    this.play.addEventListener('click', () => (player.playing ? player.pause() : player.play()));
    scrub.addEventListener('input', () => {
      const wanted = Number(scrub.value);
      player.pause();
      player.seek(wanted);
    });
    this.speed.addEventListener('change', () => player.set(() => (player.speed = Number(this.speed.value))));
    this.loop.addEventListener('click', () => player.set(() => (player.loop = !player.loop)));
    const step = (frames: number) => () => {
      player.pause();
      player.seek(player.frame + frames);
    };
    element('back').addEventListener('click', step(-1));
    element('on').addEventListener('click', step(1));
    // After a click the keys are the page's again: space plays, and does not press the last button once more.
    let pointer = false;
    document.addEventListener('pointerdown', () => (pointer = true), true);
    document.addEventListener('keydown', () => (pointer = false), true);
    const release = (event: Event) => {
      if (pointer && event.target instanceof HTMLElement && event.target.closest('button, select, input') &&
          !event.target.closest('dialog')) {
        (document.activeElement as HTMLElement | null)?.blur();
      }
    };
    document.addEventListener('click', (event) => (event.target instanceof HTMLSelectElement ? undefined : release(event)));
    document.addEventListener('change', release);
  }
}
