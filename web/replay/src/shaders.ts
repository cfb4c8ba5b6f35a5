// GLSL of the rods, the links and the floor. Lengths are in units of the stage (scene.ts): one unit is the radius of the whole
// motion, the origin its middle.
import {kink} from './curve';

const common = /* glsl */ `
precision highp float;
precision highp int;
precision highp usampler2D;
`;

// A node of the shown instant: between the two stored frames A and B, `part` of the way.
const nodes = /* glsl */ `
uniform usampler2D placesA, placesB;   // x, y, z, u + 256 v (data.ts)
uniform sampler2D valuesA, valuesB;    // the field that colours
uniform sampler2D sections;            // half1, half2 in units of the stage, 1 for a rectangle
uniform sampler2D rodColors;
uniform float part;
uniform vec3 placeScale, placeOffset;
uniform mat4 viewMatrix, projectionMatrix;
uniform float pixel;                   // units a CSS pixel is wide at distance 1
uniform float useField;
uniform sampler2D colormap;
uniform vec2 span;                     // values of the first and the last colour, of 0..1

ivec2 texel(int node) {
  int width = textureSize(placesA, 0).x;
  return ivec2(node % width, node / width);
}

vec3 octahedral(uint code) {
  vec2 p = vec2(code & 255u, code >> 8) / 255.0 * 2.0 - 1.0;
  float z = 1.0 - abs(p.x) - abs(p.y);
  if (z < 0.0) p = (1.0 - abs(p.yx)) * vec2(p.x < 0.0 ? -1.0 : 1.0, p.y < 0.0 ? -1.0 : 1.0);
  return normalize(vec3(p, z));
}

vec3 unitOr(vec3 v, vec3 fallback) {
  float size = length(v);
  return size > 1e-12 ? v / size : fallback;
}

struct Node {
  vec3 x, d1;   // d1 is only nearly a unit vector, and only nearly across the rod: it is rounded, and between two frames
};

Node nodeAt(int node) {
  uvec4 a = texelFetch(placesA, texel(node), 0), b = texelFetch(placesB, texel(node), 0);
  return Node(placeOffset + placeScale * mix(vec3(a.xyz), vec3(b.xyz), part), mix(octahedral(a.w), octahedral(b.w), part));
}

// A stored d1, made perpendicular to the tangent.
vec3 director(vec3 d, vec3 tangent) {
  d -= tangent * dot(d, tangent);
  vec3 other = abs(tangent.z) < 0.9 ? vec3(0, 0, 1) : vec3(1, 0, 0);
  return unitOr(d, normalize(cross(tangent, other)));
}

// A rod is never thinner than 1.2 CSS pixels: a hair of 40 um in a picture of 0.3 m would be a tenth of one and flicker.
// What is drawn wider than it is, is drawn so at that distance only.
vec2 halfWidths(vec2 own, vec3 centre) {
  float distance = -(viewMatrix * vec4(centre, 1.0)).z;
  return max(own, vec2(0.6 * pixel * distance));
}

vec3 toLinear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }

float fieldValue(int node) {
  return mix(texelFetch(valuesA, texel(node), 0).r, texelFetch(valuesB, texel(node), 0).r, part);
}

// \`node\`: one of the rod.
vec3 colorOf(int node, float value) {
  value = clamp((value - span.x) / (span.y - span.x), 0.0, 1.0);
  float entries = float(textureSize(colormap, 0).x);
  vec3 field = texture(colormap, vec2((value * (entries - 1.0) + 0.5) / entries, 0.5)).rgb;
  return toLinear(mix(texelFetch(rodColors, texel(node), 0).rgb, field, useField));
}

// The slopes of curve.ts. A chord of no length (nodes rounded to one place) makes no corner.
bool isCorner(vec3 a, vec3 b) { return dot(a, b) < ${Math.cos(kink)} * length(a) * length(b); }
vec3 innerSlope(vec3 chord, vec3 other) {
  float own = length(chord);
  return own == 0.0 || isCorner(chord, other) ? chord : (chord + other) * (own / (own + length(other)));
}
vec3 openSlope(vec3 chord, vec3 inner) { return 1.5 * chord - 0.5 * inner; }
`;

