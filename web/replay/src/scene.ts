// The stage: renderer, camera and its controls, floor. Its unit is the radius of the whole motion, with the fixed points of
// links and obstacles nearby, and its origin the middle of it, so that a hair and a bridge look alike to the depth buffer and to the controls. World z
// need not be up: `up` is the header's.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {roundStep} from '../../common/numbers';
import {Contacts} from './contacts';
import type {Run, View} from './data';
import {box, cross, dot, plus, samples, scaled, standpoint, unit, type Opening, type Triple} from './fit';
import {inkFloor, makeFloor, strongEvery, type Floor} from './floor';
import {Links} from './links';
import {levelOf, nearbyPoints, Obstacles} from './obstacles';
import type {Seen} from './pick';
import {Tubes} from './tubes';

export interface Colors {
  background: [number, number, number]; // bytes
  dark: boolean;
}

const fieldOfView = 28; // degrees, vertical: long enough that parallel rods look parallel
const vector = (at: Triple) => new THREE.Vector3(...at);

export class Stage {
  readonly tubes: Tubes;
  readonly cell: number; // m, of the floor's grid
  touched = false; // the user has moved the camera: it is theirs from then on
  onMove = () => {};
  private readonly renderer: THREE.WebGLRenderer;
  private readonly camera = new THREE.PerspectiveCamera(fieldOfView, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly scene = new THREE.Scene();
  readonly contacts: Contacts;
  readonly obstacles: Obstacles;
  private readonly links: Links;
  private readonly around: Triple[]; // m, of obstacles that are to be in view
  private readonly floor: Floor;
  private readonly unit: number; // m
  private readonly centre: Triple; // m
  private readonly up: Triple;
  private background: Colors['background'] = [255, 255, 255];
  private view: View;
  private drawn = {calls: 0, triangles: 0};
  private flight: {from: [THREE.Vector3, THREE.Vector3]; to: [THREE.Vector3, THREE.Vector3]; start: number} | null = null;

  // Throws where there is no WebGL 2. `openings`: parts of the canvas that nothing lies over.
  constructor(private readonly canvas: HTMLCanvasElement, private readonly run: Run, private readonly openings: () => Opening[]) {
    const context = canvas.getContext('webgl2', {antialias: true, alpha: false, powerPreference: 'high-performance'});
    if (!context) throw new Error('no WebGL 2');
    this.renderer = new THREE.WebGLRenderer({canvas, context});
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace; // shaders.ts writes screen colours itself
    this.up = unit(run.header.up);
    let [low, high] = box(run.header);
    this.around = nearbyPoints(run, low, high);
    low = [0, 1, 2].map((c) => Math.min(low[c]!, ...this.around.map((place) => place[c]!))) as Triple;
    high = [0, 1, 2].map((c) => Math.max(high[c]!, ...this.around.map((place) => place[c]!))) as Triple;
    this.centre = scaled(plus(low, high), 0.5);
    const widest = Math.max(...run.header.rods.map((rod) => [rod.half1, rod.half2].flat().reduce((a, b) => Math.max(a, b), 0)));
    this.unit = Math.max(Math.hypot(...plus(high, scaled(low, -1))) / 2, widest, 1e-9);
    this.tubes = new Tubes(run, this.unit, this.centre);
    this.links = new Links(run, (place) => this.toStage(place));
    this.contacts = new Contacts(run, (place) => this.toStage(place));
    this.obstacles = new Obstacles(run, this.unit, this.centre);
    this.cell = roundStep(this.unit / 4);
    const level = levelOf(run, this.up); // the grid lies on a level plane, where there is one
    const below = Math.min(...this.corners(low, high).map((corner) => dot(corner, this.up))) - this.tubes.widest - 0.04;
    const onLevel = level === null ? -Infinity : (level - dot(this.centre, this.up)) / this.unit + 5e-4;
    const lowest = Math.abs(onLevel - below) < 1 ? onLevel : below;
    this.floor = makeFloor(lowest, this.up, this.sideways(), scaled(this.centre, 1 / this.unit), this.cell / this.unit,
                           strongEvery(this.cell));
    this.scene.add(this.tubes.group, this.links.mesh, this.contacts.mesh, this.obstacles.group, this.floor);
    this.camera.up.set(...this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.minDistance = 1e-3;
    this.controls.maxDistance = 40;
    this.controls.addEventListener('start', () => {
      this.touched = true;
      this.flight = null;
    });
    this.controls.addEventListener('change', () => this.onMove());
    this.view = run.header.view;
  }

  resize(): void {
    const {clientWidth: width, clientHeight: height} = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (!this.touched) this.fit(false);
  }

  // Frames the whole motion, from a named side or from where the camera is.
  fit(smooth: boolean, view?: View): void {
    if (view) this.view = view;
    const fromHere = view === undefined && this.touched;
    const back = fromHere ? unit(this.camera.position.clone().sub(this.controls.target).toArray()) : this.direction(this.view);
    const points = [...samples(this.run), ...this.around].map((point) => this.toStage(point));
    const upright = Math.abs(dot(back, this.up)) > 0.999 ? this.sideways() : this.up;
    const tangent = Math.tan((fieldOfView * Math.PI) / 360);
    const size = Math.max(this.tubes.widest, 0.01);
    const [nearest] = this.openings()
                          .map((opening) => standpoint(points, size, back, upright, tangent, this.camera.aspect, opening))
                          .sort((a, b) => a.distance - b.distance);
    this.touched = fromHere;
    this.fly(vector(nearest!.camera), vector(nearest!.target), smooth);
  }

  // Turns the camera about what it looks at (rad) and goes nearer: what a mouse does, for keys.
  turn(right: number, upwards: number, nearer = 1): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const axis = vector(this.up);
    const side = axis.clone().cross(offset).normalize();
    const angle = Math.min(Math.max(offset.angleTo(axis) - upwards, 0.002), Math.PI - 0.002);
    offset.applyAxisAngle(side, angle - offset.angleTo(axis)).applyAxisAngle(axis, right).divideScalar(nearer);
    this.touched = true;
    this.fly(this.controls.target.clone().add(offset), this.controls.target.clone(), false);
    this.onMove();
  }

  theme(colors: Colors): void {
    this.background = colors.background;
    const color = new THREE.Color().fromArray(colors.background.map((value) => value / 255));
    this.renderer.setClearColor(color);
    const grey = (value: number) => new THREE.Vector3(value, value, value);
    const rim = (r: number, g: number, b: number) => new THREE.Vector3(r, g, b);
    this.tubes.light(
        colors.dark ? {ground: grey(0.24), sky: grey(0.52), rim: rim(0.2, 0.22, 0.26), gloss: 0.3, stripe: 0.75, lift: 0.05} :
                      {ground: grey(0.32), sky: grey(0.6), rim: rim(0.1, 0.1, 0.11), gloss: 0.26, stripe: 0.72, lift: 0});
    this.links.ink(colors.dark);
    this.contacts.ink(colors.dark);
    this.obstacles.theme(colors.dark);
    inkFloor(this.floor, colors.dark);
  }

  // The instant `part` of the way from `frame` to the next.
  show(frame: number, part: number): void {
    this.tubes.show(frame, part);
    this.links.show(frame, part);
    this.obstacles.show(frame, part);
    this.contacts.show(frame, part);
  }

  // Whether the camera is still on its way, and another picture is due.
  draw(now: number): boolean {
    const flying = this.advance(now);
    const moving = !flying && this.controls.update();
    const {camera} = this;
    const distance = camera.position.length();
    const aim = camera.position.distanceTo(this.controls.target);
    const nearest = Math.min(Math.max(distance - 1, 0.1 * aim), aim); // of the motion, which is within 1 of the origin
    camera.near = 0.02 * nearest;
    camera.far = distance + 12;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    const upInView = vector(this.up).transformDirection(camera.matrixWorldInverse);
    this.tubes.prepare(this.pixelAt(1), nearest, upInView);
    this.links.prepare(this.pixelAt(1));
    this.contacts.prepare(this.pixelAt(1));
    this.obstacles.prepare(upInView);
    this.renderer.render(this.scene, camera);
    const {calls, triangles} = this.renderer.info.render;
    this.drawn = {calls, triangles};
    return flying || moving;
  }

  // CSS pixels of a place (m) from the top left of the page.
  project(place: Triple): {x: number; y: number} {
    const {x, y} = this.projector()(place);
    return {x, y};
  }

  // The same for many places: CSS pixels, and how many of them a metre across the view is there; 0 behind the camera.
  projector(): (place: Triple) => Seen {
    const {camera} = this;
    camera.updateMatrixWorld();
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector3();
    const perMetre = 1 / (this.pixelAt(1) * this.unit);
    return (place) => {
      at.set(...this.toStage(place)).applyMatrix4(camera.matrixWorldInverse);
      const depth = -at.z;
      at.applyMatrix4(camera.projectionMatrix);
      return {
        x: box.left + ((at.x + 1) / 2) * box.width, y: box.top + ((1 - at.y) / 2) * box.height,
        perMetre: depth > camera.near ? perMetre / depth : 0,
      };
    };
  }

  stats() {
    return {...this.drawn, ...this.tubes.detail, nodes: this.run.nodes, arrows: this.contacts.mesh.visible ? this.contacts.arrows : 0};
  }

  backgroundColor(): [number, number, number] {
    return [...this.background];
  }

  // Metres that a CSS pixel is wide where the camera looks.
  metresPerPixel(): number {
    return this.pixelAt(this.camera.position.distanceTo(this.controls.target)) * this.unit;
  }

  // World axes as seen: x to the right, y up, z towards the eye.
  axes(): Triple[] {
    const turn = this.camera.matrixWorldInverse;
    return [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => vector(axis as Triple).transformDirection(turn).toArray());
  }

  private toStage(place: Triple): Triple {
    return scaled(plus(place, scaled(this.centre, -1)), 1 / this.unit);
  }

  private corners(low: Triple, high: Triple): Triple[] {
    return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => this.toStage([0, 1, 2].map((c) => ((k >> c) & 1 ? high : low)[c]!) as Triple));
  }

