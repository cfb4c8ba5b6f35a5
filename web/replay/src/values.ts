// The values at a place of a rod, in a box beside it: under the mouse, and where a click, a tap or a key has put it. That place
// keeps to the material while the run plays.
import {element, make} from '../../common/dom';
import {exponentOf, plain, withExponent} from '../../common/numbers';
import {chains} from './curve';
import type {Field, Run} from './data';
import {contactAt, curveOf, fractionOf, pick, spotAt, valueAt, type Instant, type Spot} from './pick';
import type {Stage} from './scene';

const near = {mouse: 8, finger: 22}; // CSS pixels beside a rod that still mean it
const still = 6; // CSS pixels that a hand moves in a click

// As exact as the page knows it: a 255th of the range of the field.
export function written(field: Field, value: number): string {
  const exponent = exponentOf(Math.max(Math.abs(field.low), Math.abs(field.high)));
  const scaled = value / 10 ** exponent;
  const step = (field.high - field.low) / 255 / 10 ** exponent;
  const number = step > 0 ? plain(scaled, step) : String(Number(scaled.toPrecision(3))).replace('-', '−');
  return `${number} ${exponent === 0 ? '' : '× '}${withExponent(field.unit, exponent)}`.trim();
}

interface Surroundings {
  changed(): void; // a picture is due
  say(text: string): void;
}

type Point = {x: number; y: number};

export class Values {
  private readonly box = element('values');
  private readonly mark = element('mark');
  private readonly chain: Int32Array;
  private readonly firstRow: number[] = []; // segment of all, of each rod
  private pointer: Point | null = null; // of a mouse over the picture
  private readonly pressed = new Map<number, Point>(); // where buttons and fingers went down, by pointer
  private dragging = false; // from when one of them moves, or a second comes, until all are up
  private kept: {rod: number; fraction: number} | null = null;
  private instant: Instant = {frame: 0, part: 0};
  private shown = '';

  constructor(
      private readonly run: Run, canvas: HTMLElement, private readonly stage: Stage, private readonly page: Surroundings) {
    this.chain = chains(run);
    run.header.rods.reduce((row, rod, r) => ((this.firstRow[r] = row), row + rod.nodes - 1), 0);
    canvas.addEventListener('pointerdown', (event) => {
      this.dragging ||= this.pressed.size > 0;
      this.pressed.set(event.pointerId, {x: event.clientX, y: event.clientY});
    });
    canvas.addEventListener('pointermove', (event) => this.moved(event));
    canvas.addEventListener('pointerup', (event) => this.released(event));
    for (const name of ['pointercancel', 'pointerleave'] as const) {
      canvas.addEventListener(name, (event) => {
        if (name === 'pointercancel') this.up(event);
        this.pointer = null;
        page.changed();
      });
    }
  }

  // After every picture: the rod may have moved, and the camera.
  update({frame, part}: Instant): void {
    this.instant = {frame, part};
    const spot = this.wanted();
    this.box.hidden = this.mark.hidden = spot === null;
    if (!spot) return;
    this.write(spot);
    this.put(spot);
  }

  toggle(): void {
    if (this.kept) this.release();
    else this.keep(0, 0.5);
  }

  release(): void {
    this.kept = null;
    this.page.changed();
  }

  slide(by: number): void {
    const {rod, fraction} = this.kept ?? {rod: 0, fraction: 0.5};
    this.keep(rod, Math.min(Math.max(Math.round((fraction + by) * 1e6) / 1e6, 0), 1));
  }

  change(by: number): void {
    const rods = this.run.header.rods.length;
    this.keep(this.kept ? (this.kept.rod + by + rods) % rods : 0, this.kept?.fraction ?? 0.5);
  }

  private keep(rod: number, fraction: number): void {
    if (this.run.loaded === 0) return;
    this.kept = {rod, fraction};
    const spot = spotAt(this.run, rod, fraction);
    this.page.say(`${this.nameOf(spot)}, ${this.placeOf(spot)}: ${this.lines(spot).map((line) => line.join(' ')).join(', ')}`);
    this.page.changed();
  }

