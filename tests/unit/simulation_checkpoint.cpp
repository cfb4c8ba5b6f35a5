// Checkpoints: whole or refused, of the same scene or refused, and runs that go on with the same bits.
#include <cmath>
#include <cstring>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "model/scene_digest.h"
#include "scene_full.h"
#include "simulation/checkpoint.h"
#include "simulation/settling.h"
#include "simulation/step_clock.h"
#include "support/scenes.h"
#include "writhe/error.h"
#include "writhe/load.h"

using namespace writhe;
using namespace writhe::test;

namespace {

Scene falling() {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -9.81};
  clamp(scene, "rod.start");
  return scene;
}

std::string message_of(const std::string& bytes) {
  try {
    decode_checkpoint(bytes, "file");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal(const Scene& scene, const std::string& bytes) {
  Simulation simulation = simulate(scene);
  try {
    simulation.restore(bytes, "file");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

const std::string damaged = "--resume: file: is damaged; resume from another checkpoint, or start the run anew";

// With a hash that is right for what is there: only the contents can give it away.
std::string rehashed(std::string bytes) {
  bytes.resize(bytes.size() - sizeof(std::uint64_t));
  const std::uint64_t hash = hash_of(bytes);
  bytes.append(reinterpret_cast<const char*>(&hash), sizeof hash);
  return bytes;
}

// Remembers what it is told.
struct Notes : Sink {
  std::string label, text;
  explicit Notes(std::string name) : label(std::move(name)) {}
  void begin(const Model&, const State&) override { text += "begin "; }
  void write(const Model&, const State&, const StepReport&) override { text += "step "; }
  void end(const Model&, const State&) override { text += "end "; }
  std::string name() const override { return label; }
  std::string bookmark() override { return text; }
  void resume(const Model&, const State&, const std::string& bookmark) override { text = bookmark + "resume "; }
};

}  // namespace

TEST(Checkpoint, HoldsWhatWasPutIn) {
  Simulation simulation = simulate(falling());
  ASSERT_TRUE(simulation.run(0.1).accepted());
  const Checkpoint out = decode_checkpoint(simulation.checkpoint(), "file");
  EXPECT_EQ(state_hash(out.state), state_hash(simulation.state()));
  EXPECT_EQ(out.method, "newton");
  EXPECT_EQ(out.scene, scene_digest(simulation.model().scene()));
  EXPECT_EQ(out.clock.now(), simulation.state().time);
}

TEST(Checkpoint, EveryFlippedBitIsNoticed) {
  Scene scene = Cord{.segments = 2}.scene();
  const std::string good = simulate(scene).checkpoint();
  ASSERT_EQ(message_of(good), "accepted");
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
      ASSERT_NE(message_of(bad), "accepted") << "byte " << i << " bit " << bit;
    }
  }
}

TEST(Checkpoint, EveryTruncationIsNoticed) {
  const std::string good = simulate(Cord{.segments = 2}.scene()).checkpoint();
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::string message = message_of(good.substr(0, size));
    ASSERT_EQ(message, size < 8 ? "--resume: file: is not a checkpoint; give the checkpoint.writhe of a run" : damaged);
  }
  EXPECT_EQ(message_of(good + "x"), damaged);
}

// A wrong content under a right hash: shorter lists, counts beyond the end, values that are not finite.
TEST(Checkpoint, ContentsAreCheckedToo) {
  const std::string good = simulate(Cord{.segments = 2}.scene()).checkpoint();
  for (std::size_t size = 24; size < good.size(); ++size) ASSERT_EQ(message_of(rehashed(good.substr(0, size))), damaged) << size;
  std::string version = good;
  version[8] = 1;
  EXPECT_EQ(message_of(rehashed(version)),
            "--resume: file: is of version 1, and this program reads version 7; resume with the program that wrote it");

  Checkpoint spoilt = decode_checkpoint(good, "file");
  spoilt.state.v[1].y = std::nan("");
  EXPECT_EQ(message_of(encode(spoilt)), damaged);
  spoilt = decode_checkpoint(good, "file");
  spoilt.state.q[0].w = 3;
  EXPECT_EQ(message_of(encode(spoilt)), damaged);
}

