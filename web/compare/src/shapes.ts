// The shapes over each other: the reference on top, each method in its colour, at a time, from a side, with distances enlarged.
import {element, make, makeSvg} from '../../common/dom';
import {lengthWithUnit, plain, roundStep} from '../../common/numbers';
import {colorVariable} from '../../common/plot_draw';
import {views, type Comparison, type Shapes, type View} from './data';
import {boxOf, deviation, fit, magnified, project, type Fit, type Flat} from './projection';

const factors = [1, 10, 100];
const viewNames: Record<View, string> = {xz: 'xz', xy: 'xy', yz: 'yz', iso: 'Iso'};

function pathOf(points: Flat[], closed: boolean): string {
  let [text, on] = ['', false];
  for (const point of points) {
    text += point ? `${on ? 'L' : 'M'}${point[0].toFixed(2)} ${point[1].toFixed(2)}` : '';
    on = point !== null;
  }
  return closed && points.every(Boolean) ? `${text}Z` : text;
}

const line = (stroke: string, width: number) => makeSvg('svg', {viewBox: '0 0 28 14', class: 'line', 'aria-hidden': 'true'},
                                                        makeSvg('path', {d: 'M2 7h24', stroke, 'stroke-width': width}));

export const distanceText = (metres: number | null) =>
    metres === null ? 'not there' : metres < 1e-9 ? 'less than 1 nm away' : `${lengthWithUnit(metres)} away`;

export class ShapeView {
  time: number;
  view: View;
  factor = 1;
  private readonly names: string[];
  private readonly hidden = new Set<string>();
  private readonly drawing = makeSvg('svg', {role: 'img', class: 'shapes'});
  private readonly slider = make('input', {type: 'range', min: '0', step: '1'});
  private readonly clock = make('output', {});
  private readonly play = make('button', {type: 'button', className: 'main'}, 'Play');
  private readonly away = new Map<string, HTMLElement>();
  private readonly ruler = make('div', {className: 'ruler'}, make('span', {}), make('div', {}));
  private fitted: Fit | null = null;
  private timer = 0;

  constructor(private readonly shapes: Shapes, comparison: Comparison) {
    this.view = shapes.view;
    this.time = shapes.times.length - 1;
    this.names = comparison.methods.map(({name}) => name).filter((name) => shapes.methods.has(name));
    const box = element('shapes');
    const legend = make(
        'ul', {className: 'keys'}, this.referenceKey(),
        ...this.names.map((name) => this.key(name, comparison.methods.findIndex((one) => one.name === name))));
    const frame = make('div', {className: 'frame'}, this.drawing, this.ruler);
    box.append(
        make(
            'div', {className: 'controls'},
            this.choices('View', views.map((view) => [view, viewNames[view]]), () => this.view, (view) => (this.view = view)),
            this.choices(
                'Differences', factors.map((factor) => [String(factor), `×${factor}`]), () => String(this.factor),
                (factor) => (this.factor = Number(factor)))),
        frame, this.timeBar(), legend);
    this.indexOf = (name) => comparison.methods.findIndex((one) => one.name === name);
    new ResizeObserver(() => this.refit()).observe(frame);
    this.refit();
  }

  private readonly indexOf: (name: string) => number;