// One segment, a cubic between its nodes: rings of corners along it. The first and the last ring belong to their node and not to
// the segment, and are computed from the same numbers in the same order on both sides, so that neighbours share them and no gap
// opens.
export const tubeVertex = common + nodes + /* glsl */ `
in vec3 position;     // x: how far along, 0 to 1
in vec2 circle;       // corner on the unit circle
in vec4 square;       // corner on the unit square, and the normal there
in ivec4 chain;       // nodes: before, start, end, after (an end of a rod repeats itself)
out vec3 vNormal, vView, vColor;
out vec2 vCorner;
out float vWidth;

struct Ring {
  vec3 x, tangent, d1;
  vec3 along;         // of the tube: another direction than the tangent at a corner, where light breaks off
  vec3 bend;          // where the ring is wider: towards the inside of a corner
  float wider;        // by this part
};

// Between two segments. The plane of a ring at a corner halves its angle and cuts both tubes askew: wider there by 1 / cos
// (limited, for hairpins). \`own\`: the one of the two chords that is drawn.
Ring innerRing(Node node, vec3 before, vec3 after, vec3 own) {
  bool corner = isCorner(before, after);
  vec3 e1 = unitOr(after, unitOr(before, vec3(1, 0, 0))), e0 = unitOr(before, e1);
  vec3 tangent = corner ? unitOr(e0 + e1, e1) : unitOr(before + after, e1);
  float wider = corner ? 1.0 / max(dot(tangent, e1), 0.5) - 1.0 : 0.0;
  vec3 along = corner ? unitOr(own, tangent) : tangent;
  return Ring(node.x, tangent, director(node.d1, tangent), along, unitOr(e1 - e0, vec3(0)), wider);
}

Ring openRing(Node node, vec3 slope) {
  vec3 tangent = unitOr(slope, vec3(1, 0, 0));
  return Ring(node.x, tangent, director(node.d1, tangent), tangent, vec3(0), 0.0);
}

// \`v\`, which is perpendicular to \`from\`, turned as the shortest turn from there \`to\` does (unit vectors).
vec3 carried(vec3 v, vec3 from, vec3 to) { return v - (from + to) * (dot(v, to) / max(1.0 + dot(from, to), 1e-6)); }

// Between the two ends, \`t\` of the way: the frame turns about the curve at an even rate, the shorter way round. More than half
// a turn in a segment cannot be told from less than half a turn back.
Ring between(Ring start, Ring end, vec3 m0, vec3 m1, float t) {
  vec3 chord = end.x - start.x;
  float t2 = t * t, t3 = t2 * t;
  vec3 x = start.x + (t3 - 2.0 * t2 + t) * m0 + (3.0 * t2 - 2.0 * t3) * chord + (t3 - t2) * m1;
  vec3 along = unitOr(chord, start.tangent);
  vec3 tangent = unitOr((3.0 * t2 - 4.0 * t + 1.0) * m0 + (6.0 * t - 6.0 * t2) * chord + (3.0 * t2 - 2.0 * t) * m1, along);
  vec3 a = carried(start.d1, start.tangent, along), b = carried(end.d1, end.tangent, along);
  float turn = t * atan(dot(cross(a, b), along), dot(a, b));
  vec3 d1 = carried(a * cos(turn) + cross(along, a) * sin(turn), along, tangent);
  return Ring(x, tangent, director(d1, tangent), tangent, vec3(0), 0.0);
}

Ring ringAt(float t) {
  Node a = nodeAt(chain.y), b = nodeAt(chain.z);
  bool openStart = chain.x == chain.y, openEnd = chain.z == chain.w;
  vec3 chord = b.x - a.x, before = a.x - nodeAt(chain.x).x, after = nodeAt(chain.w).x - b.x;
  vec3 inner0 = openStart ? chord : innerSlope(chord, before), inner1 = openEnd ? chord : innerSlope(chord, after);
  vec3 m0 = openStart ? openSlope(chord, inner1) : inner0, m1 = openEnd ? openSlope(chord, inner0) : inner1;
  Ring start, end;
  if (openStart) start = openRing(a, m0); else start = innerRing(a, before, chord, chord);
  if (openEnd) end = openRing(b, m1); else end = innerRing(b, chord, after, chord);
  if (t == 0.0) return start;
  if (t == 1.0) return end;
  return between(start, end, m0, m1, t);
}

void main() {
  float t = position.x;
  Ring ring = ringAt(t);
  vec3 d2 = cross(ring.tangent, ring.d1);
  vec4 section0 = texelFetch(sections, texel(chain.y), 0), section1 = texelFetch(sections, texel(chain.z), 0);
  vec2 halves = halfWidths(t == 1.0 ? section1.xy : mix(section0.xy, section1.xy, t), ring.x);
  bool rectangle = section0.z > 0.5;
  vec2 corner = rectangle ? square.xy : circle;
  vec2 normal = rectangle ? square.zw : normalize(circle * halves.yx);
  vec3 offset = ring.d1 * (corner.x * halves.x) + d2 * (corner.y * halves.y);
  offset += ring.bend * dot(offset, ring.bend) * ring.wider;
  vec4 view = viewMatrix * vec4(ring.x + offset, 1.0);
  gl_Position = projectionMatrix * view;
  vNormal = mat3(viewMatrix) * carried(ring.d1 * normal.x + d2 * normal.y, ring.tangent, ring.along);
  vView = view.xyz;
  vColor = colorOf(chain.y, mix(fieldValue(chain.y), fieldValue(chain.z), t));
  vCorner = corner;
  vWidth = 2.0 * min(halves.x, halves.y) / (pixel * -view.z);
}
`;