TEST(Checkpoint, OfAnotherSceneIsRefused) {
  Scene scene = falling();
  const std::string bytes = simulate(scene).checkpoint();
  EXPECT_EQ(refusal(scene, bytes), "accepted");
  Scene finer = scene;
  finer.rods[0].segments = 30;
  EXPECT_EQ(
      refusal(finer, bytes),
      "--resume: file: belongs to another scene: it has 21 nodes and this scene 31; give the scene and the --set it was made "
      "with");
  Scene softer = scene;
  softer.materials[0].young /= 2;
  EXPECT_EQ(refusal(softer, bytes),
            "--resume: file: belongs to another scene: as many nodes, but rods, supports, loads, links, gravity or damping "
            "differ; give the "
            "scene and the --set it was made with (time, solver and output may change)");
  Scene other_step = scene;
  other_step.dt /= 2;
  other_step.until = 7;
  other_step.title = "again";
  EXPECT_EQ(refusal(other_step, bytes), "accepted");
}

// Every number, word and list of the scene that holds all keys, changed one at a time.
TEST(SceneDigest, NoticesEveryChangeThatMattersAndNoOther) {
  const auto digest = [](const std::vector<std::string>& set) { return scene_digest(parse_scene(full_scene, "s.yaml", set)); };
  const std::uint64_t whole = digest({});
  for (const char* change : {"gravity.vector[0]=2",
                             "gravity.ramp[1]=[1, 2]",
                             "materials.rubber.young=2e6",
                             "materials.rubber.poisson=0.4",
                             "materials.rubber.density=1",
                             "materials.steel.shear=7e10",
                             "sections.round.circle.radius=0.006",
                             "sections.tube.tube.outer_radius=0.02",
                             "sections.tube.tube.inner_radius=0.001",
                             "sections.tape.rectangle.width=1",
                             "sections.tape.rectangle.height=1",
                             "sections.tape.shear_factor=1",
                             "sections.oval.ellipse.semi_axis1=1",
                             "sections.oval.ellipse.semi_axis2=1",
                             "sections.wire.stiffness.EA=9",
                             "sections.wire.stiffness.GA=9",
                             "sections.wire.stiffness.EI1=9",
                             "sections.wire.stiffness.EI2=9",
                             "sections.wire.stiffness.GJ=9",
                             "sections.wire.stiffness.linear_density=9",
                             "sections.wire.stiffness.inertia=[1, 8, 9]",
                             "sections.wire.stiffness.inertia=[7, 1, 9]",
                             "sections.wire.stiffness.inertia=[7, 8, 1]",
                             "sections.wire.stiffness.radius=9",
                             "rods.straight.section=oval",
                             "rods.straight.material=steel",
                             "rods.straight.centreline.line.from=[1, 0, 0]",
                             "rods.straight.centreline.line.to=[2, 0, 0]",
                             "rods.straight.segments=99",
                             "rods.straight.rest.straight.length=1",
                             "rods.straight.rest=as_built",
                             "rods.straight.d1=[0, 0, 1]",
                             "rods.straight.initial_twist=1",
                             "rods.straight.rest_twist=1",
                             "rods.straight.closed=true",
                             "rods.straight.closing_angle=1",
                             "rods.straight.closing_motion[1]=[2, 2]",
                             "rods.straight.taper[1]=[1, 0.6]",
                             "rods.bent.centreline.polyline.points[2]=[1, 2, 0]",
                             "rods.arc.centreline.arc.radius=3",
                             "rods.arc.centreline.arc.angle=1",
                             "rods.arc.centreline.arc.centre=[0, 0, 0]",
                             "rods.arc.centreline.arc.normal=[0, 2, 0]",
                             "rods.arc.centreline.arc.start=[1, 0, 1]",
                             "rods.arc.rest.d1=[1, 0, 1]",
                             "rods.arc.rest.shape.helix.pitch=0.6",
                             "rods.ring.centreline.ring.radius=5",
                             "rods.ring.centreline.ring.centre=[0, 0, 6]",
                             "rods.ring.centreline.ring.normal=[2, 0, 0]",
                             "rods.ring.centreline.ring.start=[0, 1, 1]",
                             "rods.helix.centreline.helix.radius=6",
                             "rods.helix.centreline.helix.turns=2",
                             "rods.helix.centreline.helix.centre=[0, 0, 7]",
                             "rods.helix.centreline.helix.axis=[0, 2, 0]",
                             "rods.helix.centreline.helix.start=[0, 1, 1]",
                             "rods.parabola.centreline.parabola.sag=0.6",
                             "rods.parabola.centreline.parabola.up=[0, 2, 0]",
                             "rods.parabola.centreline.parabola.from=[0, 1, 0]",
                             "rods.parabola.centreline.parabola.to=[2, 1, 0]",
                             "rods.bent.rest.curvature=[1.5, 2.5]",
                             "rods.bent.rest.curvature=[2.5, -2.5]",
                             "rods.bent.rest.twist=3",
                             "rods.bent.rest.length=3",
                             "rods.catenary.centreline.catenary.from=[0, 2, 0]",
                             "rods.catenary.centreline.catenary.to=[3, 1, 0]",
                             "rods.catenary.centreline.catenary.length=5",
                             "rods.catenary.centreline.catenary.up=[0, 3, 0]",
                             "joints[0].places[1]=bent.end",
                             "supports[0].axes=x",
                             "supports[0].tangent=[2, 0, 0]",
                             "supports[0].d1=[0, 0, 2]",
                             "supports[0].clamp=straight.end",
                             "supports[0].motion.translate[1]=[1, [1, 0, 0]]",
                             "supports[0].motion.rotate.axis=[0, 1, 0]",
                             "supports[0].motion.rotate.about=[2, 0, 0]",
                             "supports[0].motion.rotate.angle[1]=[2, 1]",
                             "supports[0].motion.twist[1]=[3, 1]",
                             "supports[0].motion.easing=linear",
                             "loads[0].force=[0, 0, 1]",
                             "loads[0].at=straight.start",
                             "loads[0].follower=false",
                             "loads[0].ramp[1]=[1, 2]",
                             "loads[1].moment=[1, 1, 0]",
                             "loads[1].at=straight@0.6",
                             "loads[1].follower=false",
                             "loads[2].force_per_length=[0, 0, 0]",
                             "loads[2].rod=ring",
                             "loads[3].drag.normal=1",
                             "loads[3].drag.tangential=1",
                             "loads[3].drag.velocity=[0, 0, 0]",
                             "loads[3].rod=ring",
                             "loads[4].wind.velocity=[1, 0, 0]",
                             "loads[4].wind.density=1",
                             "loads[4].wind.coefficient=1",
                             "loads[4].rod=arc",
                             "obstacles[0].plane.point=[0, 0, 1]",
                             "obstacles[0].plane.normal=[0, 0, 1]",
                             "obstacles[1].sphere.centre=[0, 2, 3]",
                             "obstacles[1].sphere.radius=1",
                             "obstacles[1].motion.rotate.about=[0, 0, 0]",
                             "obstacles[1].motion.easing=linear",
                             "obstacles[2].box.centre=[0, 5, 6]",
                             "obstacles[2].box.size=[2, 2, 3]",
                             "obstacles[2].box.x=[1, 0, 0]",
                             "obstacles[2].box.y=[0, 1, 0]",
                             "obstacles[3].capsule.from=[6, 8, 9]",
                             "obstacles[3].capsule.to=[9, 8, 9]",
                             "obstacles[3].capsule.radius=1",
                             "obstacles[4].mesh.scale=1",
                             "obstacles[4].mesh.translate=[0, 0, 0]",
                             "contact.self=false",
                             "contact.between=all",
                             "contact.between[0]=[straight, ring]",
                             "contact.thickness=0.012",
                             "contact.stiffness=1e7",
                             "damping.mass=1",
                             "damping.internal=1"})
    EXPECT_NE(digest({change}), whole) << change;
  for (const char* change :
       {"title=other", "time.dt=1e-4", "time.until=9", "time.adaptive=false", "time.tolerance=1e-3", "solver.integrator=euler",
        "solver.tolerance=1e-7", "obstacles[0].name=ground", "solver.newton.max_iterations=7", "solver.pd.iterations=7",
        "solver.pd.weights=consistent", "solver.pd.coupling=coupled", "solver.pd.metric=refreshed",
        "solver.pd.acceleration=anderson", "output.interval=1", "output.picture.view=xz", "output.checkpoint=1"})
    EXPECT_EQ(digest({change}), whole) << change;
}

