// All rods in two draw calls: one instance a segment, one instance a free end.
import * as THREE from 'three';
import type {Run} from './data';
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

function tubeGeometry(sides: number): THREE.InstancedBufferGeometry {
  const ring = corners(sides);
  const points = [0, 1].flatMap((x) => ring.map((corner) => ({x, corner})));
  const index = ring.flatMap((_, k) => {
    const next = (k + 1) % sides;
    return [k, next, sides + k, next, sides + next, sides + k];
  });
  return geometry(points, index);
}

function capGeometry(sides: number): THREE.InstancedBufferGeometry {
  const ring = corners(sides);
  const middle = {circle: [0, 0], square: [0, 0, 0, 0]};
  const points = [{x: 0, corner: middle}, ...ring.map((corner) => ({x: 1, corner}))];
  return geometry(points, ring.flatMap((_, k) => [0, 1 + k, 1 + ((k + 1) % sides)]));
}

// Nodes before, at the start of, at the end of, and after every segment.
function chains(run: Run): Int32Array {
  const found: number[] = [];
  run.header.rods.forEach((rod, r) => {
    const first = run.first[r]!;
    const last = first + rod.nodes - 1;
    for (let i = first; i < last; ++i) {
      const before = i > first ? i - 1 : rod.closed ? last - 1 : i;
      const after = i + 1 < last ? i + 2 : rod.closed ? first + 1 : i + 1;
      found.push(before, i, i + 1, after);
    }
  });
  return new Int32Array(found);
}

function tips(run: Run): Int32Array {
  return new Int32Array(run.header.rods.flatMap((rod, r) => {
    const first = run.first[r]!;
    const last = first + rod.nodes - 1;
    return rod.closed ? [] : [first, first + 1, last, last - 1];
  }));
}

const half = (value: number | number[], node: number) => (typeof value === 'number' ? value : value[node]!);

export class Tubes {
  readonly group = new THREE.Group();
  readonly widest: number; // half width in units of the stage
  readonly segments: number;
  private readonly levels: THREE.InstancedBufferGeometry[];
  private readonly tube: THREE.Mesh;
  private readonly uniforms: Record<string, THREE.IUniform>;
  private readonly slots: {frame: number; field: number; places: THREE.DataTexture; values: THREE.DataTexture}[];
  private readonly blank: Uint8Array;
  private field = -1;

  constructor(private readonly run: Run, unit: number, centre: [number, number, number]) {
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
    const chain = new THREE.InstancedBufferAttribute(chains(run), 4);
    chain.gpuType = THREE.IntType;
    this.segments = chain.count;
    this.levels = [8, 16, 40].map((sides) => this.instanced(tubeGeometry(sides), 'chain', chain));
    this.tube = new THREE.Mesh(this.levels[0], material(tubeVertex, 0));
    const tip = new THREE.InstancedBufferAttribute(tips(run), 2);
    tip.gpuType = THREE.IntType;
    const caps = new THREE.Mesh(this.instanced(capGeometry(40), 'tip', tip), material(capVertex, 1));
    caps.visible = tip.count > 0;
    for (const mesh of [this.tube, caps]) {
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

  // `pixel`: units a CSS pixel is wide at distance 1; `distance`: to the nearest part of the motion. Rods that are thin on the
  // screen get fewer corners: 200 hairs of 50 segments are then 160,000 triangles instead of 800,000.
  prepare(pixel: number, distance: number, upInView: THREE.Vector3): void {
    this.uniforms.pixel!.value = pixel;
    (this.uniforms.upInView!.value as THREE.Vector3).copy(upInView);
    const width = (2 * this.widest) / (pixel * Math.max(distance, 1e-6));
    this.tube.geometry = this.levels[width < 5 ? 0 : width < 24 ? 1 : 2]!;
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
    return {frame: -1, field: -2, places, values};
  }

  // The texture that holds `frame`; `keep` is a frame that must stay in the other one.
  private fill(frame: number, keep: number) {
    const {run} = this;
    const slot = this.slots.find((slot) => slot.frame === frame) ?? this.slots.find((slot) => slot.frame !== keep)!;
    const range = (size: number) => [size * run.texels * frame, size * run.texels * (frame + 1)] as const;
    if (slot.frame !== frame) {
      (slot.places.image as {data: unknown}).data = run.places.subarray(...range(4));
      slot.places.needsUpdate = true;
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
