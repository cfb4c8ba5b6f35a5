// Chromium without a window: how a page becomes a picture.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace writhe::cli {

// The browser: what CHROMIUM names, or the first of its usual names on the PATH. Throws Error where there is none.
std::filesystem::path find_browser();

struct PictureSize {
  int width, height;  // px
};

// A picture of the page at this address (file:///...#...), PNG. False when `go_on`, asked now and then, said so: the browser has
// been ended then. Throws Error when it cannot be started, takes longer than a minute, or leaves no picture.
bool take_screenshot(const std::filesystem::path& browser, const std::string& address, const std::filesystem::path& png,
                     PictureSize size, const std::function<bool()>& go_on);

}  // namespace writhe::cli
