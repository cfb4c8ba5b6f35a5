#include "output/checkpoint_file.h"

#include <algorithm>
#include <limits>
#include <system_error>

#include "output/sink_file.h"
#include "writhe/error.h"

namespace writhe::output {

void CheckpointFile::update(Simulation& simulation) {
  constexpr double most_of_the_time = 20;  // at most a twentieth of the time goes into checkpoints
  if (m_interval <= 0) return;
  const std::chrono::duration<double> since = Clock::now() - m_written;
  if (since.count() >= std::max(m_interval, most_of_the_time * m_cost)) write(simulation);
}

void CheckpointFile::write(Simulation& simulation) {
  const Clock::time_point start = Clock::now();
  write_file(m_path, simulation.checkpoint(), Keep::durable);
  m_written = Clock::now();
  m_cost = std::chrono::duration<double>(m_written - start).count();
}

std::string read_checkpoint(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw Error("--resume", path.string(), "is a folder; give its checkpoint.writhe");
  std::string reason;
  const FilePointer file = open_to_read(path, reason);
  const auto refuse = [&] {
    throw Error("--resume", path.string(), "cannot be read (" + reason + "); give the checkpoint.writhe of a run");
  };
  if (!file) refuse();
  std::string bytes;
  if (!read_rest(file.get(), std::numeric_limits<std::size_t>::max(), bytes)) refuse();
  return bytes;
}

}  // namespace writhe::output
