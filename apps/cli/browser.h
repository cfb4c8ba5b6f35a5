// Chromium without a window: how a page becomes a picture.
#pragma once

#include <filesystem>
#include <string>

namespace writhe::cli {

// The browser: what CHROMIUM names, or the first of its usual names on the PATH. Throws Error where there is none.
std::filesystem::path find_browser();

// A picture of the page at this address (file:///...#...), PNG. Throws Error when the browser cannot be started, takes longer
// than a minute, or leaves no picture.
void take_screenshot(const std::filesystem::path& browser, const std::string& address, const std::filesystem::path& png,
                     int width, int height);

}  // namespace writhe::cli
