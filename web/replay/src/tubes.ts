// All rods in two draw calls: one instance a segment, one instance a free end.
import * as THREE from 'three';
import {chains, longestSegment} from './curve';
import {half, type Run} from './data';
import {detail, type Detail} from './detail';
import {capVertex, rodFragment, tubeVertex} from './shaders';

export interface Look {
  ground: THREE.Vector3; // light from below and above, linear
  sky: THREE.Vector3;
  rim: THREE.Vector3;
  gloss: number;
  stripe: number;
  lift: number;
}

// Corners of a section, `sides` of them: on the unit circle, and on the unit square with the normal of its side. A corner of the
// square is there twice, once for each side, so that edges are sharp.
function corners(sides: number): {circle: number[]; square: number[]}[] {
  const quarter = sides / 4;
  return Array.from({length: sides}, (_, k) => {
    const angle = (2 * Math.PI * k) / sides;
    const side = Math.floor(k / quarter);
    const along = -1 + (2 * (k % quarter)) / (quarter - 1);
    const [nx, ny] = [[1, 0], [0, 1], [-1, 0], [0, -1]][side]!;
    return {circle: [Math.cos(angle), Math.sin(angle)], square: [nx! - ny! * along, ny! + nx! * along, nx!, ny!]};
  });
}

function geometry(
    points: {x: number; corner: {circle: number[]; square: number[]}}[], index: number[]): THREE.InstancedBufferGeometry {
  const result = new THREE.InstancedBufferGeometry();
  const attribute = (values: number[], size: number) => new THREE.BufferAttribute(new Float32Array(values), size);
  result.setAttribute('position', attribute(points.flatMap((point) => [point.x, 0, 0]), 3));
  result.setAttribute('circle', attribute(points.flatMap((point) => point.corner.circle), 2));
  result.setAttribute('square', attribute(points.flatMap((point) => point.corner.square), 4));
  result.setIndex(index);
  return result;
}

function tubeGeometry({sides, pieces}: Detail): THREE.InstancedBufferGeometry {
  const ring = corners(sides);
  const points = Array.from({length: pieces + 1}, (_, k) => ring.map((corner) => ({x: k / pieces, corner}))).flat();
  const index = Array.from({length: pieces * sides}, (_, n) => {
    const [low, high] = [n, n - (n % sides) + ((n + 1) % sides)];
    return [low, high, low + sides, high, high + sides, low + sides];
  });
  return geometry(points, index.flat());
}

function capGeometry({sides}: Detail): THREE.InstancedBufferGeometry {
  const ring = corners(sides);
  const middle = {circle: [0, 0], square: [0, 0, 0, 0]};
  const points = [{x: 0, corner: middle}, ...ring.map((corner) => ({x: 1, corner}))];
  return geometry(points, ring.flatMap((_, k) => [0, 1 + k, 1 + ((k + 1) % sides)]));
}

// Nodes at every open end: the end itself, its neighbour and the one after that, which is the neighbour again in a rod of one
// segment.
function tips(run: Run): Int32Array {
  return new Int32Array(run.header.rods.flatMap((rod, r) => {
    const first = run.first[r]!;
    const last = first + rod.nodes - 1;
    const [third, beforeThat] = rod.nodes > 2 ? [first + 2, last - 2] : [last, first];
    return rod.closed ? [] : [first, first + 1, third, last, last - 1, beforeThat];
  }));
}

// Integers, one row an instance.
function instances(values: Int32Array, size: number): THREE.InstancedBufferAttribute {
  const attribute = new THREE.InstancedBufferAttribute(values, size);
  attribute.gpuType = THREE.IntType;
  return attribute;
}

