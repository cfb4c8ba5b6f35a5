// A scene with every key of the format.
#pragma once

#include <string>

namespace writhe::test {

inline const std::string full_scene = R"(writhe: 1
title: "Every key: once"
gravity: {vector: [1, 2, -3.5], ramp: [[0, 0], [1, 1]]}
materials:
  rubber: {young: 1e6, poisson: 0.5, density: 1300}
  steel: {young: 2.1e+11, shear: 8e10, density: 7850}
  wire: {preset: copper, density: 8900}
sections:
  round: {circle: {radius: 0.005}}
  tube: {tube: {outer_radius: 0.01, inner_radius: .008}}
  tape: {rectangle: {width: 0.02, height: 0.005}, shear_factor: 0.833}
  oval: {ellipse: {semi_axis1: 0.02, semi_axis2: 0.01}}
  wire: {stiffness: {EA: 1, GA: 2, EI1: 3, EI2: 4, GJ: 5, linear_density: 6, inertia: [7, 8, 9], radius: 10}}
rods:
  straight:
    section: tape
    material: rubber
    centreline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}
    segments: 100
    rest: {straight: {length: 0.9}}
    d1: [0, 1, 0]
    initial_twist: 360 deg
    rest_twist: "-0.5 turns"
    closed: false
    closing_angle: 0.25
    closing_motion: [[0, 0], [2, 1 turn]]
    taper: [[0, 1], [1, 0.5]]
    velocity: [1.5, -2, 0.25]
  bent:
    section: wire
    centreline: {polyline: {points: [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}}
    segments: 10
    rest: {curvature: [1.5, -2.5], twist: 3.5, length: 2.5}
  arc:
    section: round
    material: steel
    centreline: {arc: {radius: 2, angle: 90 deg, centre: [1, 0, 0], normal: [0, 1, 0], start: [0, 0, 1]}}
    segments: 11
    rest: {shape: {helix: {radius: 3, pitch: 0.5, turns: -2}}, d1: [0, 0, 1]}
  ring:
    section: round
    material: steel
    centreline: {ring: {radius: 4, centre: [0, 0, 5], normal: [1, 0, 0], start: [0, 1, 0]}}
    segments: 12
    rest: straight
    closed: true
  helix:
    section: oval
    material: steel
    centreline: {helix: {radius: 5, pitch: 0.1, turns: 2.5, centre: [0, 0, 6], axis: [0, 1, 0], start: [0, 0, 1]}}
    segments: 13
    rest: as_built
  parabola:
    section: tube
    material: steel
    centreline: {parabola: {from: [0, 0, 0], to: [2, 0, 0], sag: 0.5, up: [0, 1, 0]}}
    segments: 14
  catenary:
    section: tube
    material: steel
    centreline: {catenary: {from: [0, 1, 0], to: [3, 0, 0], length: 4.5, up: [0, 2, 0]}}
    segments: 15
joints:
  - {name: corner, places: [straight.end, "bent.node[3]"]}
supports:
  - {clamp: straight.start, axes: xy, tangent: [1, 0, 0], d1: [0, 0, 1], motion: {
      translate: [[0, [0, 0, 0]], [1, [0.5, 0.25, 0]]], rotate: {axis: [0, 0, 2], about: [1, 0, 0], angle: [[0, 0], [2, 90 deg]]},
      twist: [[1, 0], [3, 2 turns]], easing: smooth}}
  - {pin: helix.end, axes: z, motion: {translate: [[0, [0, 0, 0]], [1, [0, 0, 1]]],
      rotate: {axis: [0, 0, 1], about: [0, 1, 0], angle: [[0, 0], [1, 1]]}, easing: smoother}}
loads:
  - {force: [0, 0, -1], at: straight.end, follower: true, ramp: [[0, 0], [1, 1]]}
  - {moment: [0, 1, 0], at: straight@0.5, follower: true, ramp: [[0, 0], [2, 1]]}
  - {force_per_length: [0, 0, -2], rod: arc, ramp: [[0, 0], [3, 1]]}
  - {drag: {normal: 0.1, tangential: 0.05, velocity: [1, 0, 0]}, rod: helix, ramp: [[0, 0], [4, 1]]}
  - {wind: {velocity: [3, 0, 0], density: 1.3, coefficient: 0.9}, rod: ring, ramp: [[0, 0], [5, 1]]}
links:
  - {name: tie, spring: [straight@0.5, arc.end], stiffness: 3, rest_length: 0.25, damping: 0.125, ramp: [[0, 1], [6, 2]]}
  - {tether: [[1, 2, 3], helix.start], stiffness: 4}
obstacles:
  - {name: floor, plane: {point: [0, 0, -1], normal: [0, 1, 2]}}
  - {name: ball, sphere: {centre: [1, 2, 3], radius: 0.5}, motion: {
      translate: [[0, [0, 0, 0]], [4, [1, 0, 0]]], rotate: {axis: [0, 0, 1], about: [2, 0, 0], angle: [[0, 0], [2, 1 turn]]}, easing: smooth}}
  - {name: brick, box: {centre: [4, 5, 6], size: [1, 2, 3], x: [1, 1, 0], y: [0, 1, 1]}}
  - {name: bar, capsule: {from: [7, 8, 9], to: [8, 8, 9], radius: 0.25}}
  - {name: spike, mesh: {file: )" WRITHE_SOURCE_DIR R"(/tests/cases/tetrahedron.obj, scale: 0.5, translate: [10, 0, 0]}}
contact: {self: true, between: [[straight, bent], [arc, ring]], thickness: 0.011, stiffness: 1e6}
damping: {mass: 0.5, internal: 1e-3}
time: {dt: 2e-3, until: 3, adaptive: true, tolerance: 1e-4}
solver: {method: pd, integrator: midpoint, tolerance: 1e-5, newton: {max_iterations: 50}, pd: {iterations: 3, weights: published, coupling: separate, metric: constant, acceleration: none}}
output:
  interval: 0.01
  formats: [usd, vtk]
  frame_interval: 0.02
  checkpoint: 5
  probes:
    - {name: tip, at: straight.end, fields: [position, tension, curvature, twist]}
  picture: {view: iso, color: tension, frames: 4}
)";

}  // namespace writhe::test
