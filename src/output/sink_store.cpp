#include "output/sink_store.h"

#include "writhe/error.h"

namespace writhe::output {

void StoreSink::open(const Model&, const State& state, std::size_t count) {
  const FrameStore::Counts counts = FrameStore::counts_of(state);
  if (count == 0) {
    m_store = FrameStore::create(m_frames, counts);
    return;
  }
  m_store = FrameStore::open(m_frames);
  if (m_store->counts() != counts || m_store->count() < count) {
    throw Error("output.formats", m_frames.string(),
                "does not hold the frames that the checkpoint counts on; resume into another folder with --out");
  }
  m_store->truncate(count);
}

void StoreSink::put(const Model&, const Frame& frame) { m_store->append(frame.state); }

void StoreSink::update(std::span<const double>) { m_store->flush(); }

void StoreSink::close(const Model& model, std::span<const double>) {
  m_store->flush();
  for (const Compose& compose : m_results) compose(model, *m_store);
}

}  // namespace writhe::output