export class Tubes {
  readonly group = new THREE.Group();
  readonly widest: number; // half width in units of the stage
  readonly segments: number;
  detail: Detail = {sides: 8, pieces: 1};
  private readonly shapes = new Map<string, [THREE.BufferGeometry, THREE.BufferGeometry]>(); // of tubes and ends, by detail
  private readonly chain: THREE.InstancedBufferAttribute;
  private readonly tip: THREE.InstancedBufferAttribute;
  private readonly tube: THREE.Mesh;
  private readonly caps: THREE.Mesh;
  private readonly uniforms: Record<string, THREE.IUniform>;
  private readonly slots: {frame: number; field: number; longest: number; places: THREE.DataTexture; values: THREE.DataTexture}[];
  private readonly blank: Uint8Array;
  private field = -1;
  private longest = 0; // segment of the shown frame, in units of the stage

  constructor(private readonly run: Run, private readonly unit: number, centre: [number, number, number]) {
    const {low, step} = run.header.position;
    this.slots = [this.slot(), this.slot()];
    this.blank = new Uint8Array(run.texels);
    const [sections, colors] = this.constants(unit);
    this.uniforms = {
      placesA: {value: null}, placesB: {value: null}, valuesA: {value: null}, valuesB: {value: null},
      sections: {value: sections}, rodColors: {value: colors}, colormap: {value: colormapTexture(run.header.colormap)},
      part: {value: 0}, useField: {value: 0}, span: {value: new THREE.Vector2(0, 1)}, pixel: {value: 1},
      placeScale: {value: new THREE.Vector3(...step).divideScalar(unit)},
      placeOffset: {value: new THREE.Vector3(...low.map((value, c) => (value - centre[c]!) / unit))},
      upInView: {value: new THREE.Vector3(0, 1, 0)}, ground: {value: null}, sky: {value: null}, rim: {value: null},
      gloss: {value: 0}, stripe: {value: 0}, lift: {value: 0},
    };
    const material = (vertexShader: string, capSide: number) => new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3, vertexShader, fragmentShader: rodFragment, side: THREE.DoubleSide,
      uniforms: {...this.uniforms, capSide: {value: capSide}},
    });
    this.chain = instances(chains(run), 4);
    this.tip = instances(tips(run), 3);
    this.segments = this.chain.count;
    this.tube = new THREE.Mesh(undefined, material(tubeVertex, 0));
    this.caps = new THREE.Mesh(undefined, material(capVertex, 1));
    this.caps.visible = this.tip.count > 0;
    for (const mesh of [this.tube, this.caps]) {
      mesh.frustumCulled = false; // places are known to the GPU only
      this.group.add(mesh);
    }
    let widest = 0;
    for (const rod of run.header.rods) for (const value of [rod.half1, rod.half2].flat()) widest = Math.max(widest, value);
    this.widest = widest / unit;
    this.show(0, 0);
  }

  // The instant `part` of the way from `frame` to the next.
  show(frame: number, part: number): void {
    const next = part > 0 ? frame + 1 : frame;
    const a = this.fill(frame, next);
    const b = next === frame ? a : this.fill(next, frame);
    Object.assign(this.uniforms.placesA!, {value: a.places});
    Object.assign(this.uniforms.placesB!, {value: b.places});
    Object.assign(this.uniforms.valuesA!, {value: a.values});
    Object.assign(this.uniforms.valuesB!, {value: b.values});
    this.uniforms.part!.value = part;
    this.longest = Math.max(a.longest, b.longest);
  }

  // -1: by rod. `low`, `high`: bytes of the first and the last colour.
  colorBy(field: number, [low, high]: [number, number]): void {
    this.field = field;
    (this.uniforms.span!.value as THREE.Vector2).set(low / 255, high / 255);
    this.uniforms.useField!.value = field < 0 ? 0 : 1;
  }

  light(look: Look): void {
    for (const [name, value] of Object.entries(look)) this.uniforms[name]!.value = value;
  }

  // `pixel`: units a CSS pixel is wide at distance 1; `distance`: to the nearest part of the motion.
  prepare(pixel: number, distance: number, upInView: THREE.Vector3): void {
    this.uniforms.pixel!.value = pixel;
    (this.uniforms.upInView!.value as THREE.Vector3).copy(upInView);
    const nearest = pixel * Math.max(distance, 1e-6);
    this.detail = detail(this.segments, this.tip.count, (2 * this.widest) / nearest, this.longest / nearest);
    [this.tube.geometry, this.caps.geometry] = this.shapesOf(this.detail);
  }

  private shapesOf(wanted: Detail): [THREE.BufferGeometry, THREE.BufferGeometry] {
    const key = `${wanted.sides} ${wanted.pieces}`;
    const known = this.shapes.get(key);
    if (known) return known;
    const made: [THREE.BufferGeometry, THREE.BufferGeometry] = [
      this.instanced(tubeGeometry(wanted), 'chain', this.chain), this.instanced(capGeometry(wanted), 'tip', this.tip)];
    this.shapes.set(key, made);
    return made;
  }

  private instanced(shape: THREE.InstancedBufferGeometry, name: string, attribute: THREE.InstancedBufferAttribute) {
    shape.setAttribute(name, attribute);
    shape.instanceCount = attribute.count;
    return shape;
  }

  private slot() {
    const {width, height} = this.run;
    const places = new THREE.DataTexture(null, width, height, THREE.RGBAIntegerFormat, THREE.UnsignedShortType);
    places.internalFormat = 'RGBA16UI';
    const values = new THREE.DataTexture(null, width, height, THREE.RedFormat, THREE.UnsignedByteType);
    values.unpackAlignment = 1;
    return {frame: -1, field: -2, longest: 0, places, values};
  }

  // The texture that holds `frame`; `keep` is a frame that must stay in the other one.
  private fill(frame: number, keep: number) {
    const {run} = this;
    const slot = this.slots.find((slot) => slot.frame === frame) ?? this.slots.find((slot) => slot.frame !== keep)!;
    const range = (size: number) => [size * run.texels * frame, size * run.texels * (frame + 1)] as const;
    if (slot.frame !== frame) {
      (slot.places.image as {data: unknown}).data = run.places.subarray(...range(4));
      slot.places.needsUpdate = true;
      slot.longest = longestSegment(run, frame) / this.unit;
    }
    if (slot.frame !== frame || slot.field !== this.field) {
      const values = this.field < 0 ? this.blank : run.values[this.field]!.subarray(...range(1));
      (slot.values.image as {data: unknown}).data = values;
      slot.values.needsUpdate = true;
    }
    slot.frame = frame;
    slot.field = this.field;
    return slot;
  }

  private constants(unit: number): [THREE.DataTexture, THREE.DataTexture] {
    const {run} = this;
    const sections = new Float32Array(4 * run.texels);
    const colors = new Uint8Array(4 * run.texels);
    run.header.rods.forEach((rod, r) => {
      const rgb = bytesOf(rod.color);
      for (let m = 0; m < rod.nodes; ++m) {
        const at = 4 * (run.first[r]! + m);
        sections.set([half(rod.half1, m) / unit, half(rod.half2, m) / unit, rod.shape === 'rectangle' ? 1 : 0, 0], at);
        colors.set([...rgb, 255], at);
      }
    });
    const texture = (data: Float32Array | Uint8Array, type: THREE.TextureDataType) => {
      const made = new THREE.DataTexture(data as Float32Array<ArrayBuffer>, run.width, run.height, THREE.RGBAFormat, type);
      made.needsUpdate = true;
      return made;
    };
    return [texture(sections, THREE.FloatType), texture(colors, THREE.UnsignedByteType)];
  }
}

export function bytesOf(color: string): [number, number, number] {
  const value = /^#[0-9a-f]{6}$/i.test(color) ? parseInt(color.slice(1), 16) : 0x808080;
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function colormapTexture(colors: string[]): THREE.DataTexture {
  const data = new Uint8Array(colors.flatMap((color) => [...bytesOf(color), 255]));
  const texture = new THREE.DataTexture(data, colors.length, 1);
  texture.minFilter = texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