// The way to a time in one run, in pieces, and from checkpoints in between ends with the same bits.
TEST(Resume, GoesOnWithTheSameBits) {
  Scene scene = falling();
  scene.damping.internal = 1e-3;
  scene.supports[0].motion.emplace().twist.keys = {{0, 0}, {0.5, 3}};
  scene.dt = 0.003;  // ends off the grid
  Simulation whole = simulate(scene);
  ASSERT_TRUE(whole.run(0.5).accepted());

  std::string bytes = simulate(scene).checkpoint();
  for (int stops = 0; stops < 40; ++stops) {
    Simulation part = simulate(scene);
    part.restore(bytes, "file");
    int left = 5;
    ASSERT_TRUE(part.run(0.5, [&](const StepReport&) { return --left > 0; }).accepted());
    bytes = part.checkpoint();
  }
  const State end = decode_checkpoint(bytes, "file").state;
  EXPECT_EQ(end.time, 0.5);
  EXPECT_EQ(state_hash(end), state_hash(whole.state()));
}

TEST(Resume, SettlingGoesOnWithTheSameBits) {
  const Scene scene = falling();
  Simulation whole = simulate(scene);
  ASSERT_TRUE(whole.settle().accepted());
  EXPECT_TRUE(whole.at_rest());

  std::string bytes;
  int runs = 0;
  for (bool at_rest = false; !at_rest; ++runs) {
    Simulation part = simulate(scene);
    if (!bytes.empty()) part.restore(bytes, "file");
    ASSERT_TRUE(part.settle({}, [](const StepReport&) { return false; }).accepted());  // a step at a time
    at_rest = part.at_rest();
    bytes = part.checkpoint();
    ASSERT_LT(runs, 1000);
  }
  EXPECT_GT(runs, 10);
  Simulation again = simulate(scene);
  again.restore(bytes, "file");
  ASSERT_TRUE(again.settle().accepted());
  EXPECT_EQ(state_hash(again.state()), state_hash(whole.state())) << "what is at rest stays";
  again.step(0.1);
  EXPECT_FALSE(again.at_rest());
  EXPECT_EQ(state_hash(decode_checkpoint(bytes, "file").state), state_hash(whole.state()));
}

