// Made-up runs, whose every number is a formula: what a page shows can be compared with what it should show.

const fields = [
  {name: 'tension', unit: 'N'}, {name: 'curvature', unit: '1/m'}, {name: 'twist', unit: 'rad/m'}, {name: 'speed', unit: 'm/s'},
];

const add = (a, b, scale = 1) => a.map((value, i) => value + scale * b[i]);

// A rod of n segments, bent to an arc in the xz plane whose curvature swings, and twisted more and more.
export function swingingRod({frames = 40, segments = 30, length = 0.5, radius = 0.006, turns = 2, duration = 2} = {}) {
  const times = Array.from({length: frames}, (_, k) => (frames > 1 ? (k * duration) / (frames - 1) : 0));
  const nodes = times.map((time) => {
    const curvature = (2.6 / length) * Math.sin((2 * Math.PI * time) / duration + 0.5); // 1/m
    const twist = ((2 * Math.PI * turns) / length) * (0.2 + (0.8 * time) / duration); // rad/m
    const frame = [];
    let x = [0, 0, 0];
    for (let m = 0; m <= segments; ++m) {
      const s = (m * length) / segments;
      const angle = curvature * s;
      const up = [Math.sin(angle), 0, Math.cos(angle)];
      const d1 = add(up.map((value) => value * Math.cos(twist * s)), [0, Math.sin(twist * s), 0]);
      frame.push(
          {x, d1, values: [5 * (1 - s / length), Math.abs(curvature) * (0.5 + s / length), twist, s * Math.abs(curvature)]});
      const half = curvature * (s + length / segments / 2);
      x = add(x, [Math.cos(half), 0, -Math.sin(half)], length / segments);
    }
    return frame;
  });
  return {
    title: 'A swinging cord', method: 'newton', times, nodes,
    rods: [{name: 'cord', nodes: segments + 1, closed: false, color: '#2f6db3', shape: 'ellipse', half1: radius, half2: radius}],
    fields, colormap,
  };
}

// Viridis, every eighth of its 256 colours (B. Smith and N. van der Walt, CC0).
export const colormap = (
    '440154 470d60 48186a 482374 472d7b 453781 424086 3e4989 3a538b 365c8d 32648e 2e6d8e 2b758e 287d8e 25858e 228d8d ' +
    '1f958b 1f9d89 21a585 28ae80 35b779 44bf70 56c667 6ccd5a 84d44b 9bd93c b2dd2d cae11f dfe318 e7e419 f1e51d fde725'
).split(' ').map((digits) => '#' + digits);

// A ring, a ribbon, a tapered spring and a thin wire side by side: every kind of section and of rod.
export function allKinds({frames = 30} = {}) {
  const n = 60;
  const line = (x, d1, values) => ({x, d1, values});
  const times = Array.from({length: frames}, (_, k) => k / 20);
  const nodes = times.map((time) => {
    const breath = Math.sin(2 * time);
    const all = [];
    for (let m = 0; m <= n; ++m) {
      const a = (2 * Math.PI * m) / n;
      const radius = 0.12 * (1 + 0.1 * breath * Math.cos(2 * a));
      const turn = 3 * a + time;
      const out = [Math.cos(a) * Math.cos(turn), Math.sin(a) * Math.cos(turn), Math.sin(turn)];
      all.push(
          line([radius * Math.cos(a) - 0.2, radius * Math.sin(a), 0.05], out, [Math.cos(a), 8 + breath * Math.cos(a), 25, 0.1]));
    }
    for (let m = 0; m <= n; ++m) {
      const s = m / n;
      const turn = 2.5 * Math.PI * s * (1 + 0.3 * breath);
      all.push(line([0.02 * breath * s, 0.25 - 0.5 * s, 0.1], [Math.cos(turn), 0, Math.sin(turn)], [0.3, 0.2, 15.7, s]));
    }
    for (let m = 0; m <= 2 * n; ++m) {
      const a = (10 * Math.PI * m) / (2 * n);
      const d1 = [Math.cos(a), Math.sin(a), 0];
      all.push(line(
          [0.2 + 0.05 * Math.cos(a), 0.05 * Math.sin(a), 0.25 - (0.2 + 0.03 * breath) * (m / (2 * n))], d1, [0.6, 19, 2, m / n]));
    }
    for (let m = 0; m < 2; ++m) all.push(line([-0.3 + 0.6 * m, 0.2, 0.3], [0, 0, 1], [1, 0, 0, 0]));
    return all;
  });
  const taper = Array.from({length: 2 * n + 1}, (_, m) => 0.009 - 0.006 * (m / (2 * n)));
  return {
    title: 'Every kind of rod', method: 'newton', times, nodes, fields, colormap,
    rods: [
      {name: 'ring', nodes: n + 1, closed: true, color: '#c8553d', shape: 'ellipse', half1: 0.012, half2: 0.008},
      {name: 'ribbon', nodes: n + 1, closed: false, color: '#588157', shape: 'rectangle', half1: 0.02, half2: 0.003},
      {name: 'spring', nodes: 2 * n + 1, closed: false, color: '#3d6fb4', shape: 'ellipse', half1: taper, half2: taper},
      {name: 'wire', nodes: 2, closed: false, color: '#8a6d3b', shape: 'rectangle', half1: 0.0001, half2: 0.0001},
    ],
  };
}

