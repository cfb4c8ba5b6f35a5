// What rods cannot enter: shaded surfaces, each with its pose. Solid, as glass, or left out; what has the eye behind it is glass
// anyway, and so are sheets seen from their back: a wall between the eye and the rods.
import * as THREE from 'three';
import {toCreasedNormals} from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import {fromBase64, type ObstacleHeader, type Run} from './data';
import {dot, type Triple} from './fit';
import {obstacleFragment, obstacleVertex} from './shaders';

export type Look = 'solid' | 'glass' | 'hidden';
export const looks: Look[] = ['solid', 'glass', 'hidden'];

const crease = 0.6; // rad: edges that bend by more are drawn sharp
const mostSmooth = 30000; // triangles; smoothing more takes seconds
const opacity = {solid: 1, glass: 0.25};

interface Pose {
  turn: THREE.Quaternion;
  shift: Triple; // m
}

export function poseOf({poses}: ObstacleHeader, frame: number, part: number): Pose {
  if (poses.length === 0) return {turn: new THREE.Quaternion(), shift: [0, 0, 0]};
  const last = poses.length / 7 - 1;
  const at = (k: number, c: number) => poses[7 * Math.min(k, last) + c]!;
  const turn = (k: number) => new THREE.Quaternion(at(k, 1), at(k, 2), at(k, 3), at(k, 0)).normalize();
  const shift = (c: number) => (1 - part) * at(frame, c) + part * at(frame + 1, c);
  return {turn: turn(frame).slerp(turn(frame + 1), part), shift: [shift(4), shift(5), shift(6)]};
}

// m, as it stands in the scene.
export const pointsOf = (obstacle: ObstacleHeader) => new Float32Array(fromBase64(obstacle.points).buffer);

export class Obstacles {
  readonly group = new THREE.Group();
  look: Look = 'solid';
  private readonly shapes: THREE.Mesh<THREE.BufferGeometry, THREE.RawShaderMaterial>[];

  constructor(private readonly run: Run, private readonly unit: number, private readonly centre: Triple) {
    this.shapes = run.header.obstacles.map((obstacle) => {
      const places = pointsOf(obstacle).map((value, i) => (value - centre[(i % 3) as 0 | 1 | 2]) / unit);
      const shape = new THREE.Mesh(surface(places, new Uint32Array(fromBase64(obstacle.corners).buffer)), material(obstacle.plane));
      shape.frustumCulled = false;
      this.group.add(shape);
      return shape;
    });
    this.show(0, 0);
    this.paint();
  }

  // The instant `part` of the way from `frame` to the next.
  show(frame: number, part: number): void {
    this.run.header.obstacles.forEach((obstacle, k) => {
      const {turn, shift} = poseOf(obstacle, frame, part);
      // x -> R x + s is, from the middle of the stage, p -> R p + (R c + s - c).
      const moved = new THREE.Vector3(...this.centre).applyQuaternion(turn);
      const shape = this.shapes[k]!;
      shape.quaternion.copy(turn);
      shape.position.set(...([moved.x, moved.y, moved.z].map(
          (value, c) => (value + shift[c]! - this.centre[c]!) / this.unit) as Triple));
    });
  }

  next(): Look {
    this.look = looks[(looks.indexOf(this.look) + 1) % looks.length]!;
    this.paint();
    return this.look;
  }

  theme(dark: boolean): void {
    for (const {material: {uniforms}} of this.shapes) {
      uniforms.base!.value = dark ? new THREE.Vector3(0.16, 0.175, 0.2) : new THREE.Vector3(0.62, 0.645, 0.68);
      uniforms.dark!.value = dark ? 1 : 0;
    }
  }

  prepare(upInView: THREE.Vector3): void {
    for (const {material: {uniforms}} of this.shapes) uniforms.upInView!.value = upInView;
  }

  // Solid ones are drawn with the rods, and hide the floor below them; glass after all that.
  private paint(): void {
    this.group.visible = this.look !== 'hidden';
    const look = this.look === 'hidden' ? 'glass' : this.look;
    for (const shape of this.shapes) {
      const {material} = shape;
      const through = look === 'glass' || material.userData.plane === true;
      material.transparent = through;
      material.depthWrite = !through;
      material.uniforms.opacity!.value = opacity[look];
      shape.renderOrder = material.userData.plane ? -1 : through ? 2 : 0;
    }
  }
}

function surface(places: Float32Array, corners: Uint32Array): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(places, 3));
  geometry.setIndex(new THREE.BufferAttribute(corners, 1));
  if (corners.length / 3 <= mostSmooth) return toCreasedNormals(geometry, crease);
  geometry.computeVertexNormals();
  return geometry;
}

function material(plane: boolean): THREE.RawShaderMaterial {
  const made = new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3, vertexShader: obstacleVertex, fragmentShader: obstacleFragment, side: THREE.DoubleSide,
    uniforms: {base: {value: null}, dark: {value: 0}, opacity: {value: 1}, plane: {value: plane ? 1 : 0}, upInView: {value: null}},
  });
  made.userData.plane = plane;
  return made;
}

// m: points around obstacles that do not move and are no planes, and of those that do in some of the frames; only of such as are
// not much larger than the motion, whose box has the corners `low` and `high`.
export function nearbyPoints(run: Run, low: Triple, high: Triple): Triple[] {
  const most = 2 * Math.max(Math.hypot(...high.map((value, c) => value - low[c]!)), 1e-12);
  return run.header.obstacles.flatMap((obstacle) => {
    if (obstacle.plane) return [];
    const places = pointsOf(obstacle);
    const box = [[0, 1, 2].map(() => Infinity), [0, 1, 2].map(() => -Infinity)] as [Triple, Triple];
    places.forEach((value, i) => {
      const c = (i % 3) as 0 | 1 | 2;
      box[0][c] = Math.min(box[0][c], value);
      box[1][c] = Math.max(box[1][c], value);
    });
    if (Math.hypot(...box[1].map((value, c) => value - box[0][c]!)) > most) return [];
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [0, 1, 2].map((c) => box[(k >> c) & 1]![c]!) as Triple);
    const frames = obstacle.poses.length / 7;
    const instants = frames > 0 ? [0, 1, 2, 3, 4].map((k) => Math.round((k * (frames - 1)) / 4)) : [0];
    return instants.flatMap((frame) => {
      const {turn, shift} = poseOf(obstacle, frame, 0);
      return corners.map((corner) => new THREE.Vector3(...corner).applyQuaternion(turn).toArray().map(
          (value, c) => value + shift[c]!) as Triple);
    });
  });
}

// Along `up`, m: where the highest plane lies that does not move, is level and looks up.
export function levelOf(run: Run, up: Triple): number | null {
  const levels = run.header.obstacles.filter(({plane, poses}) => plane && poses.length === 0).flatMap((obstacle) => {
    const places = pointsOf(obstacle);
    const at = (k: number) => Array.from(places.subarray(3 * k, 3 * k + 3)) as Triple;
    const [a, b, c] = [at(0), at(1), at(2)];
    const normal = new THREE.Vector3(...b).sub(new THREE.Vector3(...a)).cross(new THREE.Vector3(...c).sub(new THREE.Vector3(...a)));
    return dot(normal.normalize().toArray(), up) > 0.9999 ? [dot(a, up)] : [];
  });
  return levels.length > 0 ? Math.max(...levels) : null;
}
