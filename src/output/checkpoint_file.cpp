#include "output/checkpoint_file.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
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
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
    throw Error("--resume", path.string(), "is not a file; give the checkpoint.writhe of a run");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    const std::string reason = std::generic_category().message(errno);
    throw Error("--resume", path.string(), "cannot be read (" + reason + "); give the checkpoint.writhe of a run");
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace writhe::output
