// The grid below the motion: it shows which way is down, and lengths.
import * as THREE from 'three';
import {cross, dot, scaled, type Triple} from './fit';
import {floorFragment, floorVertex} from './shaders';

export type Floor = THREE.Mesh<THREE.PlaneGeometry, THREE.RawShaderMaterial>;

const reach = 5; // units of the stage, to where the lines have faded away

// Cells between strong lines, for a cell in m: 1 -> 5, 2 -> 10, 5 -> 20.
export const strongEvery = (cell: number) => (cell.toExponential(0).startsWith('5') ? 4 : 5);

// `height`: of the floor along `up`; `front`: an axis across `up`; `origin`: where the stage has its origin, in its own units:
// lines lie at multiples of the cell from the origin of the world, every `strong`th of them stronger.
export function makeFloor(height: number, up: Triple, front: Triple, origin: Triple, cell: number, strong: number): Floor {
  const right = cross(front, up);
  const shift = (axis: Triple) => dot(origin, axis) % (cell * strong);
  const material = new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3, vertexShader: floorVertex, fragmentShader: floorFragment, transparent: true, depthWrite: false,
    side: THREE.DoubleSide,
    uniforms: {ink: {value: null}, strength: {value: 1}, cell: {value: cell}, major: {value: strong}, reach: {value: reach},
               shift: {value: new THREE.Vector2(shift(right), shift(front))}},
  });
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(2 * reach, 2 * reach), material);
  const vector = (axis: Triple) => new THREE.Vector3(...axis);
  floor.matrixAutoUpdate = false;
  floor.matrix.makeBasis(vector(right), vector(front), vector(up)).setPosition(vector(scaled(up, height)));
  floor.frustumCulled = false;
  return floor;
}

export function inkFloor(floor: Floor, dark: boolean): void {
  const {uniforms} = floor.material;
  uniforms.ink!.value = dark ? new THREE.Vector3(0.62, 0.68, 0.78) : new THREE.Vector3(0.3, 0.36, 0.45);
  uniforms.strength!.value = dark ? 0.34 : 0.3;
}
