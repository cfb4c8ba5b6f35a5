// frames.bin: states come back as they were, whatever happened to the program that wrote them.
#include <gtest/gtest.h>

#include "output/frame_store.h"
#include "output_support.h"
#include "writhe/error.h"

namespace writhe::output {
namespace {

namespace fs = std::filesystem;

class Store : public testing::Test {
 protected:
  State state(int i) const {
    State out = test::moved_state(m_model, i);
    for (std::size_t k = 0; k < out.w.size(); ++k) out.w[k] = {1.0 / (i + 1), -0.0, static_cast<double>(k)};
    out.closing.assign(1, 0.1 * i);
    return out;
  }
  FrameStore filled(int count) const {
    FrameStore store = FrameStore::create(m_path, FrameStore::counts_of(state(0)));
    for (int i = 0; i < count; ++i) store.append(state(i));
    store.flush();
    return store;
  }
  static void expect_equal(const State& a, const State& b) {
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.v, b.v);
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.w, b.w);
    EXPECT_EQ(a.closing, b.closing);
  }

  const Model m_model{test::framed_scene()};
  const test::TemporaryFolder m_folder;
  const fs::path m_path = m_folder / "frames.bin";
};

TEST_F(Store, StatesComeBackInAnyOrder) {
  FrameStore store = filled(5);
  EXPECT_EQ(store.count(), 5U);
  State read;
  for (const int i : {4, 0, 2, 2}) {
    store.read(static_cast<std::size_t>(i), read);
    expect_equal(read, state(i));
  }
  store.append(state(5));  // after reading somewhere else
  store.read(5, read);
  expect_equal(read, state(5));
  store.read(1, read);
  expect_equal(read, state(1));
}

TEST_F(Store, IsTheSameWhenOpenedAgain) {
  filled(3);
  FrameStore store = FrameStore::open(m_path);
  EXPECT_EQ(store.count(), 3U);
  EXPECT_EQ(store.counts(), FrameStore::counts_of(state(0)));
  store.append(state(3));
  State read;
  for (int i = 0; i < 4; ++i) {
    store.read(static_cast<std::size_t>(i), read);
    expect_equal(read, state(i));
  }
}

TEST_F(Store, ARecordThatWasCutOffIsTakenAway) {
  filled(3);
  const std::uintmax_t whole = fs::file_size(m_path);
  const std::uintmax_t two = [&] {
    const test::TemporaryFolder other;
    FrameStore store = FrameStore::create(other / "two", FrameStore::counts_of(state(0)));
    for (int i = 0; i < 2; ++i) store.append(state(i));
    store.flush();
    return fs::file_size(other / "two");
  }();
  for (const std::uintmax_t size : {whole - 1, two + 1}) {
    filled(3);
    fs::resize_file(m_path, size);
    EXPECT_EQ(FrameStore::open_to_read(m_path).count(), 2U);
    EXPECT_EQ(fs::file_size(m_path), size) << "reading must not change the file";
    FrameStore store = FrameStore::open(m_path);
    EXPECT_EQ(store.count(), 2U);
    EXPECT_EQ(fs::file_size(m_path), two);
    store.append(state(7));
    State read;
    store.read(2, read);
    expect_equal(read, state(7));
  }
}

TEST_F(Store, KeepsTheFirstFramesWhenTruncated) {
  FrameStore store = filled(5);
  store.truncate(2);
  store.append(state(9));
  store.flush();
  const std::string after = test::text_of_file(m_path);
  State read;
  store.read(2, read);
  expect_equal(read, state(9));
  FrameStore fresh = FrameStore::create(m_path, FrameStore::counts_of(state(0)));
  for (const int i : {0, 1, 9}) fresh.append(state(i));
  fresh.flush();
  EXPECT_TRUE(test::text_of_file(m_path) == after);
}

TEST_F(Store, OtherFilesAreRefused) {
  const auto refuses = [&](const std::string& text) {
    std::ofstream(m_path, std::ios::binary) << text;
    EXPECT_THROW(FrameStore::open(m_path), Error);
    EXPECT_THROW(FrameStore::open_to_read(m_path), Error);
    EXPECT_EQ(test::text_of_file(m_path), text) << "and left alone";
  };
  refuses("");
  refuses("WRITHEFR");
  refuses(std::string(200, 'x'));
  filled(1);
  std::string next_version = test::text_of_file(m_path);
  next_version[8] = 2;
  refuses(next_version);
  std::string absurd = test::text_of_file(m_path);
  filled(1);
  absurd = test::text_of_file(m_path);
  absurd[23] = '\x7f';  // the highest byte of the number of nodes
  refuses(absurd);
  fs::remove(m_path);
  EXPECT_THROW(FrameStore::open(m_path), Error);
}

TEST_F(Store, StatesOfAnotherSceneAreRefused) {
  FrameStore store = filled(1);
  State other = state(1);
  other.x.pop_back();
  EXPECT_THROW(store.append(other), Error);
  EXPECT_EQ(store.count(), 1U);
}

TEST_F(Store, AFullDiskIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  EXPECT_THROW(FrameStore::create("/dev/full", FrameStore::counts_of(state(0))), Error);
}

}  // namespace
}  // namespace writhe::output
