// Springs and tethers, and dots where they are held: all in one draw call, an instance each. They are few beside the segments:
// their ends are computed here and not by the GPU.
import * as THREE from 'three';
import type {Run} from './data';
import {fixedPoints, type Triple} from './fit';
import {linkFragment, linkVertex, looks} from './shaders';

const reach = 6; // CSS pixels from the middle line to where nothing is drawn any more

// `count` strips that face the eye, each from one place to another: one draw call.
export function strips(count: number, looks: number | null = null) {
  const instances = (size: number) => new THREE.InstancedBufferAttribute(new Float32Array(size * count), size);
  const [from, to, look] = [instances(3), instances(3), instances(1)];
  if (looks !== null) look.array.fill(looks);
  const geometry = new THREE.InstancedBufferGeometry();
  const corners = [0, -1, 0, 1, -1, 0, 0, 1, 0, 1, 1, 0];
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(corners), 3));
  geometry.setIndex([0, 1, 2, 2, 1, 3]);
  geometry.setAttribute('from', from).setAttribute('to', to).setAttribute('look', look);
  geometry.instanceCount = count;
  const material = new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3, vertexShader: linkVertex, fragmentShader: linkFragment, transparent: true, depthWrite: false,
    side: THREE.DoubleSide, uniforms: {ink: {value: null}, pixel: {value: 1}, reach: {value: reach}},
  });
  const mesh = new THREE.Mesh(geometry, material);
  mesh.frustumCulled = false; // only the shader knows how wide it is
  mesh.renderOrder = 1; // over the floor
  return {mesh, from, to, look};
}

export class Links {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.RawShaderMaterial>;
  private readonly from: THREE.InstancedBufferAttribute;
  private readonly to: THREE.InstancedBufferAttribute;
  private readonly look: THREE.InstancedBufferAttribute;

  // `toStage`: from m to units of the stage.
  constructor(private readonly run: Run, private readonly toStage: (place: Triple) => Triple) {
    const {links} = run.header;
    const dots = fixedPoints(run.header);
    const {mesh, from, to, look} = strips(links.length + dots.length);
    [this.mesh, this.from, this.to, this.look] = [mesh, from, to, look];
    this.mesh.visible = links.length > 0;
    dots.forEach((place, d) => this.put(links.length + d, place, place, looks.dot));
  }

  // The instant `part` of the way from `frame` to the next.
  show(frame: number, part: number): void {
    this.run.header.links.forEach(({kind, ends, slack}, k) => {
      const [from, to] = ends.map((end) => this.run.endPosition(end, frame, part)) as [Triple, Triple];
      const isSlack = slack.filter((change) => change <= frame).length % 2 === 1;
      this.put(k, from, to, kind === 'spring' ? looks.spring : isSlack ? looks.slack : looks.taut);
    });
    for (const attribute of [this.from, this.to, this.look]) attribute.needsUpdate = true;
  }

  // `pixel`: units a CSS pixel is wide at distance 1.
  prepare(pixel: number): void {
    this.mesh.material.uniforms.pixel!.value = pixel;
  }

  ink(dark: boolean): void {
    this.mesh.material.uniforms.ink!.value = dark ? new THREE.Vector3(0.72, 0.77, 0.84) : new THREE.Vector3(0.23, 0.25, 0.28);
  }

  private put(instance: number, from: Triple, to: Triple, look: number): void {
    this.from.set(this.toStage(from), 3 * instance);
    this.to.set(this.toStage(to), 3 * instance);
    this.look.set([look], instance);
  }
}