  private pixelAt(distance: number): number {
    return (2 * Math.tan((fieldOfView * Math.PI) / 360) * distance) / Math.max(this.canvas.clientHeight, 1);
  }

  // From where a view looks. Straight down, the controls need to know what is up in the picture: a hair's breadth beside the
  // pole.
  private direction(view: View): Triple {
    const front = scaled(this.sideways(), -1);
    const right = cross(this.up, front);
    const iso = plus(plus(scaled(right, 0.5), scaled(front, 0.75)), scaled(this.up, 0.36));
    const directions: Record<View, Triple> = {iso, xy: [0, 0, 1], xz: [0, -1, 0], yz: [1, 0, 0]};
    const back = unit(directions[view] ?? iso);
    return Math.abs(dot(back, this.up)) > 0.999 ? unit(plus(back, scaled(front, 1e-3))) : back;
  }

  // A world axis across `up`: y where z is up.
  private sideways(): Triple {
    const axis: Triple = Math.abs(this.up[1]) > 0.9 ? [0, 0, -1] : [0, 1, 0];
    return unit(plus(axis, scaled(this.up, -dot(axis, this.up))));
  }

  private fly(camera: THREE.Vector3, target: THREE.Vector3, smooth: boolean): void {
    this.flight = {
      from: [this.camera.position.clone(), this.controls.target.clone()],
      to: [camera, target],
      start: performance.now()
    };
    if (!smooth) this.advance(Infinity);
    this.onMove();
  }

  private advance(now: number): boolean {
    if (!this.flight) return false;
    const {from, to, start} = this.flight;
    const part = Math.min(Math.max((now - start) / 350, 0), 1);
    const eased = part * part * (3 - 2 * part);
    const target = from[1].clone().lerp(to[1], eased);
    const [a, b] = [from[0].clone().sub(from[1]), to[0].clone().sub(to[1])];
    const length = a.length() + (b.length() - a.length()) * eased;
    const direction = a.normalize().lerp(b.normalize(), eased);
    if (part === 1 || direction.length() < 0.05) direction.copy(b);
    this.camera.position.copy(target).addScaledVector(direction.normalize(), length);
    this.controls.target.copy(target);
    this.camera.lookAt(target);
    if (part === 1) {
      this.flight = null;
      this.controls.update();
    }
    return part < 1;
  }
}