TEST(Resume, SinksGoOnByName) {
  const Scene scene = falling();
  Notes probes("probes"), nameless("");
  Simulation first = simulate(scene);
  first.add_sink(probes);
  first.add_sink(nameless);
  first.step(0.01);
  const std::string bytes = first.checkpoint();

  Notes again("probes"), fresh(""), unknown("other");
  Simulation second = simulate(scene);
  for (Sink* sink : std::initializer_list<Sink*>{&again, &fresh, &unknown}) second.add_sink(*sink);
  second.restore(bytes, "file");
  second.step(0.01);
  second.finish();
  EXPECT_EQ(again.text, "begin step resume step end ");
  EXPECT_EQ(fresh.text, "begin step end ");
  EXPECT_EQ(unknown.text, "resume step end ") << "with an empty bookmark: it may look for files of its own";

  Notes elsewhere("probes");
  Simulation third = simulate(scene);
  third.add_sink(elsewhere);
  third.restore(bytes, "file", false);
  third.step(0.01);
  EXPECT_EQ(elsewhere.text, "begin step ");
  EXPECT_THROW(third.restore(bytes, "file"), Error) << "it has begun";
}

// ---- the clock -------------------------------------------------------------------------------------------------------
TEST(StepClock, WholeStepsAreCountedNotAddedUp) {
  StepClock clock;
  double now = 0;
  for (int k = 1; k <= 3000; ++k) {
    clock.aim(now, 0.1, 300);
    now = clock.next();
    ASSERT_EQ(now, k * 0.1);
    clock.done();
  }
}

TEST(StepClock, TheLastStepIsShorterAndTheNextGridStartsThere) {
  StepClock clock;
  clock.aim(0, 0.4, 1);
  EXPECT_EQ(clock.next(), 0.4);
  clock.done();
  clock.aim(0.4, 0.4, 1);
  clock.done();
  clock.aim(0.8, 0.4, 1);
  EXPECT_DOUBLE_EQ(clock.next(), 1);
  clock.done();
  clock.aim(1, 0.4, 2);
  EXPECT_DOUBLE_EQ(clock.next(), 1.4);
}

TEST(StepClock, HalvesEndOnTheGridAndGrowAgain) {
  StepClock clock;
  clock.aim(0, 1, 100);
  ASSERT_TRUE(clock.halve());
  ASSERT_TRUE(clock.halve());
  double now = 0;
  std::set<double> times;
  while (now < 10) {
    clock.aim(now, 1, 100);
    now = clock.next();
    times.insert(now);
    clock.done();
  }
  EXPECT_EQ(*times.begin(), 0.25);
  for (int k = 1; k <= 10; ++k) EXPECT_TRUE(times.contains(k)) << k;
  EXPECT_TRUE(times.contains(1.5));
  EXPECT_FALSE(times.contains(1.25)) << "quarters are over after four";
  EXPECT_FALSE(times.contains(8.5)) << "whole steps again";
  for (int k = 0; k < StepClock::most_halvings; ++k) ASSERT_TRUE(clock.halve());
  EXPECT_FALSE(clock.halve());
}

