// GLSL of the rods and the floor. Lengths are in units of the stage (scene.ts): one unit is the radius of the whole motion, the
// origin its middle.

const common = /* glsl */ `
precision highp float;
precision highp int;
precision highp usampler2D;
`;

// A node of the shown instant: between the two stored frames A and B, \`part\` of the way.
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

vec3 place(int node) {
  uvec3 a = texelFetch(placesA, texel(node), 0).xyz, b = texelFetch(placesB, texel(node), 0).xyz;
  return placeOffset + placeScale * mix(vec3(a), vec3(b), part);
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

// The stored d1, made perpendicular to the tangent: interpolation and bytes leave it only nearly so.
vec3 director(int node, vec3 tangent) {
  vec3 d = mix(octahedral(texelFetch(placesA, texel(node), 0).w), octahedral(texelFetch(placesB, texel(node), 0).w), part);
  d -= tangent * dot(d, tangent);
  vec3 other = abs(tangent.z) < 0.9 ? vec3(0, 0, 1) : vec3(1, 0, 0);
  return unitOr(d, normalize(cross(tangent, other)));
}

// A rod is never thinner than 1.2 CSS pixels: a hair of 40 um in a picture of 0.3 m would be a tenth of one and flicker.
// What is drawn wider than it is, is drawn so at that distance only.
vec2 halfWidths(int node, vec3 centre) {
  float distance = -(viewMatrix * vec4(centre, 1.0)).z;
  return max(texelFetch(sections, texel(node), 0).xy, vec2(0.6 * pixel * distance));
}

vec3 toLinear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }

vec3 nodeColor(int node) {
  float value = mix(texelFetch(valuesA, texel(node), 0).r, texelFetch(valuesB, texel(node), 0).r, part);
  value = clamp((value - span.x) / (span.y - span.x), 0.0, 1.0);
  float entries = float(textureSize(colormap, 0).x);
  vec3 field = texture(colormap, vec2((value * (entries - 1.0) + 0.5) / entries, 0.5)).rgb;
  return mix(texelFetch(rodColors, texel(node), 0).rgb, field, useField);
}
`;

// One segment: a ring of corners at each of its two nodes. A ring belongs to its node, not to the segment (mean tangent, d1 of
// the node), so that neighbours share it and no gap opens.
export const tubeVertex = common + nodes + /* glsl */ `
in vec3 position;     // x: which end, 0 or 1
in vec2 circle;       // corner on the unit circle
in vec4 square;       // corner on the unit square, and the normal there
in ivec4 chain;       // nodes: before, start, end, after (an end of a rod repeats itself)
out vec3 vNormal, vView, vColor;
out vec2 vCorner;
out float vWidth;

void main() {
  bool atEnd = position.x > 0.5;
  int node = atEnd ? chain.z : chain.y;
  vec3 x = place(node);
  vec3 before = place(atEnd ? chain.y : chain.x), after = place(atEnd ? chain.w : chain.z);
  vec3 along = unitOr(place(chain.z) - place(chain.y), vec3(1, 0, 0));
  vec3 e0 = unitOr(x - before, along), e1 = unitOr(after - x, along);
  vec3 tangent = unitOr(e0 + e1, along);
  vec3 d1 = director(node, tangent), d2 = cross(tangent, d1);
  vec2 halves = halfWidths(node, x);
  bool rectangle = texelFetch(sections, texel(node), 0).z > 0.5;
  vec2 corner = rectangle ? square.xy : circle;
  vec2 normal = rectangle ? square.zw : normalize(circle * halves.yx);
  vec3 offset = d1 * (corner.x * halves.x) + d2 * (corner.y * halves.y);
  // The plane of a ring halves the angle of a corner and cuts both tubes askew: wider there by 1 / cos (limited, for hairpins).
  vec3 bend = unitOr(e1 - e0, vec3(0));
  offset += bend * dot(offset, bend) * (1.0 / max(dot(tangent, e1), 0.5) - 1.0);
  vec4 view = viewMatrix * vec4(x + offset, 1.0);
  gl_Position = projectionMatrix * view;
  vNormal = mat3(viewMatrix) * (d1 * normal.x + d2 * normal.y);
  vView = view.xyz;
  vColor = toLinear(nodeColor(node));
  vCorner = corner;
  vWidth = 2.0 * min(halves.x, halves.y) / (pixel * -view.z);
}
`;

// The flat end of an open rod.
export const capVertex = common + nodes + /* glsl */ `
in vec3 position;     // x: 0 in the middle, 1 at the rim
in vec2 circle;
in vec4 square;
in ivec2 tip;         // nodes: the end, and its neighbour
out vec3 vNormal, vView, vColor;
out vec2 vCorner;
out float vWidth;

void main() {
  vec3 x = place(tip.x);
  vec3 outward = unitOr(x - place(tip.y), vec3(1, 0, 0));
  vec3 tangent = tip.x > tip.y ? outward : -outward;
  vec3 d1 = director(tip.x, tangent), d2 = cross(tangent, d1);
  vec2 halves = halfWidths(tip.x, x);
  bool rectangle = texelFetch(sections, texel(tip.x), 0).z > 0.5;
  vec2 corner = position.x * (rectangle ? square.xy : circle);
  vec4 view = viewMatrix * vec4(x + d1 * (corner.x * halves.x) + d2 * (corner.y * halves.y), 1.0);
  gl_Position = projectionMatrix * view;
  vNormal = mat3(viewMatrix) * outward;
  vView = view.xyz;
  vColor = toLinear(nodeColor(tip.x));
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