// The flat end of an open rod.
export const capVertex = common + nodes + /* glsl */ `
in vec3 position;     // x: 0 in the middle, 1 at the rim
in vec2 circle;
in vec4 square;
in ivec3 tip;         // nodes: the end, its neighbour, and the one after that (the neighbour again where there is none)
out vec3 vNormal, vView, vColor;
out vec2 vCorner;
out float vWidth;

void main() {
  Node end = nodeAt(tip.x);
  vec3 neighbour = nodeAt(tip.y).x, chord = end.x - neighbour;
  vec3 slope = tip.y == tip.z ? chord : openSlope(chord, innerSlope(chord, neighbour - nodeAt(tip.z).x));
  vec3 outward = unitOr(slope, vec3(1, 0, 0));
  vec3 tangent = tip.x > tip.y ? outward : -outward;
  vec3 d1 = director(end.d1, tangent), d2 = cross(tangent, d1);
  vec4 section = texelFetch(sections, texel(tip.x), 0);
  vec2 halves = halfWidths(section.xy, end.x);
  vec2 corner = position.x * (section.z > 0.5 ? square.xy : circle);
  vec4 view = viewMatrix * vec4(end.x + d1 * (corner.x * halves.x) + d2 * (corner.y * halves.y), 1.0);
  gl_Position = projectionMatrix * view;
  vNormal = mat3(viewMatrix) * outward;
  vView = view.xyz;
  vColor = colorOf(tip.x, fieldValue(tip.x));
  vCorner = corner;
  vWidth = 2.0 * min(halves.x, halves.y) / (pixel * -view.z);
}
`;

