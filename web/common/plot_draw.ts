// Lines and marks of a plot on a canvas. A series differs from the next by its colour and by the shape of its marks.
import {isDrawn, type PlotData, type Series} from './plot_data';

const colors = 8; // --series-0 to --series-7 of theme.css

export const colorOf = (series: Series, index: number) => (series.color ?? index) % colors;
export const colorVariable = (index: number) => `var(--series-${index % colors})`;

// Outlines of marks of radius 1 about 0: circle, square, triangle, diamond, cross.
const outlines = [
  'M1 0a1 1 0 1 1-2 0a1 1 0 1 1 2 0z', 'M-.9-.9h1.8v1.8h-1.8z', 'M0-1.2l1.1 2h-2.2z', 'M0-1.3l1.3 1.3l-1.3 1.3l-1.3-1.3z',
  'M-1.1-.4h.7v-.7h.8v.7h.7v.8h-.7v.7h-.8v-.7h-.7z',
];
export const markOutline = (shape: number) => outlines[shape % outlines.length]!;

function markPath(shape: number, x: number, y: number, radius: number): Path2D {
  const path = new Path2D();
  path.addPath(new Path2D(markOutline(shape)), new DOMMatrix([radius, 0, 0, radius, x, y]));
  return path;
}

// All places are in pixels of the canvas, `scale` of them in one of the page.
export interface Pen {
  context: CanvasRenderingContext2D;
  scale: number;
  place: (x: number, y: number) => [number, number];
  color: string;
  ground: string; // behind the plot: the rim of marks
  wider: number; // CSS pixels: more than usual, to be seen below others
}

export function drawLine(pen: Pen, plot: PlotData, series: Series): void {
  const {context, scale} = pen;
  context.beginPath();
  let on = false;
  for (const point of series.points) {
    if (!isDrawn(plot, point)) {
      on = false;
      continue;
    }
    const [x, y] = pen.place(point[0]!, point[1]!);
    if (on) context.lineTo(x, y);
    else context.moveTo(x, y);
    on = true;
  }
  context.strokeStyle = pen.color;
  context.lineWidth = (2 + pen.wider) * scale;
  context.lineJoin = context.lineCap = 'round';
  context.setLineDash(series.dashed ? [6 * scale, 5 * scale] : []);
  context.stroke();
  context.setLineDash([]);
}

// A point alone between gaps has no line: it is marked in any case.
export function isMarked(plot: PlotData, series: Series, k: number): boolean {
  if (!isDrawn(plot, series.points[k]!)) return false;
  const neighbour = (at: number) => series.points[at] !== undefined && isDrawn(plot, series.points[at]!);
  return series.marks || !series.line || (series.strong?.includes(k) ?? false) || !(neighbour(k - 1) || neighbour(k + 1));
}

export function drawMarks(pen: Pen, plot: PlotData, series: Series, shape: number): void {
  const {context, scale} = pen;
  const crowded = series.points.length > 40;
  series.points.forEach((point, k) => {
    if (!isMarked(plot, series, k)) return;
    const strong = series.strong?.includes(k) ?? false;
    const path = markPath(shape, ...pen.place(point[0]!, point[1]!), ((strong ? 7.5 : crowded ? 2.2 : 4) + pen.wider) * scale);
    context.lineWidth = (strong ? 3 : crowded ? 0 : 1.5) * scale;
    context.strokeStyle = pen.ground;
    if (!crowded || strong) context.stroke(path);
    context.fillStyle = pen.color;
    context.fill(path);
  });
}