const still = [0, 0, 0, 0];

// A ring of few segments in the xy plane, its nodes on a circle; or a rod that ends where it starts.
export function coarseRing(segments, radius, thickness, closed = true) {
  const at = (m) => [Math.cos((2 * m * Math.PI) / segments), Math.sin((2 * m * Math.PI) / segments), 0];
  const node = (m) => ({x: at(m % segments).map((value) => radius * value), d1: [0, 0, 1], values: still});
  return {
    title: 'A coarse ring', times: [0], nodes: [Array.from({length: segments + 1}, (_, m) => node(m))], fields, colormap,
    rods: [{
      name: 'ring', nodes: segments + 1, closed, color: '#2f6db3', shape: 'ellipse', half1: thickness, half2: thickness
    }],
  };
}

// Straight rods along x, one above the other: each twisted by an angle (rad) a segment, right-handed, from d1 = z at its start.
export function twistedRods(angles, {segments = 4, length = 0.4, radius = 0.02, shape = 'ellipse', flat = radius} = {}) {
  const node = (angle, m, z) => ({
    x: [(m * length) / segments, 0, z], d1: [0, -Math.sin(m * angle), Math.cos(m * angle)], values: still
  });
  const rods = angles.map((angle) => ({
    name: `${Math.round((angle * 180) / Math.PI)} degrees`, nodes: segments + 1, closed: false, color: '#2f6db3', shape,
    half1: radius, half2: flat
  }));
  const nodes = angles.flatMap((angle, r) => Array.from({length: segments + 1}, (_, m) => node(angle, m, -3 * r * radius)));
  return {title: 'Twisted rods', times: [0], nodes: [nodes], fields, colormap, rods};
}

// Two rods along x, the lower one of which goes to and fro and down, with links between them and one to a fixed point. The second
// one ends between nodes, the third is slack in frame 1.
export function linkedRods({point = [0.7, 0.1, -0.3]} = {}) {
  const rod = (x, z) => Array.from({length: 5}, (_, m) => ({x: [x + 0.1 * m, 0, z], d1: [0, 0, 1], values: still}));
  const section = {nodes: 5, closed: false, color: '#2f6db3', shape: 'ellipse', half1: 0.005, half2: 0.005};
  const nodes = [[0, 0], [0.06, -0.05], [-0.05, -0.1]].map(([x, z]) => [...rod(0, 0.2), ...rod(x, z)]);
  const link = (kind, from, to, slack = []) => ({name: '', kind, ends: [from, to], slack});
  const at = (first, weight = 0) => ({nodes: [first, first + 1], weight});
  return {
    title: 'Linked rods', times: [0, 1, 2], nodes, fields, colormap,
    rods: [{name: 'upper', ...section}, {name: 'lower', ...section}],
    links: [
      link('spring', at(0), at(5)), link('tether', at(1, 0.5), at(6, 0.25)), link('tether', at(3), at(8), [1, 2]),
      link('tether', {point}, at(8, 1)),
    ],
  };
}

