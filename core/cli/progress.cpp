#include "progress.h"

#include <unistd.h>

#include <cstdio>
#include <string>

namespace meshwise::cli {
namespace {

constexpr std::size_t kWidth = 40;
constexpr std::size_t kLongBatch = 20;

}  // namespace

Progress::Progress(std::size_t total)
    : total_(total),
      shown_((total == 0 || total > kLongBatch) && isatty(STDERR_FILENO) != 0) {
}

void Progress::step() {
  ++done_;
  if (!shown_ || (done_ % 8 != 0 && done_ != total_)) return;
  if (total_ == 0) {
    std::fprintf(stderr, "\r%zu graded", done_);
    return;
  }
  const std::size_t filled = kWidth * done_ / total_;
  std::fprintf(stderr, "\r[%s%s] %zu of %zu", std::string(filled, '#').c_str(),
               std::string(kWidth - filled, ' ').c_str(), done_, total_);
}

void Progress::end() {
  if (shown_ && done_ > 0) std::fputs("\n", stderr);
}

void Progress::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

}  // namespace meshwise::cli