  // Where a node is drawn in the window (CSS pixels); of the reference without a name.
  place(name: string | null, rod: number, node: number): {x: number; y: number} {
    const at = this.flat(name, rod)[node]!;
    const {left, top} = this.drawing.getBoundingClientRect();
    return {x: left + at[0], y: top + at[1]};
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, 0), this.shapes.times.length - 1);
    this.draw();
  }

  private flat(name: string | null, rod: number): Flat[] {
    const reference = this.shapes.reference[this.time]![rod] ?? [];
    const nodes =
        name === null ? reference : magnified(this.shapes.methods.get(name)![this.time]?.[rod] ?? [], reference, this.factor);
    return nodes.map((node) => {
      const at = project(node, this.view);
      return at && this.fitted!.at(at);
    });
  }

  private refit(): void {
    const width = this.drawing.parentElement!.clientWidth;
    if (width === 0) return;
    const shown = this.names.filter((name) => !this.hidden.has(name));
    this.fitted = fit(boxOf(this.shapes, shown, this.view, this.factor), width);
    this.drawing.setAttribute('viewBox', `0 0 ${width} ${this.fitted.height}`);
    this.drawing.style.height = `${this.fitted.height}px`;
    this.draw();
  }

  private draw(): void {
    if (!this.fitted) return;
    const {shapes, time} = this;
    const paths: SVGElement[] = [];
    const draw = (name: string | null, className: string, style: string) => shapes.rods.forEach((rod, r) => {
      const d = pathOf(this.flat(name, r), rod.closed);
      if (d) paths.push(makeSvg('path', {d, class: className, style}));
    });
    for (const name of this.names) {
      if (!this.hidden.has(name))
        draw(name, 'method', `stroke: ${colorVariable(this.indexOf(name))}; stroke-width: ${this.width(name)}`);
      this.away.get(name)!.textContent = distanceText(deviation(shapes.methods.get(name)!, shapes.reference, time));
    }
    draw(null, 'reference', '');
    this.drawing.replaceChildren(...paths, this.axes(), ...this.enlarged());
    const rest = shapes.times[time] === Infinity;
    const clock = rest ? 'rest' : `${plain(shapes.times[time]!, this.step())} s`;
    this.drawing.setAttribute(
        'aria-label', `Shapes at ${clock}, seen ${viewNames[this.view]}, distances from the reference times ${this.factor}`);
    this.clock.textContent = rest ? 'At rest' : `t = ${clock}`;
    this.slider.value = String(time);
    this.slider.style.setProperty('--done', `${(100 * time) / Math.max(shapes.times.length - 1, 1)}%`);
    this.slider.setAttribute('aria-valuetext', clock);
    const metres = roundStep(120 / this.fitted.scale);
    this.ruler.firstElementChild!.textContent = lengthWithUnit(metres);
    (this.ruler.lastElementChild as HTMLElement).style.width = `${metres * this.fitted.scale}px`;
  }

  // Which way the axes point, in the lower right corner; one that points at the eye has no length and no name.
  private axes(): SVGElement {
    const length = 26; // pixels
    const group =
        makeSvg('g', {class: 'axes', transform: `translate(${this.drawing.clientWidth - 52} ${this.fitted!.height - 36})`});
    (['x', 'y', 'z'] as const).forEach((name, c) => {
      const [right, up] = project([0, 1, 2].map((k) => (k === c ? length : 0)), this.view)!;
      if (Math.hypot(right, up) < 1) return;
      group.append(makeSvg('path', {d: `M0 0L${right.toFixed(1)} ${(-up).toFixed(1)}`}),
                   makeSvg('text', {x: (1.4 * right).toFixed(1), y: (-1.4 * up).toFixed(1)}, name));
    });
    return group;
  }

  private enlarged(): SVGElement[] {
    return this.factor === 1 ?
        [] :
        [makeSvg('text', {class: 'enlarged', x: 14, y: 22}, `distances from the reference ×${this.factor}`)];
  }

  // Pixels. Those below are wider, so that shapes that coincide are all seen.
  private width(name: string): number {
    return 3 + 2 * Math.min(this.names.length - 1 - this.names.indexOf(name), 4);
  }

  // Smallest distance of two times, for the decimals of the clock.
  private step(): number {
    const {times} = this.shapes;
    const steps = times.slice(1).map((time, k) => time - times[k]!).filter((step) => step > 0);
    return Math.min(...steps, 1);
  }

  private choices<T extends string>(label: string, values: [T, string][], now: () => T, set: (value: T) => void): HTMLElement {
    const group = make('div', {className: 'choices'}, make('span', {className: 'muted'}, label));
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', label);
    const buttons = values.map(([value, text]) => {
      const button = make('button', {type: 'button'}, text);
      button.addEventListener('click', () => {
        set(value);
        mark();
        this.refit();
      });
      return {value, button};
    });
    const mark = () => buttons.forEach(({value, button}) => button.setAttribute('aria-pressed', String(value === now())));
    mark();
    group.append(...buttons.map(({button}) => button));
    return group;
  }

  private timeBar(): HTMLElement {
    const last = this.shapes.times.length - 1;
    this.slider.max = String(last);
    this.slider.setAttribute('aria-label', 'Time');
    this.slider.addEventListener('input', () => {
      this.stop();
      this.seek(Number(this.slider.value));
    });
    this.play.addEventListener('click', () => (this.timer ? this.stop() : this.start()));
    const bar = make('div', {className: 'time'}, ...(last > 0 ? [this.play, this.slider] : []), this.clock);
    return bar;
  }

  // The whole motion in about four seconds, however many shapes it has.
  private start(): void {
    const {length} = this.shapes.times;
    if (this.time === length - 1) this.seek(0);
    this.play.textContent = 'Stop';
    this.timer = setInterval(() => {
      this.seek(this.time + 1);
      if (this.time === length - 1) this.stop();
    }, Math.max(4000 / length, 33)) as unknown as number;
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = 0;
    this.play.textContent = 'Play';
  }

  private referenceKey(): HTMLElement {
    return make('li', {}, make('span', {className: 'entry'}, line('var(--ink)', 1.25), 'reference'));
  }

  private key(name: string, index: number): HTMLElement {
    const away = make('span', {className: 'muted'});
    this.away.set(name, away);
    const button = make(
        'button', {type: 'button', title: 'Show or hide'}, line(colorVariable(index), this.width(name)), make('span', {}, name),
        away);
    button.setAttribute('aria-pressed', 'true');
    button.addEventListener('click', () => {
      const shown = this.hidden.delete(name) || !this.hidden.add(name);
      button.setAttribute('aria-pressed', String(shown));
      this.refit();
    });
    return make('li', {}, button);
  }
}