// A rod along x, 1 m long, that lies on a floor in frames 1 and 2, pressed at nodes 3 to 7: there by 10 N/m, but in frame 2 by 5 at
// node 4 and by 20 at node 5. A brick before it moves in frame 1 and is turned by -45 degrees about y in frame 2. `brick`: of each
// frame a place on it, near a corner, and one beside it; `behind`: a place of the rod behind it in frame 0.
export function pressedRod() {
  const radius = 0.01;
  const size = (frame, m) => (frame === 0 || m < 3 || m > 7 ? 0 : frame === 2 && m === 4 ? 5 : frame === 2 && m === 5 ? 20 : 10);
  const node = (frame, m) =>
      ({x: [m / 10, 0, frame === 0 ? 0.1 : 0], d1: [0, 1, 0], values: still, press: [0, 0, size(frame, m)]});
  const [middle, half] = [[0.5, -0.3, 0.1], [0.1, 0.05, 0.1]];
  const turned = ([x, y, z], angle) =>
      [x * Math.cos(angle) + z * Math.sin(angle), y, -x * Math.sin(angle) + z * Math.cos(angle)];
  const angles = [0, 0, -Math.PI / 4];
  const moves = [[0, 0, 0], [-0.25, 0, 0.1], [0, 0, 0]];
  const at = (frame, local) => add(add(middle, turned(local, angles[frame])), moves[frame]);
  const poses = angles.map((angle, frame) => [
    Math.cos(angle / 2), 0, Math.sin(angle / 2), 0, ...add(add(middle, turned(middle, angle), -1), moves[frame])
  ]);
  const points = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => middle.map((value, c) => value + ((k >> c) & 1 ? half[c] : -half[c])));
  const faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
  return {
    title: 'A rod on a floor', times: [0, 1, 2], fields, colormap, radius, length: 1,
    nodes: [0, 1, 2].map((frame) => Array.from({length: 11}, (_, m) => node(frame, m))),
    rods: [{name: 'rod', nodes: 11, closed: false, color: '#2f6db3', shape: 'ellipse', half1: radius, half2: radius}],
    contact: {unit: 'N/m', usual: 10},
    obstacles: [
      {name: 'floor', plane: true, points: [[-1, -1, -radius], [2, -1, -radius], [2, 1, -radius], [-1, 1, -radius]],
       corners: [0, 1, 2, 0, 2, 3]},
      {name: 'brick', points, corners: faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]), poses},
    ],
    brick: [0, 1, 2].map((frame) => ({corner: at(frame, [0.09, -0.05, 0.09]), beside: at(frame, [0.17, -0.05, 0.17])})),
    behind: [0.5, 0, 0.1],
  };
}

// Hairs of 40 um in a picture of 0.3 m.
export function hair({rods = 200, segments = 50, frames = 60} = {}) {
  const length = 0.25;
  const times = Array.from({length: frames}, (_, k) => k / 30);
  const nodes = times.map((time) => Array.from({length: rods}, (_, r) => {
    const a = r * 2.39996;
    const root = 0.05 * Math.sqrt((r + 0.5) / rods);
    const wave = 0.3 * Math.sin(3 * time + 5 * root / 0.05 + 0.3 * Math.cos(a));
    return Array.from({length: segments + 1}, (_, m) => {
      const s = (m * length) / segments;
      const lean = 0.08 * Math.sin((Math.PI * s) / (2 * length)) + 0.01 * Math.sin(60 * s + r);
      const x = [Math.cos(a) * (root + lean) + wave * s * (s / length) * 0.6, Math.sin(a) * (root + lean), -s * 0.95];
      return {
        x,
        d1: [Math.sin(a), -Math.cos(a), 0],
        values: [1e-4 * (1 - s / length), 4 + 3 * Math.sin(20 * s), 0.5, Math.abs(wave) * s]
      };
    });
  }).flat());
  const colors = ['#5b3a29', '#7a4e32', '#94643f', '#6b4630'];
  const section = {shape: 'ellipse', half1: 4e-5, half2: 4e-5};
  const one = (r) => ({name: `hair ${r + 1}`, nodes: segments + 1, closed: false, color: colors[r % 4], ...section});
  return {
    title: 'A tress of hair', method: 'pd', times, nodes, fields, colormap,
    rods: Array.from({length: rods}, (_, r) => one(r)),
  };
}
