// SPDX-License-Identifier: Apache-2.0

#include "tests/emulator/mutants/Children.h"

#include <csignal>
#include <cstdio>
#include <map>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace tilewright::mutants {

namespace {

using Clock = std::chrono::steady_clock;

struct Child {
  pid_t process = 0;
  int output = -1;
  Clock::time_point deadline;
  std::string text;
  bool wasLate = false;
};

Child start(const Children &children, size_t task) {
  int ends[2] = {-1, -1};
  Child child;
  if (pipe(ends) != 0)
    return child;
  std::fflush(nullptr);
  child.process = fork();
  if (child.process == 0) {
    close(ends[0]);
    const std::string text = children.task(task);
    for (size_t written = 0; written < text.size();) {
      const ssize_t count = write(ends[1], text.data() + written, text.size() - written);
      if (count <= 0)
        break;
      written += static_cast<size_t>(count);
    }
    _exit(0);
  }
  close(ends[1]);
  child.output = ends[0];
  child.deadline = Clock::now() + children.deadline;
  return child;
}

/// Reads what there is; false at the end.
bool readSome(Child &child) {
  char buffer[4096];
  const ssize_t count = read(child.output, buffer, sizeof buffer);
  if (count <= 0)
    return false;
  child.text.append(buffer, static_cast<size_t>(count));
  return true;
}

std::string failureOf(Child &child) {
  close(child.output);
  int status = 0;
  waitpid(child.process, &status, 0);
  if (child.wasLate)
    return "ran past the deadline";
  if (WIFSIGNALED(status))
    return "ended by signal " + std::to_string(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : "exited with " + std::to_string(WEXITSTATUS(status));
}

} // namespace

void runChildren(const Children &children) {
  std::map<size_t, Child> running;
  size_t next = 0;
  while (next < children.count || !running.empty()) {
    while (next < children.count && running.size() < children.atOnce) {
      running[next] = start(children, next);
      ++next;
    }
    std::vector<pollfd> files;
    std::vector<size_t> tasks;
    for (const auto &[task, child] : running) {
      files.push_back({child.output, POLLIN, 0});
      tasks.push_back(task);
    }
    poll(files.data(), files.size(), 1000);
    for (size_t i = 0; i < files.size(); ++i) {
      Child &child = running[tasks[i]];
      if (!child.wasLate && Clock::now() > child.deadline) {
        child.wasLate = true;
        kill(child.process, SIGKILL);
      }
      if (files[i].revents == 0 || readSome(child))
        continue;
      const std::string failure = failureOf(child);
      children.done(tasks[i], child.text, failure);
      running.erase(tasks[i]);
    }
  }
}

} // namespace tilewright::mutants