  private moved(event: PointerEvent): void {
    const from = this.pressed.get(event.pointerId);
    if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > still) this.dragging = true;
    this.pointer = event.pointerType === 'touch' || event.buttons !== 0 ? null : {x: event.clientX, y: event.clientY};
    this.page.changed();
  }

  private up({pointerId}: PointerEvent): void {
    this.pressed.delete(pointerId);
    if (this.pressed.size === 0) this.dragging = false;
  }

  private released(event: PointerEvent): void {
    const tapped = this.pressed.has(event.pointerId) && !this.dragging && event.button === 0;
    this.up(event);
    if (!tapped) return this.page.changed();
    const finger = event.pointerType === 'touch';
    const spot = this.under({x: event.clientX, y: event.clientY}, finger ? near.finger : near.mouse);
    if (spot) this.keep(spot.rod, fractionOf(this.run, spot));
    else this.release();
  }

  // While the camera is turned, nothing: the rods move under the mouse, not the mouse over the rods.
  private wanted(): Spot | null {
    if (this.dragging) return null;
    const pointed = this.pointer && this.under(this.pointer, near.mouse);
    return pointed ?? (this.kept && spotAt(this.run, this.kept.rod, this.kept.fraction));
  }

  private under(point: Point, reach: number): Spot | null {
    return this.run.loaded > 0 ? pick(this.run, this.chain, this.instant, this.stage.projector(), point, reach) : null;
  }

  private nameOf(spot: Spot): string {
    return this.run.header.rods[spot.rod]!.name;
  }

  private placeOf(spot: Spot): string {
    return `at ${(100 * fractionOf(this.run, spot)).toFixed(1)}% of its length`;
  }

  private lines(spot: Spot): [string, string][] {
    const {fields, contact} = this.run.header;
    const lines = fields.map(
        (field, f) => [field.name, written(field, valueAt(this.run, f, spot, this.instant))] as [string, string]);
    if (contact) {
      const field = {name: 'contact', unit: contact.unit, low: 0, high: 2 * contact.usual};
      lines.push([field.name, written(field, contactAt(this.run, spot, this.instant))]);
    }
    return lines;
  }

  private write(spot: Spot): void {
    const lines = this.lines(spot);
    const text = [spot.rod, this.placeOf(spot), ...lines].join();
    if (text === this.shown) return;
    this.shown = text;
    this.box.querySelector<HTMLElement>('.swatch')!.style.background = this.run.header.rods[spot.rod]!.color;
    this.box.querySelector('b')!.textContent = this.nameOf(spot);
    this.box.querySelector('.muted')!.textContent = this.placeOf(spot);
    const list = this.box.querySelector('dl')!;
    list.replaceChildren(...lines.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
  }

  // Beside the place, on the side where there is room.
  private put(spot: Spot): void {
    const curve = curveOf(this.run, this.chain, this.firstRow[spot.rod]! + spot.segment, this.instant);
    const at = this.stage.projector()(curve(spot.t));
    const room = element('stage').getBoundingClientRect();
    const [x, y] = [at.x - room.left, at.y - room.top];
    const inside = x >= 0 && x <= room.width && y >= 0 && y <= room.height && at.perMetre > 0;
    this.mark.hidden = !inside;
    this.mark.style.transform = `translate(${x}px, ${y}px)`;
    const {offsetWidth: width, offsetHeight: height} = this.box;
    const left = x + 16 + width > room.width - 8 ? x - 16 - width : x + 16;
    const top = y + 16 + height > room.height - 8 ? y - 16 - height : y + 16;
    const within = (value: number, most: number) => Math.round(Math.min(Math.max(value, 8), Math.max(most - 8, 8)));
    this.box.style.transform = `translate(${within(left, room.width - width)}px, ${within(top, room.height - height)}px)`;
  }
}