// Light of the sky and the ground, a key light over the left shoulder, a rim from behind, a little gloss. The key goes with the
// camera: a rod is never in the dark. Colours of a field stay comparable with the legend: white light, and no more than a little
// gloss.
export const rodFragment = common + /* glsl */ `
uniform vec3 upInView, ground, sky, rim;
uniform float gloss;
uniform float stripe;     // how white the line along d1 is
uniform float lift;       // white mixed into every colour: the darkest ones are to be seen on a dark ground
uniform float capSide;    // 1 for caps
in vec3 vNormal, vView, vColor;
in vec2 vCorner;
in float vWidth;
out vec4 color;

vec3 toScreen(vec3 c) { return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }

// The line along d1, smooth over one pixel: a light core with dark edges, so that it shows on every colour and is not taken for
// shade or gloss. It is on one side only: where the rod is twisted, it winds. On a cap
// it is a spoke. On rods of a few pixels it would only flicker.
vec3 withLine(vec3 base) {
  float at = capSide > 0.5 ? max(abs(vCorner.y), 0.55 - vCorner.x) : abs(atan(vCorner.y, vCorner.x));
  float soft = max(fwidth(at), 1e-4);
  vec2 within = clamp((vec2(0.2, 0.3) - at) / soft + 0.5, 0.0, 1.0) * smoothstep(2.5, 5.0, vWidth);
  return mix(mix(base, 0.35 * base, within.y), mix(base, vec3(1.0), stripe), within.x);
}

void main() {
  vec3 n = normalize(vNormal), eye = normalize(-vView);
  if (dot(n, eye) < 0.0) n = normalize(n - 1.001 * eye * dot(n, eye));
  vec3 base = withLine(mix(vColor, vec3(1.0), lift));
  vec3 key = normalize(vec3(-0.45, 0.75, 0.65));
  float up = 0.5 + 0.5 * dot(n, upInView);
  float lit = max(dot(n, key), 0.0);
  float wrapped = max((dot(n, key) + 0.35) / 1.35, 0.0);
  vec3 light = mix(ground, sky, up) + vec3(0.62) * wrapped;
  float facing = max(dot(n, eye), 0.0);
  float highlight = pow(max(dot(n, normalize(key + eye)), 0.0), 60.0) * lit;
  float edge = pow(1.0 - facing, 4.0) * smoothstep(2.0, 8.0, vWidth);
  highlight *= smoothstep(1.5, 6.0, vWidth);    // on a hair it would be a row of sparks
  vec3 shade = base * light + gloss * highlight + rim * edge;
  color = vec4(toScreen(clamp(shade, 0.0, 1.0)), 1.0);
}
`;

export const looks = {taut: 0, slack: 1, spring: 2, dot: 3, force: 4};

// A link: a strip along it that faces the eye, as wide as what is drawn on it needs. A dot at a fixed point has a square.
export const linkVertex = common + /* glsl */ `
uniform mat4 viewMatrix, projectionMatrix;
uniform float pixel, reach;
in vec3 position;         // x: 0 at one end, 1 at the other; y: which edge, -1 or 1
in vec3 from, to;
in float look;
out float vAlong;         // 0 to 1; of a dot -reach to reach, CSS pixels
out float vOffset, vDepth;    // from the middle line, and before the eye: linear in space, their quotient on the screen
flat out float vLook, vDashes;

void main() {
  vec3 a = (viewMatrix * vec4(from, 1.0)).xyz, b = (viewMatrix * vec4(to, 1.0)).xyz;
  vec3 end = position.x < 0.5 ? a : b;
  bool isDot = look == ${looks.dot}.0;
  vec3 side = isDot ? vec3(0, 1, 0) : cross(b - a, end);
  side /= max(length(side), 1e-12);
  float along = isDot ? 2.0 * position.x - 1.0 : 0.0, wide = reach * pixel * -end.z;
  gl_Position = projectionMatrix * vec4(end + wide * (position.y * side + along * vec3(1, 0, 0)), 1.0);
  vAlong = isDot ? along * reach : position.x;
  vOffset = position.y * wide;
  vDepth = -end.z;
  vLook = look;
  vDashes = length(b - a) / (7.0 * pixel * 0.5 * length(a + b));
}
`;

