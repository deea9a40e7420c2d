// How far a long batch is, on standard error.
#pragma once

#include <cstddef>

namespace meshwise::cli {

// A bar for batches that take a while, or how many there were where nobody
// knows how many come (a total of 0); only on a terminal.
class Progress {
 public:
  explicit Progress(std::size_t total);
  void step();
  // Ends the line; the batch is over.
  void end();
  // Takes the bar away, so that a complaint has the line to itself; the next
  // step draws it again.
  void clear();

 private:
  std::size_t total_;
  std::size_t done_ = 0;
  bool shown_;
};

}  // namespace meshwise::cli
