// What presses on the rods: arrows from their surfaces, in the direction in which the rod is pressed, as long as the force per
// length. One draw call.
import * as THREE from 'three';
import {half, type Run} from './data';
import type {Triple} from './fit';
import {strips} from './links';
import {looks} from './shaders';

const usual = 0.11; // units of the stage: the length of an arrow of usual size
export const longestArrow = 1.5; // of that length, beyond which arrows are cut off
const shortest = 0.02; // of that length, below which there is none

export class Contacts {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.RawShaderMaterial>;
  readonly any: boolean;
  arrows = 0; // that are shown
  private readonly from: THREE.InstancedBufferAttribute;
  private readonly to: THREE.InstancedBufferAttribute;
  private shown = '';
  private readonly radius: Float32Array; // m, of each node
  private readonly repeats = new Set<number>(); // nodes that are the first of their ring once more

  constructor(private readonly run: Run, private readonly toStage: (place: Triple) => Triple) {
    this.any = run.header.contact !== undefined;
    this.radius = new Float32Array(run.nodes);
    run.header.rods.forEach((rod, r) => {
      for (let m = 0; m < rod.nodes; ++m)
        this.radius[run.first[r]! + m] = Math.sqrt(half(rod.half1, m) * half(rod.half2, m));
      if (rod.closed) this.repeats.add(run.first[r]! + rod.nodes - 1);
    });
    const {mesh, from, to} = strips(this.any ? run.nodes : 0, looks.force);
    [this.mesh, this.from, this.to] = [mesh, from, to];
    this.mesh.visible = this.any;
  }

  toggle(): boolean {
    this.mesh.visible = this.any && !this.mesh.visible;
    this.shown = '';
    return this.mesh.visible;
  }

  // The instant `part` of the way from `frame` to the next.
  show(frame: number, part: number): void {
    if (!this.mesh.visible || this.shown === `${frame} ${part}`) return;
    this.shown = `${frame} ${part}`;
    const {run} = this;
    const scale = run.header.contact!.usual;
    this.arrows = 0;
    for (let node = 0; node < run.nodes; ++node) {
      if (this.repeats.has(node)) continue;
      const force = run.contact(node, frame, part);
      const size = Math.hypot(...force);
      const length = usual * Math.min(size / scale, longestArrow);
      if (!(length > shortest * usual)) continue;
      const place = run.position(node, frame, part);
      const start = this.toStage(place.map((value, c) => value + (this.radius[node]! * force[c]!) / size) as Triple);
      this.from.set(start, 3 * this.arrows);
      this.to.set(start.map((value, c) => value + (length * force[c]!) / size), 3 * this.arrows);
      ++this.arrows;
    }
    this.mesh.geometry.instanceCount = this.arrows;
    for (const attribute of [this.from, this.to]) attribute.needsUpdate = true;
  }

  // `pixel`: units a CSS pixel is wide at distance 1.
  prepare(pixel: number): void {
    this.mesh.material.uniforms.pixel!.value = pixel;
  }

  ink(dark: boolean): void {
    this.mesh.material.uniforms.ink!.value = dark ? new THREE.Vector3(1, 0.62, 0.36) : new THREE.Vector3(0.76, 0.25, 0.05);
  }
}