// As src/output/svg_marks.cpp draws them, in CSS pixels; but a spring has the same number of waves at any length, or they would
// jump as it moves.
export const linkFragment = common + /* glsl */ `
uniform vec3 ink;
uniform float pixel;
in float vAlong, vOffset, vDepth;
flat in float vLook, vDashes;
out vec4 color;

float perPixel(float value) { return length(vec2(dFdx(value), dFdy(value))); }

void main() {
  float across = vOffset / (pixel * vDepth), soft = max(perPixel(across), 1e-6);
  float waves = vAlong * 12.0, wave = soft / max(12.0 * perPixel(vAlong), 1e-6);    // which one, and its length
  float distance = abs(across) - 0.7;
  if (vLook == ${looks.spring}.0) {
    float high = min(0.5 * wave, 4.0);
    float middle = high * (1.0 - abs(2.0 * fract(waves) - 1.0)) * (mod(floor(waves), 2.0) < 0.5 ? 1.0 : -1.0);
    distance = abs(across - middle) * inversesqrt(1.0 + pow(2.0 * high / wave, 2.0)) - 0.7;
  }
  if (vLook == ${looks.slack}.0) {    // 4 px, and 3 px of nothing
    float fromDash = 7.0 * abs(fract(vAlong * vDashes + 0.5 - 2.0 / 7.0) - 0.5) - 2.0;
    distance = max(distance, fromDash);
  }
  if (vLook == ${looks.dot}.0) distance = length(vec2(vAlong, across)) - 2.5;
  if (vLook == ${looks.force}.0) {    // an arrow, whose head is 7 px long
    float toTip = (1.0 - vAlong) * vDashes * 7.0;
    distance = toTip < 7.0 ? abs(across) - 0.42 * toTip : abs(across) - 0.6;
  }
  color = vec4(ink, clamp(0.5 - distance / soft, 0.0, 1.0));
}
`;

export const obstacleVertex = common + /* glsl */ `
uniform mat4 modelViewMatrix, projectionMatrix;
uniform mat3 normalMatrix;
in vec3 position, normal;
out vec3 vNormal, vView;
out vec3 vPlace;
void main() {
  vec4 view = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * view;
  vNormal = normalMatrix * normal;
  vView = view.xyz;
  vPlace = position;
}
`;

// A plane fades away from the middle, and is glass from behind.
export const obstacleFragment = common + /* glsl */ `
uniform vec3 base, upInView;
uniform float opacity, plane, dark;
in vec3 vNormal, vView, vPlace;
out vec4 color;

vec3 toScreen(vec3 c) { return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }

void main() {
  vec3 eye = normalize(-vView), n = normalize(vNormal);
  bool back = dot(n, eye) < 0.0;
  if (back) n = -n;
  vec3 key = normalize(vec3(-0.45, 0.75, 0.65));
  float light = 0.42 + 0.3 * (0.5 + 0.5 * dot(n, upInView)) + 0.38 * max((dot(n, key) + 0.35) / 1.35, 0.0);
  float alpha = opacity;
  if (plane > 0.5) {
    light = mix(1.12, 0.55, dark);
    float fade = 1.0 - smoothstep(0.6, 1.9, length(vPlace));
    alpha = (opacity < 1.0 || back ? 0.2 : 0.75) * fade;
  }
  color = vec4(toScreen(clamp(base * light, 0.0, 1.0)), alpha);
}
`;

export const floorVertex = common + /* glsl */ `
uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
in vec3 position;
out vec2 vPlace;
void main() {
  vPlace = position.xy;
  gl_Position = projectionMatrix * viewMatrix * modelMatrix * vec4(position, 1.0);
}
`;

// Lines every cell and stronger ones every fifth or tenth, one pixel wide at any distance, fading away from the middle.
export const floorFragment = common + /* glsl */ `
uniform vec3 ink;
uniform float cell, major, reach, strength;
uniform vec2 shift;       // of the grid against the origin of the stage, so that its lines lie at multiples of the cell
in vec2 vPlace;
out vec4 color;

float lines(vec2 at, float spacing) {
  vec2 p = at / spacing, w = max(fwidth(p), 1e-6);
  vec2 d = abs(fract(p - 0.5) - 0.5) / w;
  vec2 dense = clamp(1.0 - 2.5 * w, 0.0, 1.0);    // where cells shrink to pixels, lines would turn into noise
  return max((1.0 - min(d.x, 1.0)) * dense.x, (1.0 - min(d.y, 1.0)) * dense.y);
}

void main() {
  float fade = 1.0 - smoothstep(0.15, 1.0, length(vPlace) / reach);
  vec2 at = vPlace + shift;
  float alpha = max(0.42 * lines(at, cell), 0.9 * lines(at, cell * major)) * fade * fade * strength;
  color = vec4(ink, alpha);
}
`;
