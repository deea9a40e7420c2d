#include "grade_batch.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace meshwise::cli {
namespace {

// Results that wait for an earlier one, for each thread: enough that no thread
// stands still, few enough that a batch of any length fits.
constexpr std::size_t kAhead = 16;

Json request_for(const Submission& submission, const Json& options) {
  Json one = Json::object();
  one["source"] = submission.source;
  if (submission.answers.is_null()) {
    one["text"] = submission.text;
  } else {
    one["answers"] = submission.answers;
  }
  Json request = Json::object();
  request["kind"] = "grade";
  request["options"] = options;
  request["submissions"] = Json::array();
  request["submissions"].push_back(std::move(one));
  return request;
}

Json only_error(const std::string& source, const Json& error) {
  Json each = Json::object();
  each["source"] = source;
  each.update(error);
  Json out = Json::object();
  out["schema"] = "meshwise.grade/1";
  out["results"] = Json::array();
  out["errors"] = Json::array();
  out["errors"].push_back(std::move(each));
  out["across"] = Json::array();
  return out;
}

Json problem_json(const InputProblem& problem) {
  Json out = Json::object();
  out["code"] = problem.code;
  out["at"] = "";
  out["message"] = problem.message;
  out["hint"] = problem.hint;
  return out;
}

void name_owner(Json& reply, const Submission& submission) {
  const Owner& owner = submission.owner;
  for (const char* list : {"results", "errors"}) {
    for (Json& each : reply[list]) {
      if (!owner.name.empty() && raw_text_of(each, "student").empty()) {
        each["student"] = owner.name;
      }
      if (!owner.id.empty()) each["student_id"] = owner.id;
      if (submission.line > 0) each["line"] = submission.line;
    }
  }
}

class Pool {
 public:
  Pool(Inputs& inputs, const Json& options, std::size_t jobs)
      : inputs_(inputs), options_(options), room_(jobs * kAhead) {
    running_ = jobs;
    for (std::size_t i = 0; i < jobs; ++i) {
      threads_.emplace_back([this] { work(); });
    }
  }
  ~Pool() {
    stop();
    for (std::thread& each : threads_) each.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // The next result in order; nothing after the last. Rethrows what ended a
  // thread.
  std::optional<Graded> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return running_ == 0 || failure_ || done_.count(out_) > 0;
    });
    if (failure_) std::rethrow_exception(failure_);
    const auto it = done_.find(out_);
    if (it == done_.end()) return std::nullopt;
    Graded graded = std::move(it->second);
    done_.erase(it);
    ++out_;
    changed_.notify_all();
    return graded;
  }

 private:
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  // Takes a submission and its place; false when there is none.
  bool take(Submission& submission, std::size_t& place) {
    const std::lock_guard reading(input_);
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopped_ || in_ < out_ + room_; });
      if (stopped_) return false;
    }
    std::optional<Submission> next = inputs_.next();
    if (!next) return false;
    submission = std::move(*next);
    const std::lock_guard lock(mutex_);
    place = in_++;
    return true;
  }

  void work_through() {
    std::optional<Session> session;
    for (;;) {
      Graded graded;
      std::size_t place = 0;
      if (!take(graded.submission, place)) return;
      // An engine is only made for a thread that has something to do.
      if (!session) session.emplace();
      graded.reply = grade_one(*session, graded.submission, options_);
      graded.submission.text = std::string();
      graded.submission.answers = Json();
      const std::lock_guard lock(mutex_);
      done_.emplace(place, std::move(graded));
      changed_.notify_all();
    }
  }

  void work() {
    std::exception_ptr failure;
    try {
      work_through();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (failure) failure_ = failure;
    --running_;
    changed_.notify_all();
  }

  Inputs& inputs_;
  const Json& options_;
  const std::size_t room_;
  std::mutex input_;  // taken before mutex_
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::map<std::size_t, Graded> done_;
  std::size_t in_ = 0;
  std::size_t out_ = 0;
  std::size_t running_ = 0;
  bool stopped_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace

Json grade_one(Session& session, const Submission& submission,
               const Json& options) {
  Json reply;
  if (!submission.problem.message.empty()) {
    reply = only_error(submission.source, problem_json(submission.problem));
  } else {
    reply = session.ask_any(request_for(submission, options));
    if (!reply.is_object() || reply.contains("error")) {
      Json error = problem_json({"malformed", "the grader gave no reply", ""});
      if (reply.is_object()) error = reply["error"];
      reply = only_error(submission.source, error);
    }
  }
  name_owner(reply, submission);
  return reply;
}

void grade_all(Inputs& inputs, const Json& options, std::size_t jobs,
               const std::function<void(Graded&&)>& sink) {
  Pool pool(inputs, options, jobs);
  while (std::optional<Graded> graded = pool.next()) sink(std::move(*graded));
}

std::size_t default_jobs() {
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace meshwise::cli