// 256 steps for one are more than 64 (n + 16) after n = 6 of them; 64 for one never are.
TEST(StepClock, IsLaboriousWhereStepsStayShort) {
  for (const auto& [halvings, last] : {std::pair{6, 1000}, std::pair{8, 5}}) {
    StepClock clock;
    clock.aim(0, 1, 1e4);
    for (int k = 0; k < halvings; ++k) clock.halve();
    for (int whole = 1; whole <= last; ++whole) {
      for (int k = 0; k < 1 << halvings; ++k) clock.done(false);
      EXPECT_EQ(clock.now(), whole);
      EXPECT_FALSE(clock.is_laborious()) << whole;
    }
    for (int k = 0; k < 1 << halvings; ++k) clock.done(false);
    EXPECT_EQ(clock.is_laborious(), halvings == 8);
    EXPECT_EQ(clock.shorter_for_one(), 1 << halvings);
  }
}

// 2^31 steps are a few hours; and late times are known less well than a billionth of a short step.
TEST(StepClock, LastsForLongRuns) {
  StepClock clock;
  const double dt = 1e-7, until = 75.75;
  const double start = until - 10 * dt;
  double now = start;
  int steps = 0;
  while (until - now > StepClock::negligible(dt, until)) {
    clock.aim(now, dt, until);
    ASSERT_GT(clock.next() - now, dt / 2) << "no step of a rounding error";
    now = clock.next();
    clock.done();
    ++steps;
  }
  EXPECT_EQ(steps, 10);
  for (int k = 0; k < 100; ++k) clock.done();
  EXPECT_TRUE(clock.valid());
}

TEST(StepClock, PartsOfAStepDoNotPassTheEnd) {
  StepClock clock;
  clock.aim(0, 0.02, 1);
  clock.halve();
  clock.halve();
  clock.done();
  clock.aim(clock.now(), 0.02, 0.006);
  EXPECT_DOUBLE_EQ(clock.next(), 0.006);
}

// A length of the settling's own list that is not the scene's would be read out of bounds.
TEST(Checkpoint, OfASettlingOfAnotherSizeIsRefused) {
  const Scene small = Cord{.segments = 2}.scene();
  Simulation other = simulate(falling());
  other.settle({}, [](const StepReport&) { return false; });
  Checkpoint mixed = decode_checkpoint(simulate(small).checkpoint(), "file");
  mixed.settling = decode_checkpoint(other.checkpoint(), "file").settling;
  ASSERT_TRUE(mixed.settling);
  EXPECT_NE(refusal(small, encode(mixed)), "accepted");
}

// Another method, or another tolerance, has its own rest.
TEST(Settling, RestOfAnotherSolverIsLookedForAnew) {
  Scene scene = Cord{.segments = 8}.scene();
  scene.gravity = {0, 0, -9.81};
  clamp(scene, "rod.start");
  scene.solver.method = "pd";
  scene.solver.pd.weights = Weights::published;
  scene.solver.pd.iterations = 2000;
  Simulation stiff = simulate(scene);
  ASSERT_TRUE(stiff.settle().accepted());
  const std::string bytes = stiff.checkpoint();
  Simulation same = simulate(scene);
  same.restore(bytes, "file");
  EXPECT_TRUE(same.at_rest());
  scene.solver = {};
  Simulation right = simulate(scene), resumed = simulate(scene);
  ASSERT_TRUE(right.settle().accepted());
  resumed.restore(bytes, "file");
  EXPECT_FALSE(resumed.at_rest());
  ASSERT_TRUE(resumed.settle().accepted());
  EXPECT_GT(norm(stiff.state().x.back() - right.state().x.back()), 1e-3);
  EXPECT_LT(norm(resumed.state().x.back() - right.state().x.back()), 1e-6);
}

// A rod that swings to and fro for ever gets shorter steps after a few strikes: what is remembered for that goes on too.
TEST(Settling, GoesOnAsItWouldHave) {
  const SettleOptions options;
  State state = simulate(Cord{.segments = 2}.scene()).state();
  StepReport report;
  report.max_speed = 1;
  const auto swing = [&](Settling& settling, int k) {
    for (Vec3& v : state.v) v = {0, 0, k % 2 == 0 ? 1.0 : -1.0};
    settling.accepted(options, report, state);
    return settling.dt();
  };
  Settling whole(options, 1, 0, 0, 1);
  bool shorter = false;
  for (int k = 0; k < 40; ++k) {
    ByteWriter out;
    whole.save(out);
    Settling resumed;
    ByteReader in(out.bytes());
    resumed.load(in);
    ASSERT_EQ(in.left(), 0u);
    const double before = whole.dt();
    ASSERT_EQ(swing(resumed, k), swing(whole, k)) << k;
    shorter = shorter || whole.dt() < before;
  }
  EXPECT_TRUE(shorter);
}
